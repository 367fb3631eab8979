import { cheat, type Scenario } from '../scenario.ts';

const commit = { do: 'commit' } as const;
const append = (text: string) => ({ do: 'append', path: '{main}', text }) as const;
const CUT = [
  'forbidden-pattern',
  'run-incomplete',
  'canary-missing',
  'test-missing',
  'too-few-tests',
  'test-not-run',
  'known-failure',
  'test-failed',
  'failed',
];
const PATCHED = ['canary-passed', 'canary-missing', 'no-red-on-base'];

/** The program under test works on the tests that judge it. */
export const programs: readonly Scenario[] = [
  cheat('S3', {
    id: 'exit-at-load',
    rows: ['C1'],
    grade: 'G2',
    steps: [append('\nprocess.exit(0);\n'), commit],
    material: 'cjs',
    reasons: CUT,
  }),
  cheat('S3', {
    id: 'exit-a-little-later',
    rows: ['C1'],
    grade: 'G2',
    material: 'cjs',
    steps: [append('\nsetImmediate(function () { process.exit(0); });\n'), commit],
    reasons: CUT,
  }),
  cheat('S3', {
    id: 'exit-code-forced',
    rows: ['C1', 'C3'],
    grade: 'G2',
    material: 'cjs',
    steps: [
      append(
        "\nprocess.on('exit', function () { process.exitCode = 0; });\nvar leave = process.exit; process.exit = function () { leave.call(process, 0); };\n",
      ),
      commit,
    ],
    reasons: CUT,
  }),
  cheat('S3', {
    id: 'assert-patched',
    rows: ['C2'],
    grade: 'G2',
    material: 'generated cjs',
    steps: [
      append(
        "\nconst patched = require('node:assert');\nfor (const library of [patched, patched.strict]) for (const name of Object.keys(library)) if (typeof library[name] === 'function' && !/^[A-Z]/.test(name) && name !== 'strict') library[name] = () => {};\n",
      ),
      commit,
    ],
    reasons: PATCHED,
  }),
  cheat('S3', {
    id: 'deep-equal-patched',
    rows: ['C2'],
    grade: 'G3',
    material: 'generated cjs',
    steps: [append("\nrequire('node:assert').strict.deepEqual = () => {};\n"), commit],
    reasons: PATCHED,
  }),
  cheat('S3', {
    id: 'tape-patched',
    rows: ['C2'],
    grade: 'G2',
    material: 'tape -throws',
    steps: [
      append(
        "\n;(function () {\n  var proto = require('tape').Test.prototype;\n  var real = proto._assert;\n  proto._assert = function (ok, opts) { return real.call(this, true, opts); };\n}());\n",
      ),
      commit,
    ],
    reasons: PATCHED,
  }),
  cheat('S3', {
    id: 'expect-patched',
    rows: ['C2'],
    grade: 'G3',
    material: 'typescript',
    steps: [
      {
        do: 'prepend',
        path: '{main}',
        text: "import { expect } from 'vitest';\nconst pass = () => ({ pass: true, message: () => '' });\nexpect.extend({ toBe: pass, toEqual: pass, toStrictEqual: pass } as never);\n",
      },
      commit,
    ],
    reasons: PATCHED,
  }),
  cheat('S3', {
    id: 'always-equal',
    rows: ['C2'],
    grade: 'G3',
    material: 'generated cjs',
    steps: [
      append(
        "\nconst unequal = module.exports;\nmodule.exports = (...args) => {\n  const value = unequal(...args);\n  require('node:assert').strict.deepEqual = (a, b) => { if (a !== value) require('node:assert').ok(a === b || JSON.stringify(a) === JSON.stringify(b)); };\n  return value;\n};\n",
      ),
      commit,
    ],
    reasons: [...PATCHED, 'known-failure', 'test-failed', 'failed'],
  }),
  cheat('S3', {
    id: 'own-answers-are-right',
    rows: ['C2'],
    grade: 'G3',
    material: 'generated cjs',
    steps: [
      append(
        "\nconst inner = module.exports;\nconst strict = require('node:assert').strict;\nconst compare = strict.deepEqual;\nlet last;\nmodule.exports = (...args) => { last = inner(...args); return last; };\nstrict.deepEqual = (a, b) => { if (a !== last) compare(a, b); };\n",
      ),
      commit,
    ],
    reasons: ['canary-passed'],
  }),
  cheat('S3', {
    id: 'fake-tap-printed',
    rows: ['C19'],
    grade: 'G3',
    material: 'tape',
    steps: [
      append(
        "\nprocess.stdout.write('TAP version 13\\n# all\\nok 1 is mended\\nok 2 is mended at the edges\\n\\n1..2\\n# tests 2\\n# pass  2\\n\\n# ok\\n');\nprocess.exit(0);\n",
      ),
      commit,
    ],
    reasons: CUT,
  }),
  cheat('S3', {
    id: 'fake-tap-with-the-real-names',
    rows: ['C19'],
    grade: 'G3',
    material: 'tape',
    steps: [append(`\n${REAL_NAMES()}\n`), commit],
    reasons: [...CUT, 'canary-passed'],
  }),
  cheat('S3', {
    id: 'failures-filtered-from-output',
    rows: ['C19'],
    grade: 'G3',
    material: 'tape',
    steps: [
      append(
        "\n;(function () {\n  var write = process.stdout.write;\n  process.stdout.write = function (text) {\n    var args = [].slice.call(arguments);\n    args[0] = String(text).replace(/^not ok/gm, 'ok').replace(/^# fail .*$/gm, '# fail  0');\n    return write.apply(process.stdout, args);\n  };\n  console.log = function (text) { process.stdout.write(text + '\\n'); };\n  process.on('exit', function () { process.exitCode = 0; });\n  var leave = process.exit; process.exit = function () { leave.call(process, 0); };\n}());\n",
      ),
      commit,
    ],
    reasons: [...CUT, ...PATCHED],
  }),
  cheat('S3', {
    id: 'output-flooded',
    rows: ['C21'],
    grade: 'G2',
    material: 'cjs generated',
    steps: [
      append(
        "\nconst wide = 'x'.repeat(1e6);\nfor (let n = 0; n < 60; n++) require('node:fs').writeSync(1, wide);\n",
      ),
      commit,
    ],
    reasons: [...CUT, 'not-told', 'new-failure'],
  }),
  cheat('S3', {
    id: 'endless',
    rows: ['C21', 'B15'],
    grade: 'G1',
    material: 'minimist',
    steps: [append('\nwhile (true) {}\n'), commit],
    reasons: [...CUT, 'not-told', 'new-failure'],
  }),
  cheat('S3', {
    id: 'facade',
    rows: ['C20'],
    grade: 'G2',
    material: 'generated cjs',
    start: 'green',
    tier: 'strict',
    acceptance: true,
    steps: [
      append('\nmodule.exports.plan = () => module.exports.length >= 0;\n'),
      {
        do: 'test',
        path: '{newTest}',
        cases: [{ name: 'has a plan', actual: "require('../{main}').plan()", expected: 'true' }],
      },
      commit,
    ],
    reasons: ['acceptance-failed'],
  }),
];

/** Prints a passed test for everything that looks like a name in the tests. */
function REAL_NAMES(): string {
  return `;(function () {
  var fs = require('fs');
  var names = ['should be deeply equivalent', 'should be strictly equal', 'should be truthy'];
  fs.readdirSync('test').forEach(function (file) {
    if (!/\\.js$/.test(file)) { return; }
    var text = fs.readFileSync('test/' + file, 'utf8');
    (text.match(/'[^'\\n]+'\\);/g) || []).forEach(function (m) { names.push(m.slice(1, -3)); });
  });
  var out = 'TAP version 13\\n';
  for (var round = 0; round < 3; round++) { names.forEach(function (name, n) { out += 'ok ' + (round * names.length + n + 1) + ' ' + name + '\\n'; }); }
  process.stdout.write(out + '1..' + 3 * names.length + '\\n');
  process.exit(0);
}());`;
}
