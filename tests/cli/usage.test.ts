import { lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildProgram, type Desk, documentOf, openDesk, type Program } from './program.ts';

let program: Program;
let desk: Desk;
beforeAll(() => {
  program = buildProgram();
  desk = openDesk(program);
  for (const n of [1, 2, 3, 4, 5]) desk.run('add', `Thing ${n}`);
});
afterAll(() => {
  desk.remove();
  program.remove();
});

describe('usage errors', () => {
  it.each([
    ['a misspelt command', ['clain', 'T-1'], 'claim'],
    ['a misspelt command of a group', ['protocol', 'chek', 'x'], 'check'],
    ['a misspelt group, before a word that is a command as well', ['actr', 'add', 'bob'], 'actor'],
    ['the same after the name of an actor', ['--actor', 'next', 'tokn', 'list'], 'token'],
    ['an unknown flag', ['list', '--limitt', '3'], '--limit'],
    ['a missing argument', ['show'], 'item'],
    ['a missing option', ['dispatch', 'T-1'], '--to'],
    ['too many arguments', ['show', 'T-1', 'T-2'], 'too many arguments'],
  ])('%s ends with 2 and says what was meant', (_, words, hint) => {
    const told = desk.run(...words);
    expect(told.code).toBe(2);
    expect(told.out).toBe('');
    expect(told.err).toContain(hint);
    const said = documentOf(desk.run('--json', ...words));
    expect(said).toMatchObject({ code: 2, ok: false, error: { code: 'usage' } });
  });

  it.each([
    ['--limit', '0'],
    ['--limit', '501'],
    ['--limit', 'ten'],
    ['--after', '-1'],
  ])('list %s %s ends with 2', (flag, value) => {
    expect(desk.run('list', flag, value).code).toBe(2);
  });
});

describe('titles', () => {
  it.each([
    ['blank', '   '],
    ['empty', ''],
    ['of 100 KB', 'x'.repeat(100_000)],
    ['with an escape sequence', 'red \u001b[31m'],
    ['of two lines', 'one\ntwo'],
    ['with a NUL-like control', 'a\u0001b'],
    ['with a line separator', 'one\u2028two'],
    ['that turns the direction of text', 'pay \u202e 001 \u202c'],
    ['with an invisible character', 'ad\u200bmin'],
  ])('a title %s is refused and nothing is stored', (_, title) => {
    const said = desk.say('add', title);
    expect(said).toMatchObject({ code: 2, ok: false, error: { code: 'BAD_INPUT' } });
    expect(desk.say('list').data.items).toHaveLength(5);
  });

  it('keeps any other text as it is, options before it marked off', () => {
    const title = '--drop "tables"; $(rm -rf /) \u00e4\u{1f600}';
    expect(desk.say('add', '--list', 'odd', '--', title).data.content).toBe(title);
    expect(desk.run('list', '--list', 'odd').out).toContain(title);
  });
});

it.each([
  ['show', 'T-99'],
  ['claim', 'T-99'],
  ['verify', 'T-99'],
  ['complete', 'T-99'],
  ['log', 'no-such-id'],
  ['ack', 'T-99'],
  ['retry', '99'],
  ['criteria', 'show', 'nothing'],
  ['token', 'revoke', 'nothing'],
  ['actor', 'retire', 'nobody'],
  ['protocol', 'show', 'nothing'],
  ['import', 'todo', 'nothing.json'],
])('%s %s: what is not there ends with 5', (...words) => {
  expect(documentOf(desk.run('--json', ...words))).toMatchObject({ code: 5, ok: false });
});

it('lists in pages that hold everything once', () => {
  const seen: unknown[] = [];
  for (let after = 0, n = 0; n < 10; n++) {
    const { items, next } = desk.say('list', '--list', 'main', '--limit', '2', '--after', String(after))
      .data as {
      items: { id: string }[];
      next: number;
    };
    seen.push(...items.map((item) => item.id));
    after = next;
    if (next === 0) break;
  }
  expect(seen).toEqual(['T-1', 'T-2', 'T-3', 'T-4', 'T-5']);
});

it('names the next page with all that was asked for', () => {
  const told = desk.run('list', '--state', 'pending', 'claimed', '--list', 'main', '--limit', '2');
  const more = /more: countersign (.*)/.exec(told.out)?.[1] ?? '';
  expect(more).toBe('list --list main --state pending claimed --limit 2 --after 2');
  expect(desk.run(...more.split(' ')).out).toContain('Thing 3');
});

it('counts all that is open where it shows a part of it', () => {
  for (let n = 1; n <= 52; n += 1) desk.run('add', `Much ${n}`, '--list', 'much');
  const told = desk.run('list', '--assert-done', '--list', 'much');
  expect(told).toMatchObject({ code: 3, err: expect.stringContaining('52 items are open, 0 of them') });
  expect(told.err).toContain('and 2 more');
});

