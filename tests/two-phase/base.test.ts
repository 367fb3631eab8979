import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callerOf } from '../../src/engine/credential.ts';
import { adoptCriteria, adoptionOf } from '../../src/engine/criteria.ts';
import { loadItem } from '../../src/engine/handle.ts';
import { openSession, type Session } from '../session.ts';
import { DEVELOPER } from './bring.ts';

// Whoever builds does not choose what the work is compared with, nor the criteria that judge it.
const PATH = '.countersign/criteria/default.yaml';
const asks = (file: string) =>
  `schema: countersign/criteria/1\nname: default\nchecks:\n  - {id: there, kind: file, path: ${file}}\n`;

let s: Session;
beforeEach(async () => {
  s = await openSession({ criteria: asks('easy.txt'), files: { 'easy.txt': 'there\n' } });
});
afterEach(() => s.close());

/** Checks out a branch made anew from a commit. */
const branch = (name: string, from = 'main') => s.repo.git('checkout', '-q', '-B', name, from);

function onMain(files: Readonly<Record<string, string>>): void {
  s.repo.git('checkout', '-q', 'main');
  s.repo.commit(files);
}

const strict = () => onMain({ [PATH]: asks('hard.txt') });
const add = async () => (await s.say('orchestrator', 'add', 'Do the hard thing')).data.id;

async function verdict(id: string): Promise<number> {
  expect((await s.say(DEVELOPER, 'claim', id)).code).toBe(0);
  return (await s.say('verification-agent', 'verify', id)).code;
}

test('work that branches off before stricter criteria is judged by the stricter ones', async () => {
  const old = s.repo.git('rev-parse', 'main');
  strict();
  const id = await add();
  await s.say('orchestrator', 'dispatch', id, '--to', DEVELOPER);
  branch('old', old);
  await s.say(DEVELOPER, 'start', id);
  s.repo.commit({ 'junk.txt': 'junk\n' });
  expect(await verdict(id)).toBe(4);
});

test('starting again does not move the base', async () => {
  const old = s.repo.git('rev-parse', 'main');
  onMain({ 'other.txt': 'other\n' });
  const id = await add();
  await s.say('orchestrator', 'dispatch', id, '--to', DEVELOPER);
  branch('work');
  await s.say(DEVELOPER, 'start', id);
  branch('older', old);
  s.repo.commit({ 'junk.txt': 'junk\n' });
  await s.say(DEVELOPER, 'start', id);
  const refused = await s.say(DEVELOPER, 'claim', id);
  expect(refused.code).toBe(3);
  expect(refused.error.missing[0]?.because).toContain('does not contain the base');
});

test('a moved pointer to the default branch changes nothing for an item that is open', async () => {
  strict();
  const id = await add();
  branch('evil');
  s.repo.commit({ [PATH]: asks('easy.txt') });
  s.repo.git('update-ref', 'refs/remotes/origin/evil', 'HEAD');
  s.repo.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/evil');
  s.repo.commit({ 'junk.txt': 'junk\n' });
  expect(await verdict(id)).toBe(4);
});

test('where the default branch is that of a remote, moving the local one of the same name changes nothing', async () => {
  strict();
  s.repo.git('update-ref', 'refs/remotes/origin/main', 'main');
  s.repo.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
  const id = await add();
  branch('evil');
  s.repo.commit({ [PATH]: asks('easy.txt') });
  s.repo.git('branch', '-f', 'main', 'evil');
  s.repo.commit({ 'junk.txt': 'junk\n' });
  expect(await verdict(id)).toBe(4);
});

test('a claim that froze usable criteria is judged by them, whatever is adopted later', async () => {
  strict();
  const id = await add();
  branch('work');
  s.repo.commit({ 'junk.txt': 'junk\n' });
  expect((await s.say(DEVELOPER, 'claim', id)).code).toBe(0);
  branch('side');
  await adopt(s.repo.commit({ [PATH]: asks('easy.txt') }));
  expect((await s.say('verification-agent', 'verify', id)).code).toBe(4);
});

test('honest work on newer criteria is judged by the newer ones', async () => {
  const id = await add();
  strict();
  branch('work');
  s.repo.commit({ 'hard.txt': 'done\n' });
  expect(await verdict(id)).toBe(0);
});

