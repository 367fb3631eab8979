import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openSession, type Session } from '../session.ts';
import { bring, DEVELOPER, work } from './bring.ts';

// What an item demands is settled when it is opened.
let s: Session;
afterEach(() => s.close());

/** Commits another configuration on the default branch, as a person would merge it. */
function reconfigure(config: string): void {
  s.repo.git('checkout', '-q', 'main');
  s.repo.commit({ '.countersign/config.yaml': config });
  s.repo.git('checkout', '-q', 'work');
}

test('a setting is pinned when the item is opened: a later one holds for later items only', async () => {
  s = await openSession({ config: 'settings: {acknowledge: orchestrator, quality_validation: true}\n' });
  const strict = await bring(s, 'verified');
  reconfigure('settings: {acknowledge: orchestrator, quality_validation: false}\n');
  expect((await s.say('orchestrator', 'complete', strict)).code).toBe(3);
  const loose = await bring(s, 'verified', '--list', 'b');
  expect((await s.say('orchestrator', 'complete', loose)).code).toBe(0);
  reconfigure('settings: {acknowledge: user}\n');
  const blocked = await bring(s, 'blocked', '--list', 'c');
  reconfigure('settings: {acknowledge: orchestrator}\n');
  expect((await s.say('orchestrator', 'ack', blocked)).code).toBe(3);
});

test('what follows an item, or takes its place, is asked for what the project demands since, and never for less', async () => {
  s = await openSession();
  const rejected = await bring(s, 'verified', '--independence', 'sibling');
  expect((await s.say('quality-validator', 'report', rejected, '--reject', '--finding', 'bare')).code).toBe(
    0,
  );
  const strict = await bring(s, 'pending', '--list', 'b', '--independence', 'human');
  reconfigure('settings: {quality_validation: true, independence: other-lineage}\n');
  const next = await s.say('orchestrator', 'follow-up', rejected, 'Again');
  expect(next.err).toBe('');
  expect((await s.say('', 'show', next.data.id)).data.settings).toMatchObject({
    quality_validation: true,
    independence: 'other-lineage',
  });
  const moved = await s.say('', 'protocol', 'migrate', strict, '--to', 'lifecycle', '--reason', 'a plan');
  expect((await s.say('', 'show', (moved.data.to as { id: string }).id)).data.settings).toMatchObject({
    independence: 'human',
  });
  const loose = await s.say('', 'protocol', 'migrate', next.data.id, '--to', 'lifecycle', '--reason', 'x');
  expect((await s.say('', 'show', (loose.data.to as { id: string }).id)).data.settings).toMatchObject({
    independence: 'other-lineage',
  });
});

test('a configuration that is not on the default branch, or not committed, is none', async () => {
  s = await openSession({ config: '' });
  s.repo.commit({ '.countersign/config.yaml': 'settings: {acknowledge: orchestrator}\n' });
  expect((await s.say('', 'show', await bring(s, 'pending'))).data.settings).toMatchObject({
    acknowledge: 'user',
  });
});

test('demands and criteria that the repository lacks, as a partial clone does, are not taken for none', async () => {
  s = await openSession({ config: 'settings: {independence: other-lineage}\n' });
  const claimed = await bring(s, 'in_progress');
  const away = (path: string) => {
    const id = s.repo.git('rev-parse', `main:${path}`);
    const file = join(s.repo.top, '.git/objects', id.slice(0, 2), id.slice(2));
    renameSync(file, join(s.repo.root, 'object'));
    return () => renameSync(join(s.repo.root, 'object'), file);
  };
  const back = away('.countersign/config.yaml');
  const refused = await s.say('', 'add', 'Work');
  expect(refused).toMatchObject({ code: 8, error: { code: 'MISSING_OBJECT' } });
  expect(refused.error.message).toContain('git show');
  back();
  work(s);
  away('.countersign/criteria/default.yaml');
  expect(await s.say(DEVELOPER, 'claim', claimed)).toMatchObject({
    code: 8,
    error: { code: 'MISSING_OBJECT' },
  });
});

test('an item may ask for more than the project, never for less', async () => {
  s = await openSession({ config: 'settings: {acknowledge: orchestrator, independence: other-lineage}\n' });
  for (const level of ['automated', 'sibling']) {
    expect((await s.say('orchestrator', 'add', 'Less', '--independence', level)).code).toBe(2);
  }
  expect((await s.say('orchestrator', 'add', 'More', '--independence', 'human')).code).toBe(0);
  expect((await s.say('orchestrator', 'add', 'Nonsense', '--independence', 'total')).code).toBe(2);
});

test('a misspelt demand in the configuration is an error, not a silent one', async () => {
  s = await openSession({ config: 'settings: {quality_validaton: true}\n' });
  expect((await s.say('orchestrator', 'add', 'Anything')).code).toBe(2);
});

test('siblings satisfy "sibling" and not "other-lineage"', async () => {
  s = await openSession();
  await s.register('lead', ['workflow-orchestrator']);
  await s.register('one', ['specialist'], 'lead');
  await s.register('two', ['verification-agent'], 'lead');
  for (const [level, code] of [
    ['sibling', 0],
    ['other-lineage', 3],
  ] as const) {
    const id = await bring(s, 'pending', '--independence', level, '--list', level);
    work(s);
    await s.say('one', 'claim', id);
    expect([level, (await s.say('two', 'verify', id)).code]).toEqual([level, code]);
  }
});

test('the order of claims is the order of the log: a claim of another is no claim of mine', async () => {
  s = await openSession();
  const id = await bring(s, 'claimed');
  work(s);
  expect((await s.say(DEVELOPER, 'claim', id)).code).toBe(6);
});
