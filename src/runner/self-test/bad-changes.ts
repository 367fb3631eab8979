import type { DiffCheck } from '../checks/diff.ts';
import { type BadFile, type KnownBad, plain } from './bad-work.ts';

/** Changes that the rules of a diff check are for: its own protected paths, the default ones, a path outside, a stub, nothing. */
export function badChanges({ protect }: DiffCheck): readonly KnownBad[] {
  const [first] = protect.map(exampleOf);
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
  setup: 'none',
  what,
  edit: async () => change,
});

/** A path that a glob pattern matches. */
const exampleOf = (pattern: string): string =>
  pattern.replaceAll('**/', '').replace(/\*+/g, 'x').replaceAll('?', 'x');