/** As a person adopts criteria at a terminal; the channel itself is proven elsewhere. */
async function adopt(commit: string): Promise<void> {
  await s.with(async (opened) => {
    const criteria = adoptionOf(opened.ports, 'default', commit);
    const proof = { id: createHash('sha256').update(commit).digest('hex'), digest: criteria.digest };
    const more = { purpose: 'adopt', at: s.now(), channel: 'terminal' };
    await adoptCriteria(
      opened.ports,
      { ...(await callerOf(opened, '')), proof: { ...proof, ...more } },
      criteria,
    );
  });
}

test('adopted criteria serve where the base has none, and never outrank those of a later base', async () => {
  s.repo.git('checkout', '-q', 'main');
  s.repo.git('rm', '-q', PATH);
  s.repo.git('commit', '-q', '-m', 'no criteria');
  const first = await add();
  branch('side');
  await adopt(s.repo.commit({ [PATH]: asks('easy.txt') }));
  expect(await verdict(first)).toBe(0);
  s.repo.git('checkout', '-q', 'main');
  strict();
  const second = await add();
  branch('work');
  s.repo.commit({ 'junk.txt': 'junk\n' });
  expect(await verdict(second)).toBe(4);
});

test('what was adopted is kept, also when its commit is gone', async () => {
  s.repo.git('checkout', '-q', 'main');
  s.repo.git('rm', '-q', PATH);
  s.repo.git('commit', '-q', '-m', 'no criteria');
  branch('side');
  await adopt(s.repo.commit({ [PATH]: asks('easy.txt') }));
  s.repo.git('checkout', '-q', 'main');
  s.repo.git('branch', '-q', '-D', 'side');
  s.repo.git('reflog', 'expire', '--expire=now', '--all');
  s.repo.git('gc', '-q', '--prune=now');
  const id = await add();
  branch('work');
  s.repo.commit({ 'junk.txt': 'junk\n' });
  expect(await verdict(id)).toBe(0);
});

test('a default branch that is gone when the work is claimed is asked for, never replaced', async () => {
  strict();
  const id = await add();
  await s.say('orchestrator', 'dispatch', id, '--to', DEVELOPER);
  branch('work');
  s.repo.commit({ [PATH]: asks('easy.txt') });
  const easier = s.repo.commit({ 'junk.txt': 'junk\n' });
  s.repo.git('checkout', '-q', 'HEAD~1');
  s.repo.git('branch', '-m', 'main', 'away');
  const refused = await s.say(DEVELOPER, 'claim', id, '--commit', easier);
  expect(refused.code).not.toBe(0);
  expect(refused.error.message).toContain('opened against the branch main');
  s.repo.git('branch', '-m', 'away', 'main');
  expect((await s.say(DEVELOPER, 'claim', id, '--commit', easier)).code).toBe(0);
  expect((await s.say('verification-agent', 'verify', id)).code).toBe(4);
});

test('where no branch has a known name the one that was checked out counts, whatever is checked out later', async () => {
  strict();
  s.repo.git('branch', '-m', 'main', 'trunk');
  const id = await add();
  await s.say('orchestrator', 'dispatch', id, '--to', DEVELOPER);
  branch('work', 'trunk');
  s.repo.commit({ [PATH]: asks('easy.txt') });
  s.repo.commit({ 'junk.txt': 'junk\n' });
  expect(await verdict(id)).toBe(4);
});

test('work that starts before the item was opened is judged by the criteria of then, on any branch', async () => {
  const old = s.repo.git('rev-parse', 'main');
  strict();
  s.repo.git('branch', '-m', 'main', 'trunk');
  const id = await add();
  await s.say('orchestrator', 'dispatch', id, '--to', DEVELOPER);
  branch('work', old);
  await s.say(DEVELOPER, 'start', id);
  s.repo.commit({ 'junk.txt': 'junk\n' });
  expect(await verdict(id)).toBe(4);
});

/** Work that has moved the default branch to easier criteria of its own; `before` is where that stood. */
async function onMovedMain() {
  strict();
  const before = s.repo.git('rev-parse', 'main');
  const id = await add();
  await s.say('orchestrator', 'dispatch', id, '--to', DEVELOPER);
  branch('work');
  s.repo.commit({ [PATH]: asks('easy.txt') });
  s.repo.git('branch', '-f', 'main', 'work');
  s.repo.commit({ 'junk.txt': 'junk\n' });
  return { id, before };
}

