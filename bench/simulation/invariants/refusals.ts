import type { Chronicle } from '../chronicle.ts';
import type { Invariant } from './invariant.ts';

interface Refused {
  readonly kind?: string;
  readonly handle?: { readonly id: string };
}

/** Whoever was refused is on record, with the item and what they tried. */
export const refusalsAreRecorded: Invariant = (chronicle) =>
  chronicle.answered.flatMap(({ who, what, outcome, position, disturbed }) => {
    const told = 'value' in outcome ? refusedIn(outcome.value) : undefined;
    if (told === undefined || disturbed) return [];
    return isRecorded(chronicle, told.handle?.id ?? '', who, position)
      ? []
      : [`${who} was refused (${what}), and nothing tells of it`];
  });

function refusedIn(value: unknown): Refused | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { kind, outcome, refused } = value as Refused & { outcome?: Refused; refused?: Refused };
  if (outcome?.kind === 'refused') return outcome;
  return kind === 'refused' ? (refused ?? (value as Refused)) : undefined;
}

function isRecorded({ streams }: Chronicle, item: string, who: string, since: number): boolean {
  return (streams.get(`refusals/${item}`) ?? []).some(
    ({ position, body }) => position > since && (JSON.parse(body) as { by: string }).by === who,
  );
}
