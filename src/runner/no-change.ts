/** The id of the review that a claim without a change takes. */
export const NO_CHANGE = 'no-change';

/** A claim, as far as it decides whether somebody outside has to agree that nothing had to be done. */
interface Said {
  readonly kind: string;
  readonly noChange: boolean;
  /** Whether acceptance examples came with the item from somebody outside the lineage. */
  readonly examples: boolean;
  readonly checks: readonly { readonly kind: string }[];
}

/** No change to an item that asks for one, and nobody outside who looks: criteria that held before hold still. */
export const isMereWord = ({ kind, noChange, examples, checks }: Said): boolean =>
  noChange &&
  kind !== 'research' &&
  kind !== 'verification-only' &&
  !examples &&
  !checks.some((check) => check.kind === 'review' || check.kind === 'approval');
