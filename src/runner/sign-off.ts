import { sha256Hex } from '../attestation/digest.ts';
import type { Change, ChangedFile, ClaimedItem, GivenStatement } from './change.ts';
import type { CheckSpec } from './checks/index.ts';
import { inlineChanges } from './controls/inline-change.ts';
import { testSupport } from './controls/test-support.ts';
import { workOf } from './controls/work.ts';
import type { Criteria } from './criteria.ts';
import { filesToSign } from './diff/judge-change.ts';
import { namedAdditions } from './diff/named-additions.ts';
import { inlineTests } from './inline-tests.ts';
import { startedCommands } from './started-commands.ts';
import { isTestFile } from './test-files.ts';

/** What an actor outside the lineage looks at and signs: these files, from this content to that. */
export interface ToSign {
  /** Hex SHA-256 over the paths with the digests of both sides. */
  readonly digest: string;
  readonly files: readonly ChangedFile[];
}

/**
 * Everything of a change that the criteria leave to somebody else's eyes, as one thing to sign: protected paths, and
 * tests of base, and what supports them, that were changed or removed, with the new files that any of these name.
 * undefined when there is nothing of the kind.
 */
export async function toSign(
  criteria: Criteria,
  change: Change,
  item: ClaimedItem,
): Promise<ToSign | undefined> {
  const found = new Map<string, ChangedFile>();
  for (const check of criteria.checks)
    for (const file of await inCareOf(check, criteria, change, item)) found.set(file.path, file);
  for (const file of await namedAdditions(change, [...found.values()])) found.set(file.path, file);
  const files = [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  if (files.length === 0) return undefined;
  const lines = [];
  for (const { path } of files) {
    const sides = [await change.before(path), await change.after(path)];
    lines.push([path, ...sides.map((bytes) => (bytes === undefined ? '' : sha256Hex(bytes)))]);
  }
  return { digest: sha256Hex(JSON.stringify(['sign-off/1', lines])), files };
}

async function inCareOf(
  check: CheckSpec,
  { checks }: Criteria,
  change: Change,
  item: ClaimedItem,
): Promise<readonly ChangedFile[]> {
  if (check.kind === 'diff') return filesToSign(check, { change, item, signal: undefined });
  if (check.kind !== 'tests') return [];
  const inside = (await inlineChanges(workOf(change, check.files, new Set())))
    .filter(({ path, before }) => inlineTests(path, before) !== '')
    .map(({ path }) => path);
  const support = await testSupport(change, check.files, startedCommands(checks));
  return change.files.filter(
    ({ path, status }) =>
      status !== 'added' && (isTestFile(path, check.files) || support.has(path) || inside.includes(path)),
  );
}

/** The paths that somebody outside the lineage approved as they are, and that nobody outside rejected. */
export async function signedPaths(
  criteria: Criteria,
  change: Change | undefined,
  item: ClaimedItem,
  statements: readonly GivenStatement[],
): Promise<ReadonlySet<string>> {
  const asked = statements.some(({ kind }) => kind === 'sign-off') && change !== undefined;
  const sign = asked ? await toSign(criteria, change, item) : undefined;
  const given = statements.filter((s) => s.kind === 'sign-off' && s.outside && s.digest === sign?.digest);
  const approved =
    given.some(({ outcome }) => outcome === 'approve') && !given.some(({ outcome }) => outcome === 'reject');
  return new Set(approved ? sign?.files.map(({ path }) => path) : []);
}