test('a default branch that was moved for the start and put back gives no base', async () => {
  const { id, before } = await onMovedMain();
  await s.say(DEVELOPER, 'start', id);
  expect((await s.say(DEVELOPER, 'claim', id)).code).toBe(0);
  s.repo.git('branch', '-f', 'main', before);
  const answer = await s.say('verification-agent', 'verify', id);
  expect(answer.code).toBe(3);
  expect(JSON.stringify(answer)).toContain('not in the history of main');
  // Nobody is stuck: the item is given back and begun anew, from what is there now.
  expect((await s.say('orchestrator', 'release', id)).code).toBe(0);
});

test('a default branch that was moved for the opening and put back gives no criteria', async () => {
  strict();
  const before = s.repo.git('rev-parse', 'main');
  branch('evil');
  s.repo.commit({ [PATH]: asks('easy.txt') });
  s.repo.git('branch', '-f', 'main', 'evil');
  const id = await add();
  s.repo.git('branch', '-f', 'main', before);
  branch('work', 'main');
  s.repo.commit({ 'junk.txt': 'junk\n' });
  expect((await s.say(DEVELOPER, 'claim', id)).code).toBe(0);
  const answer = await s.say('verification-agent', 'verify', id);
  expect(answer.code).toBe(3);
  expect(JSON.stringify(answer)).toContain('the criteria are of');
});

test('a rewritten default branch that says the same changes nothing for criteria of the opening', async () => {
  const id = await add();
  s.repo.git('checkout', '-q', 'main');
  s.repo.git('commit', '-q', '--amend', '-m', 'said better');
  branch('work', 'main');
  s.repo.commit({ 'more.txt': 'more\n' });
  expect(await verdict(id)).toBe(0);
});

test('work on the default branch is not charged with what others brought in before it was given out', async () => {
  const id = await add();
  onMain({ 'theirs.txt': 'theirs\n' });
  await s.say('orchestrator', 'dispatch', id, '--to', DEVELOPER);
  s.repo.commit({ 'early.txt': 'mine\n' });
  await s.say(DEVELOPER, 'start', id);
  s.repo.commit({ 'mine.txt': 'mine\n' });
  expect((await s.say(DEVELOPER, 'claim', id)).code).toBe(0);
  const claimed = await s.with(async (opened) => {
    const { item } = await loadItem(opened.ports, id);
    return item.steps.findLast(({ command }) => command === 'claim');
  });
  expect(claimed?.facts.changed).toBe(2);
});

test('who gives work to themselves after it is done has it counted; what others give out begins there', async () => {
  await s.register('solo', ['specialist', 'workflow-orchestrator']);
  const claimOn = async (giver: string) => {
    s.repo.git('checkout', '-q', 'main');
    const id = await add();
    s.repo.commit({ [`${giver}.txt`]: 'done\n' });
    await s.say(giver, 'dispatch', id, '--to', 'solo');
    return { id, said: await s.say('solo', 'claim', id) };
  };
  const own = await claimOn('solo');
  expect([own.said.code, own.said.data.changed ?? 1]).toEqual([0, 1]);
  const given = await claimOn('orchestrator');
  expect(given.said.error.missing[0]?.because).toContain('nothing changed');
  expect((await s.say('solo', 'release', given.id)).code).toBe(0);
  expect((await s.say('solo', 'claim', given.id)).code).toBe(0);
});

test('a default branch that is taken away for the verification vouches for nothing', async () => {
  const { id, before } = await onMovedMain();
  expect((await s.say(DEVELOPER, 'claim', id)).code).toBe(0);
  s.repo.git('branch', '-D', 'main');
  const answer = await s.say('verification-agent', 'verify', id);
  expect(answer.code).toBe(3);
  expect(JSON.stringify(answer)).toContain('is not here any more');
  s.repo.git('branch', 'main', before);
  expect((await s.say('orchestrator', 'release', id)).code).toBe(0);
});

test('a claimed commit that git has thrown away is inconclusive, and nobody is stuck', async () => {
  strict();
  const id = await add();
  await s.say('orchestrator', 'dispatch', id, '--to', DEVELOPER);
  branch('work');
  s.repo.commit({ 'junk.txt': 'junk\n' });
  expect((await s.say(DEVELOPER, 'claim', id)).code).toBe(0);
  s.repo.git('checkout', '-q', 'main');
  s.repo.git('branch', '-D', 'work');
  s.repo.git('reflog', 'expire', '--expire=now', '--all');
  s.repo.git('gc', '-q', '--prune=now');
  const answer = await s.say('verification-agent', 'verify', id);
  expect(answer.code).toBe(3);
  expect(JSON.stringify(answer)).toContain('is not in this repository any more');
  expect((await s.say('orchestrator', 'release', id)).code).toBe(0);
});
