import { randomBytes } from 'node:crypto';
import type { CommandCheck } from '../checks/command.ts';
import type { ImageCheck } from '../checks/image.ts';
import type { CheckSpec } from '../checks/index.ts';
import { plantCanaries } from '../controls/canary.ts';
import { testPatterns } from '../test-files.ts';
import { badChanges } from './bad-changes.ts';
import { uncovered, unnoticed } from './bad-for-tests.ts';
import { badPackages } from './bad-package.ts';
import { type KnownBad, plain, withContent, withoutFile } from './bad-work.ts';
import { blankPng } from './blank-image.ts';
import { breakSources, emptyOut, filesOf, testsAmong } from './broken-tree.ts';

/** The known-bad work for a check, the most telling first. `builds`: whether the set-up builds anything. */
export function knownBadFor(check: CheckSpec, builds: boolean): readonly KnownBad[] {
  switch (check.kind) {
    case 'command':
      return forCommand(check, testPatterns, builds);
    case 'tests':
      return forCommand(check.command, check.files, builds);
    case 'file':
      return [check.exists ? withoutFile(check.path) : withFile(check.path)];
    case 'image':
      return [blankImage(check), withoutFile(check.path)];
    case 'coverage':
      return uncovered(check);
    case 'mutation':
      return [unnoticed(check)];
    case 'diff':
      return badChanges(check);
    case 'artifact':
      return [...badPackages(check), broken];
    case 'review':
    case 'approval':
      return [nobodySpoke];
  }
}

/** Broken sources often end the build, and then nobody has asked the check: it is asked again without the build. */
function forCommand(command: CommandCheck, patterns: readonly string[], builds: boolean) {
  const all = command.format === 'exit' ? [broken] : [failing(command.format, patterns), broken];
  const last = command.format === 'exit' ? [nothingLeft] : [];
  return builds ? [...all, ...[...all, ...last].map(unbuilt)] : [...all, ...last];
}

const unbuilt = (bad: KnownBad): KnownBad => ({ ...bad, setup: 'install', what: `${bad.what}, not built` });

const failing = (format: Exclude<CommandCheck['format'], 'exit'>, patterns: readonly string[]): KnownBad => ({
  ...plain,
  what: 'a test that must fail in every test file',
  edit: async (checkout, secret) => {
    const tests = testsAmong(await filesOf(checkout), patterns);
    const { canaries } = await plantCanaries(checkout, tests, format, secret, randomBytes);
    return canaries.length > 0 ? [] : undefined;
  },
});

const broken: KnownBad = {
  ...plain,
  what: 'every source file broken',
  edit: async (checkout) => ((await breakSources(checkout)) > 0 ? [] : undefined),
};

const nothingLeft: KnownBad = {
  ...plain,
  what: 'every file removed but the manifests',
  edit: async (checkout) => {
    await emptyOut(checkout);
    return [];
  },
};

const nobodySpoke: KnownBad = { ...plain, what: 'nobody having said anything', setup: 'none' };

const withFile = (path: string) => withContent(path, `${path} there`, Buffer.from('here\n'));

/** Of the size that is asked for, and committed where it must be: what is wrong with it is that nothing is on it. */
function blankImage({ path, width, height, minWidth, minHeight, from }: ImageCheck): KnownBad {
  const side = (exact: number | undefined, least: number | undefined, usual: number) =>
    Math.min(4096, Math.max(1, exact ?? Math.max(least ?? 0, usual)));
  const image = blankPng(side(width, minWidth, 1280), side(height, minHeight, 720));
  return withContent(path, `a blank image at ${path}`, image, from === 'commit');
}