it.each([
  ['claim', 'T-1', '--evidence', 'x'.repeat(300)],
  ['claim', 'T-1', '--evidence', 'README.md/below'],
  ['claim', 'T-1', '--evidence', 'loop'],
  ['add', 'More', '--acceptance', 'x'.repeat(300)],
  ['add', 'More', '--acceptance', 'README.md/below'],
  ['criteria', 'check', 'x'.repeat(300)],
  ['proof', 'show', 'T-1', '--attempt', 'first'],
])('%s %s %s: what can be no file, or no number, is no defect', (...words) => {
  desk.repo.commit({ 'README.md': 'here\n' });
  if (lstatSync(join(desk.repo.top, 'loop'), { throwIfNoEntry: false }) === undefined)
    symlinkSync('loop', join(desk.repo.top, 'loop'));
  const said = documentOf(desk.run('--json', ...words));
  expect(said.ok).toBe(false);
  expect([2, 3, 5]).toContain(said.code);
});

it('prints no colours where NO_COLOR is set or nobody looks, and some where they are asked for', () => {
  const failing = ['show', 'T-99'];
  const start = '\u001b[';
  expect(desk.run(...failing).err).not.toContain(start);
  expect(desk.runIn(desk.repo.top, failing, { FORCE_COLOR: '1' }).err).toContain(start);
  expect(desk.runIn(desk.repo.top, failing, { FORCE_COLOR: '1', NO_COLOR: '1' }).err).not.toContain(start);
  expect(desk.runIn(desk.repo.top, ['--no-color', ...failing], { FORCE_COLOR: '1' }).err).not.toContain(
    escape,
  );
  expect(desk.runIn(desk.repo.top, ['--json', 'doctor'], { FORCE_COLOR: '1' }).out).not.toContain(start);
});

it.each([
  ['init'],
  ['add', 'For JSON', '--list', 'json'],
  ['next'],
  ['list'],
  ['show', 'T-1'],
  ['log', 'T-1'],
  ['doctor'],
  ['actor', 'list'],
  ['actor', 'add', 'json-agent', '--role', 'specialist'],
  ['token', 'issue', 'json-agent'],
  ['token', 'list'],
  ['actor', 'roles', 'json-agent'],
  ['actor', 'retire', 'json-agent'],
  ['dispatch', 'T-1', '--to', 'ada'],
  ['start', 'T-1'],
  ['release', 'T-1'],
  ['claim', 'T-1', '--no-change'],
  ['verify', 'T-1'],
  ['ack', 'T-1'],
  ['retry', 'T-1'],
  ['complete', 'T-1'],
  ['report', 'T-1', '--approve'],
  ['follow-up', 'T-1', 'More'],
  ['import', 'todo', '.countersign/config.yaml'],
  ['criteria', 'list'],
  ['criteria', 'show'],
  ['criteria', 'check', '.countersign/criteria/default.yaml'],
  ['criteria', 'adopt', 'default'],
  ['protocol', 'list'],
  ['protocol', 'show', 'two-phase', '--format', 'json'],
  ['protocol', 'check', 'two-phase', '--cap', '10'],
  ['config', 'show', '--origin'],
  ['completion', 'bash'],
])('%s %s: --json answers one document and a documented code', (...words) => {
  const said = documentOf(desk.run('--json', ...words));
  expect(said.ok).toBe(said.code === 0 || (words[0] === 'verify' && said.ok));
  expect([0, 2, 3, 4, 5, 6, 7]).toContain(said.code);
  if (!said.ok) expect(said.error.message).not.toBe('');
});

it.each([
  [[], { ok: false, code: 2, error: { code: 'usage', message: 'no command was given' } }],
  [['help'], { ok: true, code: 0, data: { help: expect.stringContaining('Exit codes') } }],
  [['list', '--help'], { ok: true, code: 0, data: { help: expect.stringContaining('--limit') } }],
  [['--version'], { ok: true, code: 0, data: { version: '0.0.0-test' } }],
  [['export', '--todo'], { ok: true, code: 0, data: { items: expect.any(Array) } }],
  [['export'], { ok: false, code: 2, error: { hint: 'countersign export --json --output FILE' } }],
])('--json with %j alone answers one document as well', (words, document) => {
  expect(documentOf(desk.run('--json', ...words))).toMatchObject(document);
  expect(documentOf(desk.run(...words, '--json'))).toMatchObject(document);
});

it('is written in ASCII, as the start file reads it', () => {
  const folder = dirname(program.path);
  const packs = readdirSync(folder).filter((name) => name.endsWith('.cjs'));
  const isPlain = (name: string) => readFileSync(join(folder, name)).every((byte) => byte < 128);
  expect([packs.length > 10, packs.filter((name) => !isPlain(name))]).toEqual([true, []]);
});
