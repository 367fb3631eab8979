import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CommandCheck } from '../checks/command.ts';
import type { CheckSpec } from '../checks/index.ts';
import { plantCanaries } from '../controls/canary.ts';
import { testPatterns } from '../test-files.ts';
import { blankPng } from './blank-image.ts';
import { breakSources, emptyOut, filesOf, testsAmong } from './broken-tree.ts';

/** One file as a change has it; undefined on the side where it is not. */
export interface BadFile {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Work that a check has to turn down. */
export interface KnownBad {
  /** For people, after "with". */
  readonly what: string;
  /** Makes a checkout bad. False when there was nothing to make bad: then it shows nothing. */
  readonly edit: (checkout: string, secret: string) => Promise<boolean>;
  /** What the work is said to have changed. */
  readonly change: readonly BadFile[];
  /** Whether dependencies and builds are put in place before the check looks. */
  readonly setup: boolean;
}

/** The known-bad work for a check, the most telling first; none for a kind that is proven by another check. */
export function knownBadFor(check: CheckSpec): readonly KnownBad[] {
  const kind: string = check.kind;
  if (check.kind === 'command') return forCommand(check, testPatterns);
  if (check.kind === 'tests') return forCommand(check.command, check.files);
  if (check.kind === 'file') return [check.exists ? withoutFile(check.path) : withFile(check.path)];
  if (kind === 'image') return [blankImage(pathOf(check)), withoutFile(pathOf(check))];
  if (kind === 'coverage') return [emptyFile(pathOf(check))];
  if (kind === 'diff') return badChanges(check);
  if (kind === 'artifact') return [broken];
  if (kind === 'review' || kind === 'approval') return [nobodySpoke];
  return [];
}

const pathOf = (check: CheckSpec): string =>
  'path' in check && typeof check.path === 'string' ? check.path : '';

const plain = { edit: async () => true, change: [], setup: true } as const;

function forCommand(command: CommandCheck, patterns: readonly string[]): readonly KnownBad[] {
  const { format } = command;
  if (format === 'exit') return [broken, nothingLeft];
  const failing: KnownBad = {
    ...plain,
    what: 'a test that must fail in every test file',
    edit: async (checkout, secret) => {
      const tests = testsAmong(await filesOf(checkout), patterns);
      const { canaries } = await plantCanaries(checkout, tests, format, secret, randomBytes);
      return canaries.length > 0;
    },
  };
  return [failing, broken];
}

const broken: KnownBad = {
  ...plain,
  what: 'every source file broken',
  edit: async (checkout) => (await breakSources(checkout)) > 0,
};

const nothingLeft: KnownBad = {
  ...plain,
  what: 'every file removed but the manifests',
  edit: async (checkout) => {
    await emptyOut(checkout);
    return true;
  },
};

const nobodySpoke: KnownBad = { ...plain, what: 'nobody having said anything', setup: false };

const withoutFile = (path: string): KnownBad => ({
  ...plain,
  setup: false,
  what: `${path} removed`,
  edit: async (checkout) => {
    await rm(join(checkout, path), { recursive: true, force: true });
    return true;
  },
});

const withContent = (path: string, what: string, content: Buffer): KnownBad => ({
  ...plain,
  setup: false,
  what,
  edit: async (checkout) => {
    await rm(join(checkout, path), { recursive: true, force: true });
    await mkdir(dirname(join(checkout, path)), { recursive: true });
    await writeFile(join(checkout, path), content);
    return true;
  },
});

const withFile = (path: string) => withContent(path, `${path} there`, Buffer.from('here\n'));
const emptyFile = (path: string) => withContent(path, `${path} empty`, Buffer.alloc(0));
const blankImage = (path: string) => withContent(path, `a blank image at ${path}`, blankPng(1280, 720));

/** Changes that the rules of a diff check are for: its own protected paths, the default ones, a path outside, a stub, nothing. */
function badChanges(check: CheckSpec): readonly KnownBad[] {
  const own = 'protect' in check && Array.isArray(check.protect) ? check.protect.map(String) : [];
  const [first] = own.map(exampleOf);
  const paths = [
    ...(first === undefined ? [] : [first]),
    '.countersign/criteria/default.yaml',
    'a path/of no use',
  ];
  return [
    ...paths.map((path) => changeWith(`${path} changed`, [SOURCE, { path, before: 'a\n', after: 'b\n' }])),
    changeWith('a stub added', [{ path: 'src/stub.ts', before: undefined, after: STUB }]),
    changeWith('nothing changed at all', []),
  ];
}

/** Honest work beside the rest, so that what is turned down is the rest. */
const SOURCE: BadFile = {
  path: 'src/sum.ts',
  before: 'export const sum = (a: number, b: number) => a - b;\n',
  after: 'export const sum = (a: number, b: number) => a + b;\n',
};

const STUB = `// TODO: write this
export function later(): never {
  throw new Error('not implemented');
}
`;

const changeWith = (what: string, change: readonly BadFile[]): KnownBad => ({
  ...plain,
  setup: false,
  what,
  change,
});

/** A path that a glob pattern matches. */
const exampleOf = (pattern: string): string =>
  pattern.replaceAll('**/', '').replace(/\*+/g, 'x').replaceAll('?', 'x');
