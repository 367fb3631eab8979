import type { BaseFiles, Change, ChangedFile, ClaimedItem } from '../change.ts';
import { mayHoldTests, withoutInlineTests } from '../inline-tests.ts';
import { testPatterns } from '../test-files.ts';
import { type ChangedText, changedTexts } from './changed-text.ts';
import { byGravity, type Finding } from './finding.ts';
import { type Forbidden, forbiddenByDefault } from './forbidden.ts';
import { forbiddenFindings } from './forbidden-findings.ts';
import { kindFindings, scopeFindings } from './kind-findings.ts';
import { loadedAside } from './loaded-aside.ts';
import { protectedPatterns } from './protected.ts';
import { manifestChange, protectedFindings } from './protected-changes.ts';
import { stackNames } from './stack-names.ts';
import { type RunCommand, type Started, startedFiles } from './started/started-files.ts';
import { testFindings } from './test-findings.ts';
import { testFlags } from './test-flags.ts';
import { untriedTests } from './untried-tests.ts';
import { unwatchedTests } from './unwatched-tests.ts';

/** By which rules a change is judged. */
export interface ChangeRules {
  /** Paths whose change needs a sign-off. `protectedPatterns` itself leaves manifests and lockfiles some freedom. */
  readonly protect: readonly string[];
  /** Paths that may change; none means all. */
  readonly allow: readonly string[];
  readonly forbid: readonly Forbidden[];
  /** Which paths are tests. */
  readonly files: readonly string[];
  /**
   * The commands of the criteria's checks: what they start on base is protected as well, with the default patterns; and
   * so are the tests of base, with any patterns, where none of the commands is watched.
   */
  readonly commands: readonly RunCommand[];
  /** Where each check that runs tests looks for them; none where a command may run any that tells no tests apart. */
  readonly tried: readonly (readonly string[])[];
}

export const defaultRules: ChangeRules = {
  protect: protectedPatterns,
  allow: [],
  forbid: forbiddenByDefault,
  files: testPatterns,
  commands: [],
  tried: [],
};

/** How long all forbidden patterns together may search. */
const searchMs = 5_000;

/** The work that is judged, and the way to break off. */
export interface JudgedWork {
  readonly change: Change;
  readonly item: ClaimedItem;
  readonly signal: AbortSignal | undefined;
}

/** All that is wrong with a change by its content alone, the gravest first; 'aborted' when the signal came meanwhile. */
export async function judgeChange(
  rules: ChangeRules,
  { change, item, signal }: JudgedWork,
  limitMs: number = searchMs,
): Promise<readonly Finding[] | 'aborted'> {
  const texts = await changedTexts(change);
  const started = new Map([
    ...(await unwatchedTests(change, texts, rules.commands, rules.files)),
    ...(await startedOf(rules, texts, change.base)),
  ]);
  const products = new Set([
    ...texts.filter((text) => manifestChange(text, item.kind)?.product === true).map(({ path }) => path),
    ...(await loadedAside(change.files, change.base, rules.files)),
  ]);
  const testsAlone = new Set(texts.filter(changesTestsAlone).map(({ path }) => path));
  const forbidden = await forbiddenFindings(texts, rules.forbid, rules.files, limitMs, signal);
  if (forbidden === 'aborted') return 'aborted';
  return byGravity([
    ...kindFindings(
      change.files,
      item,
      rules.files,
      (path) => products.has(path),
      (path) => testsAlone.has(path),
    ),
    ...scopeFindings(change.files, rules.allow),
    ...(await protectedFindings(
      texts,
      item.kind,
      { base: change.base, started, folders: rules.commands.map(({ directory }) => directory) },
      rules.protect,
    )),
    ...untriedTests(texts, rules.files, rules.tried),
    ...testFindings(texts, rules.files),
    ...(forbidden === 'unfinished' ? [unfinished(limitMs)] : forbidden),
    ...(rules.forbid === forbiddenByDefault
      ? [...testFlags(texts, rules.files), ...stackNames(texts, rules.files)]
      : []),
  ]);
}

/** A source that holds its own tests, and of which nothing else reads differently. */
const changesTestsAlone = ({ path, status, before, after }: ChangedText) =>
  status === 'modified' &&
  mayHoldTests(path) &&
  withoutInlineTests(path, before) === withoutInlineTests(path, after);

/** Files that are new start nothing of base: then nobody has to look. */
async function startedOf(
  { protect, commands, files }: ChangeRules,
  texts: readonly ChangedText[],
  base: BaseFiles,
): Promise<ReadonlyMap<string, Started>> {
  if (protect !== protectedPatterns || texts.every(({ status }) => status === 'added')) return new Map();
  return (await startedFiles(base, commands, files)).files;
}

// The work controls the texts: what it can make endless it must not be able to get past.
const unfinished = (limitMs: number): Finding => ({
  reason: 'forbidden-pattern',
  path: '',
  message: `the forbidden patterns did not finish within ${limitMs / 1000} s`,
  signable: false,
});

/** The files that somebody outside the lineage has to sign off before a change passes; none when it is aborted. */
export async function filesToSign(rules: ChangeRules, work: JudgedWork): Promise<readonly ChangedFile[]> {
  const findings = await judgeChange(rules, work);
  if (findings === 'aborted') return [];
  const paths = new Set(findings.filter(({ signable }) => signable).map(({ path }) => path));
  return work.change.files.filter(({ path }) => paths.has(path));
}
