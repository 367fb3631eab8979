import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSession, type Session } from '../session.ts';
import { bring, DEVELOPER } from './bring.ts';

// Nobody is led into a run that can only fail: what has to be said of a claim comes before its verification.
const CRITERIA = `schema: countersign/criteria/1
name: default
checks:
  - {id: there, kind: file, path: work.txt}
  - {id: change, kind: diff, protected: [guarded.txt]}
  - {id: reviewed, kind: review}
`;

const WORK = { 'work.txt': 'done\n', 'src/a.js': 'export {};\n' };

let s: Session;
beforeEach(async () => {
  s = await openSession({ criteria: CRITERIA, files: { 'guarded.txt': 'a\n' } });
});
afterEach(() => s.close());

const claim = async (files: Readonly<Record<string, string>>) => {
  const id = await bring(s, 'in_progress');
  s.repo.commit(files);
  return { id, said: await s.text(DEVELOPER, 'claim', id) };
};
const nextFor = async (actor: string) =>
  (await s.say(actor, 'next')).data.next as readonly { command: string; commands: readonly string[] }[];

test('a claim says at once which words its checks wait for, and next repeats it until they are given', async () => {
  const { id, said } = await claim({ ...WORK, 'guarded.txt': 'b\n' });
  const [first, second] = said.out.split('\n').filter((line) => line.startsWith('next: '));
  expect([first, second].join('\n')).toMatch(/sign-off/);
  expect([first, second].join('\n')).toMatch(/review/);
  const [told] = await nextFor('verification-agent');
  expect(told?.commands.at(-1)).toContain(`verify ${id}`);
  expect(told?.command).not.toContain('verify');
  for (const words of [
    ['sign-off', id],
    ['review', id, '--approve'],
  ])
    expect((await s.say('verification-agent', ...words)).code).toBe(0);
  expect((await nextFor('verification-agent'))[0]?.command).toContain(`verify ${id}`);
  expect((await s.say('verification-agent', 'verify', id)).code).toBe(0);
});

test('where only one word is missing only that one is asked for', async () => {
  const { said } = await claim(WORK);
  expect(said.out).toContain('next: countersign review');
  expect(said.out).not.toContain('sign-off');
});

test('the work of somebody who has left is to be taken back', async () => {
  const id = await bring(s, 'in_progress');
  await s.say('', 'actor', 'retire', DEVELOPER);
  expect((await nextFor('orchestrator'))[0]?.command).toContain(`release ${id}`);
});

test('the quality verdict stands where the others do', async () => {
  const { id } = await claim(WORK);
  await s.say('verification-agent', 'review', id, '--approve');
  await s.say('verification-agent', 'verify', id);
  await s.say('quality-validator', 'report', id, '--reject', '--finding', 'no tests');
  expect((await s.text('', 'show', id)).out).toContain(
    'quality         rejected by quality-validator: no tests',
  );
});
