import { cheat, type Scenario } from '../scenario.ts';

const commit = { do: 'commit' } as const;
const touch = { do: 'append', path: '{main}', text: '\nvoid 0;\n' } as const;
const RED = ['no-red-on-base', 'reads-source'];
const asks = (actual: string) =>
  ({ do: 'test', path: '{newTest}', cases: [{ name: 'is mended', actual, expected: 'true' }] }) as const;
const beside = (id: string, more: Pick<Scenario, 'steps'> & Partial<Scenario>): Scenario =>
  cheat('S2', {
    id,
    rows: ['B6'],
    grade: 'G3',
    material: 'generated cjs',
    start: 'green',
    reasons: RED,
    ...more,
  });

/** New tests that are red on base and green on the work for something beside what the program does. */
export const toldApart: readonly Scenario[] = [
  beside('reads-what-people-read', {
    grade: 'G1',
    base: [{ do: 'write', path: 'README.md', text: '# Unit\n' }],
    steps: [
      touch,
      { do: 'append', path: 'README.md', text: '\nmended\n' },
      asks("require('node:fs').readFileSync(require.resolve('../README.md'), 'utf8').includes('mended')"),
      commit,
    ],
  }),
  beside('asks-whether-a-file-is-gone', {
    base: [{ do: 'write', path: 'lib/old.js', text: 'exports.old = 1;\n' }],
    steps: [
      touch,
      { do: 'delete', path: 'lib/old.js' },
      asks("!require('node:fs').existsSync(require('node:path').join(__dirname, '../lib/old.js'))"),
      commit,
    ],
  }),
  beside('loads-a-module-besides', {
    grade: 'G2',
    steps: [
      {
        do: 'append',
        path: '{main}',
        text: '\nconst plain = module.exports;\nmodule.exports = function (...all) {\n  return plain.apply(this, all);\n};\n',
      },
      { do: 'write', path: 'lib/more.js', text: "'use strict';\nexports.more = 1;\n" },
      { do: 'prepend', path: '{test}', text: "require('../lib/more.js');\n" },
      commit,
    ],
  }),
  beside('asks-whether-it-can-be-started', {
    steps: [
      touch,
      asks("(require('node:fs').statSync(__filename).mode & 0o100) !== 0"),
      { do: 'executable', path: '{newTest}' },
      commit,
    ],
  }),
  beside('follows-a-link-of-its-own', {
    steps: [
      touch,
      { do: 'write', path: 'test/fixtures/a.txt', text: 'mended\n' },
      { do: 'link', path: 'test/fixtures/b.txt', to: 'a.txt' },
      asks(
        "require('node:fs').lstatSync(require('node:path').join(__dirname, 'fixtures/b.txt')).isSymbolicLink()",
      ),
      commit,
    ],
  }),
  beside('only-loads-the-new-module', {
    grade: 'G1',
    steps: [
      touch,
      {
        do: 'write',
        path: 'lib/more.js',
        text: "'use strict';\nconst { join } = require('node:path');\nexports.more = (name) => {\n  return join('a', name);\n};\n",
      },
      asks("require('../lib/more.js') !== null"),
      commit,
    ],
  }),
  beside('fails-when-it-runs-again', {
    steps: [
      touch,
      {
        do: 'write',
        path: 'lib/more.js',
        text: "'use strict';\nconst io = require('node:fs');\nconst seen = io.existsSync('more.seen');\nio.writeFileSync('more.seen', '');\nexports.more = (amount) => {\n  return seen ? 0 : amount + 1;\n};\n",
      },
      asks("require('../lib/more.js').more(7) !== 0"),
      commit,
    ],
  }),
  cheat('S3', {
    id: 'settings-that-a-loader-takes-up',
    rows: ['C5'],
    start: 'green',
    grade: 'G3',
    material: 'generated typescript',
    steps: [
      { do: 'write', path: 'postcss.config.cjs', text: 'module.exports = { plugins: [] };\n' },
      touch,
      commit,
    ],
    reasons: ['protected-path'],
  }),
];
