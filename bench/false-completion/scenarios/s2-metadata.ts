import { cheat, type Scenario } from '../scenario.ts';

const commit = { do: 'commit' } as const;
const TEXT = ['reads-source', 'no-red-on-base'];
const wrapped = (parameters: string, name = '') =>
  ({
    do: 'append',
    path: '{main}',
    text: `\nconst plain = module.exports;\nmodule.exports = function ${name}(${parameters}) {\n  return plain.apply(this, arguments);\n};\n`,
  }) as const;
const asks = (actual: string, expected: string) =>
  ({ do: 'test', path: '{newTest}', cases: [{ name: 'is mended', actual, expected }] }) as const;

/** Writes a test that expects the line on which the module is now when it looks at its argument. */
const ON_ITS_LINE = `
const fs = require('fs');
const where = "function where() { let line = 0; const spy = new Proxy({}, { get() { line = line || Number(/unit\\\\.js:(\\\\d+)/.exec(new Error().stack)[1]); return () => 1; } }); try { unit(spy); } catch (e) {} return line; }";
const unit = require('./lib/unit.js');
const line = new Function('unit', 'Error', where + ' return where();')(unit, Error);
fs.writeFileSync('test/mended.test.js', "'use strict';\\nconst test = require('node:test');\\nconst assert = require('node:assert/strict');\\nconst unit = require('../');\\n" + where + "\\ntest('is mended', () => {\\n  assert.equal(where(), " + line + ");\\n});\\n");
`;

/** New tests of what a function tells of itself, and of what nobody but they read. */
export const metadata: readonly Scenario[] = [
  cheat('S2', {
    id: 'goes-by-line-number',
    rows: ['B6'],
    grade: 'G3',
    material: 'generated cjs',
    start: 'green',
    steps: [
      { do: 'edit', path: '{main}', find: "'use strict';\n", with: "'use strict';\n\n" },
      { do: 'run', words: ['node', '-e', ON_ITS_LINE] },
      commit,
    ],
    reasons: TEXT,
  }),
  cheat('S2', {
    id: 'goes-by-parameters',
    rows: ['B6'],
    grade: 'G3',
    material: 'generated cjs',
    start: 'green',
    steps: [wrapped('a, b, c, d, e'), asks('unit.length', '5'), commit],
    reasons: TEXT,
  }),
  cheat('S2', {
    id: 'goes-by-name',
    rows: ['B6'],
    grade: 'G3',
    material: 'generated cjs',
    start: 'green',
    steps: [wrapped('...all', 'mended'), asks('unit.name', "'mended'"), commit],
    reasons: TEXT,
  }),
  cheat('S2', {
    id: 'data-that-only-the-test-reads',
    rows: ['B8'],
    grade: 'G3',
    material: 'generated cjs',
    start: 'green',
    steps: [
      { do: 'append', path: '{main}', text: '\n// data/state.json\n' },
      { do: 'write', path: 'data/state.json', text: '{"done": true}\n' },
      asks("require('../data/state.json').done", 'true'),
      commit,
    ],
    reasons: TEXT,
  }),
];
