import { expect, it } from 'vitest';
import { checkKinds } from '../../src/runner/checks/index.ts';
import { eachAtADesk } from './each-desk.ts';
import type { Desk } from './program.ts';

let desk: Desk;
eachAtADesk((opened) => {
  desk = opened;
});

it('prints the page that the package carries, and where the parts are', () => {
  const { code, out } = desk.run('criteria', 'format');
  expect(code).toBe(0);
  expect(out).toContain('# Criteria files');
  expect(out).toContain('schema: countersign/criteria/1');
  for (const kind of checkKinds) expect(out).toContain(`countersign criteria format ${kind}\n`);
});

it.each([...checkKinds, 'acceptance'])('prints the keys of %s, and of nothing else', (part) => {
  const { code, data } = desk.say('criteria', 'format', part);
  const text = String(data.text);
  expect([code, data.part]).toEqual([0, part]);
  expect(text).toMatch(new RegExp(`^#.*${part}`, 'i'));
  expect(text.match(/^## /gm)?.length ?? 0).toBeLessThanOrEqual(1);
});

it('knows what was meant by a misspelt part', () => {
  const { code, error } = desk.say('criteria', 'format', 'mutaton');
  expect([code, error.code, error.message]).toEqual([
    2,
    'BAD_INPUT',
    'there is no part mutaton of a criteria file; did you mean mutation?',
  ]);
});

it.each([
  ['a key', '{id: a, kind: artifact, pack: npm, exampels: x}', 'is not a known key; did you mean examples?'],
  ['a key of all checks', '{id: a, kind: approval, onwer: ada}', 'is not a known key; did you mean owner?'],
  ['a kind', '{id: a, kind: mutatoin, of: t}', 'review, approval; did you mean mutation?'],
  [
    'a control',
    '{id: a, kind: tests, run: [t], report: {format: tap}, controls: [cannary]}',
    'not cannary; did you mean canary?',
  ],
  ['a format', '{id: a, kind: tests, run: [t], report: {format: vitset}}', 'did you mean vitest?'],
])('says what was meant by %s, and where the format is described', (_, check, problem) => {
  const text = `schema: countersign/criteria/1\nname: default\nchecks:\n  - ${check}\n`;
  desk.repo.write('tried.yaml', text);
  const told = desk.run('criteria', 'check', './tried.yaml');
  expect(told.code).toBe(2);
  expect(told.err).toContain(problem);
  expect(told.err).toContain('next: the format: countersign criteria format\n');
});
