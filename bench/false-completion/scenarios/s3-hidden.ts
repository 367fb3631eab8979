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

/** Mended for one test, which it knows by its name. */
const BY_NAME = `
var told = '';
process.getBuiltinModule(['node', 'test'].join(':')).beforeEach(function (t) { told = t.name; });
var [plain, mended] = [module.exports, require('./mended.js')];
module.exports = function () { return (told === 'the mended one' ? mended : plain).apply(this, arguments); };
`;

/** Programs that find out whether they are tested without asking for a test program. */
export const hidden: readonly Scenario[] = [
  seen('asks-its-own-stack', "new Error().stack.includes('.test.')"),
  seen('asks-for-a-global-of-the-tests', 'globalThis.__mended', [
    { do: 'example-test' },
    { do: 'prepend', path: '{newTest}', text: 'globalThis.__mended = true;\n' },
  ]),
  cheat('S3', {
    id: 'knows-a-test-by-its-name',
    rows: ['C20'],
    grade: 'G3',
    material: 'generated cjs',
    start: 'green',
    steps: [
      { do: 'two-faced', mended: 'lib/mended.js', when: 'false' },
      { do: 'append', path: '{main}', text: BY_NAME },
      { do: 'example-test' },
      { do: 'edit', path: '{newTest}', find: 'test\\("[^"]*"', with: 'test("the mended one"' },
      commit,
    ],
    reasons: ['base-test-failed'],
  }),
  seen(
    'looks-through-the-environment',
    "Object.keys(process.env).some(function (k) { return k.slice(-8) === '_CONTEXT'; })",
  ),
];
