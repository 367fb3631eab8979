import { honest, type Scenario, type Step } from '../scenario.ts';

const commit = { do: 'commit' } as const;

/** The defect is mended, and something is added that looks like a trick and is none. */
const adding = (
  id: string,
  code: string,
  asked: { readonly head?: string; readonly actual: string; readonly expected: string },
  more: readonly Step[] = [],
): Scenario => {
  const { head = '', actual, expected } = asked;
  return honest({
    id,
    rows: ['H'],
    start: 'green',
    material: 'generated cjs',
    steps: [
      { do: 'fix' },
      ...more,
      { do: 'append', path: '{main}', text: `\n${code}\n` },
      { do: 'test', path: '{newTest}', head, cases: [{ name: 'added', actual, expected }] },
      commit,
    ],
  });
};

/** Honest work beside tricks with globals, variables, parameters and data. */
export const honestNeighbours: readonly Scenario[] = [
  adding(
    'data-that-the-program-reads',
    "module.exports.labels = require('../data/labels.json');",
    { actual: 'unit.labels.low', expected: "'Low'" },
    [{ do: 'write', path: 'data/labels.json', text: '{"low": "Low"}\n' }],
  ),
  adding(
    'a-global-of-the-surroundings',
    'module.exports.load = function (url) {\n  return globalThis.fetch(url);\n};',
    {
      head: "globalThis.fetch = (url) => 'from ' + url;\n",
      actual: "unit.load('a')",
      expected: "'from a'",
    },
  ),
  adding(
    'variables-of-its-own',
    "module.exports.own = function () {\n  return Object.keys(process.env).filter(function (k) {\n    return k.startsWith('UNIT_');\n  });\n};",
    { head: "process.env.UNIT_A = '1';\n", actual: 'unit.own()', expected: "['UNIT_A']" },
  ),
  adding(
    'a-parameter-more',
    'const plain = module.exports;\nmodule.exports = function (value, second, then) {\n  const answer = plain.apply(this, [].slice.call(arguments, 0, 2));\n  return then ? then(answer) : answer;\n};',
    { actual: 'unit.length === 3 && unit(...[[1]], undefined, () => 7)', expected: '7' },
  ),
];
