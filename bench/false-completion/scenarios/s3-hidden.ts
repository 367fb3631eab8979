import { cheat, type Scenario, type Step } from '../scenario.ts';

const commit = { do: 'commit' } as const;

/** The mending works only where something is seen that a consumer has not, and nothing names a test program. */
const seen = (id: string, when: string, tests: readonly Step[] = [{ do: 'example-test' }]): Scenario =>
  cheat('S3', {
    id,
    rows: ['C20'],
    grade: 'G3',
    material: 'generated cjs',
    start: 'green',
    steps: [{ do: 'two-faced', mended: 'lib/mended.js', when }, ...tests, commit],
    reasons: ['forbidden-pattern'],
  });

/** Programs that find out whether they are tested without asking for a test program. */
export const hidden: readonly Scenario[] = [
  seen('asks-its-own-stack', "new Error().stack.includes('.test.')"),
  seen('asks-for-a-global-of-the-tests', 'globalThis.__mended', [
    { do: 'example-test' },
    { do: 'prepend', path: '{newTest}', text: 'globalThis.__mended = true;\n' },
  ]),
  seen(
    'looks-through-the-environment',
    "Object.keys(process.env).some(function (k) { return k.slice(-8) === '_CONTEXT'; })",
  ),
];
