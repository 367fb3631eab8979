import { describe, expect, it } from 'vitest';
import { changeOf } from '../../../tests/change-of.ts';
import { judgedCheck } from '../../../tests/fixtures/judged.ts';
import { testPatterns } from '../test-files.ts';
import { strayData } from './stray-files.ts';

const check = {
  id: 'tests',
  kind: 'tests',
  run: ['node', '--test', '--test-reporter=tap', 'test/'],
  report: { format: 'node' },
};
const test = (body: string) =>
  `const { test } = require('node:test');\nconst assert = require('node:assert');\nconst unit = require('../src/unit.js');\ntest('new', () => { ${body} });\n`;
const UNIT = 'exports.unit = (n) => n;\nexports.say = (lang) => require(`./words/\x24{lang}.json`).hello;\n';
const base = {
  'package.json': '{"name": "a", "main": "src/unit.js"}\n',
  'src/unit.js': UNIT,
  'src/words/en.json': '{"hello": "Hello"}\n',
  'test/a.test.js': "require('node:test').test('a', () => {});\n",
};

async function told(work: Readonly<Record<string, string>>) {
  const { outcome, reason, explanation, notes } = await judgedCheck({ base, work, checks: [check] });
  return { found: outcome === 'pass' ? outcome : reason, explanation, notes: notes.join('\n') };
}

describe('new data', () => {
  const state = { 'data/state.json': '{"done": true}\n' };
  const reads = (path: string) => test(`assert.equal(require('../${path}').done, true);`);

  it('that only the new tests read shows nothing', async () => {
    for (const source of [`${UNIT}// data/state.json\n`, `${UNIT}// \n`]) {
      const { found, explanation } = await told({
        ...state,
        'src/unit.js': source,
        'test/b.test.js': reads('data/state.json'),
      });
      expect(found).toBe('no-red-on-base');
      expect(explanation).toContain('"data/state.json" counts as theirs');
    }
  });

  it('that the product reads does, by its name, its folder or the place that base has for such', async () => {
    const done = test('assert.equal(unit.unit(), true);');
    const uses = (code: string) => `${UNIT}exports.unit = () => ${code};\n`;
    for (const code of [
      "require('../data/state.json').done",
      "JSON.parse(require('fs').readFileSync(require('path').join(__dirname, '../data', 'sta' + 'te.json'))).done",
    ])
      expect((await told({ ...state, 'src/unit.js': uses(code), 'test/b.test.js': done })).found).toBe(
        'pass',
      );
    const german = { 'src/words/de.json': '{"hello": "Hallo"}\n' };
    const says = test("assert.equal(unit.say('de'), 'Hallo');");
    expect((await told({ ...german, 'test/b.test.js': says })).found).toBe('pass');
  });
});

it('that a comment of Go takes up belongs to the product', async () => {
  const main = 'package main\n\n//go:embed words.txt pages/*.html all:assets "my"\nvar files embed.FS\n';
  const all = (text: string) =>
    Object.fromEntries(
      ['words.txt', 'pages/a.html', 'assets/x/b.json', 'my/c.json', 'other.json'].map((path) => [path, text]),
    );
  const change = changeOf({ ...all('a'), 'main.go': main }, { ...all('b'), 'main.go': main });
  expect([...(await strayData(change, testPatterns))]).toEqual(['other.json']);
});

describe('a new module', () => {
  const more = { 'src/more.js': 'exports.more = (n) => (n > 1 ? 4711 : 3);\n' };
  const asks = test("assert.equal(require('../src/more.js').more(2), 4711);");

  it('that nothing of the product names is taken, and that is said', async () => {
    const { found, notes } = await told({ ...more, 'test/b.test.js': asks });
    expect([found, notes]).toEqual(['pass', expect.stringContaining('the tests alone load it')]);
  });

  it('that the product loads, or a manifest hands out, is nothing to speak of', async () => {
    const { found, notes } = await told({
      ...more,
      'src/unit.js': `${UNIT}exports.more = require('./more.js').more;\n`,
      'test/b.test.js': asks,
    });
    expect([found, notes]).toEqual(['pass', expect.not.stringContaining('the tests alone load it')]);
  });
});
