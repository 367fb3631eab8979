import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openSession, type Session } from '../session.ts';
import { buildProgram, inProcess, inTerminal, type Program } from '../terminal.ts';
import { bring } from '../two-phase/bring.ts';

// The human channel: the shipped program in a real pseudo-terminal.
let program: Program;
let s: Session;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program.remove());
beforeEach(async () => {
  s = await openSession();
  // Before the machine's own clock, by which the program tells time.
  s.at(new Date(Date.now() - 3_600_000).toISOString());
});
afterEach(() => s.close());

const STRICTER = `schema: countersign/criteria/1
name: default
checks:
  - {id: help, kind: file, path: help.txt}
`;

test('a person reads both versions and types the code; without a terminal nothing is amended', async () => {
  const id = await bring(s, 'pending');
  s.repo.git('checkout', '-q', 'main');
  const commit = s.repo.commit({ '.countersign/criteria/default.yaml': STRICTER });
  const words = [
    'criteria',
    'amend',
    'default',
    '--item',
    id,
    '--from',
    commit,
    '--reason',
    'help was forgotten',
  ];
  expect((await inProcess(program, s, words)).code).toBe(7);
  const answer = await inTerminal(program, s, words, (code) => `${code}\r`);
  expect(answer).toMatchObject({ code: 0 });
  for (const part of ['contains: done', 'path: help.txt', 'until now', 'from the next claim on'])
    expect(answer.out).toContain(part);
  const amended = await s.with(({ ports }) => ports.store.read('criteria'));
  expect(amended.map(({ body }) => JSON.parse(body).data)).toMatchObject([
    { commit, reason: 'help was forgotten' },
  ]);
});
