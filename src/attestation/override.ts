import { canonicalize } from './canonical.ts';
import type { Signer, TrustedKey } from './key.ts';
import { endsWithNewline, linesOf, parseCanonical } from './line.ts';
import { atLeast, listOf, misfit, type Shape } from './shape.ts';
import { signStatement } from './sign.ts';
import { revision, type Statement, statementOf } from './statement.ts';
import { verifyEnvelope } from './verify.ts';

/** Own predicate: a person lets one update of one ref through, and says what of it and why. */
export const OVERRIDE_TYPE = 'https://countersign.dev/attestation/override/v1';

/** Digests are git object ids; a time is ISO 8601 UTC. */
export type OverridePredicate = {
  /** The full name of the ref, and where it stands before the update: all zeros where it is not there. */
  readonly ref: string;
  readonly old: string;
  /** Codes of the findings that are let go. Others stay. */
  readonly permits: readonly string[];
  readonly reason: string;
  readonly signedAt: string;
};

const OVERRIDE: Shape = atLeast({
  ref: 'text',
  old: 'text',
  permits: listOf('text'),
  reason: 'text',
  signedAt: 'text',
});

/** An override as a file: one envelope on one line. Its subjects are the commit that lands and its tree. */
export function sealOverride(
  { commit, tree }: { readonly commit: string; readonly tree: string },
  predicate: OverridePredicate,
  signer: Signer,
): string {
  const statement = statementOf(revision(commit, tree), OVERRIDE_TYPE, predicate);
  return `${canonicalize(signStatement(statement, signer))}\n`;
}

/** What reading an override gave. */
export type OpenedOverride =
  | {
      readonly ok: true;
      readonly keyid: string;
      readonly predicate: OverridePredicate;
      /** Digests of the subjects: gitCommit, gitTree. */
      readonly subject: { readonly [algorithm: string]: string };
    }
  | { readonly ok: false; readonly because: string };

/** Reads a file that holds one override, signed by a trusted key. Throws BAD_KEY for a bad trusted key. */
export function openOverride(bytes: Uint8Array, trusted: readonly TrustedKey[]): OpenedOverride {
  const [line, ...more] = linesOf(bytes);
  if (line === undefined || more.length > 0 || !endsWithNewline(bytes))
    return { ok: false, because: 'an override is one line' };
  const parsed = parseCanonical(line.bytes);
  if (!parsed.ok) return { ok: false, because: parsed.because };
  const result = verifyEnvelope(parsed.value, trusted);
  if (!result.ok) return { ok: false, because: result.because };
  const { statement, keyid } = result;
  if (statement.predicateType !== OVERRIDE_TYPE) return { ok: false, because: 'it is no override' };
  const lacks = misfit(statement.predicate, OVERRIDE);
  if (lacks !== undefined) return { ok: false, because: `not a whole override: see ${lacks}` };
  return { ok: true, keyid, predicate: predicateOf(statement), subject: digestsOf(statement) };
}

const predicateOf = ({ predicate }: Statement) => predicate as OverridePredicate;

const digestsOf = ({ subject }: Statement): { readonly [algorithm: string]: string } =>
  Object.assign({}, ...subject.map(({ digest }) => digest));
