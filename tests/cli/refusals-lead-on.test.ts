import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSession, type Session } from '../session.ts';
import { bring, DEVELOPER } from '../two-phase/bring.ts';

// A refusal ends in a command that works as it stands, in plain words.
let s: Session;
beforeEach(async () => {
  s = await openSession();
});
afterEach(() => s.close());

it('leads from a completed item to new work, whatever was asked of it', async () => {
  const id = await bring(s, 'completed');
  const own = `countersign --actor orchestrator follow-up ${id} "TITLE"`;
  for (const command of ['complete', 'retry', 'release', 'claim', 'verify']) {
    const refused = await s.say('orchestrator', command, id);
    expect([command, refused.code, refused.error.next]).toEqual([command, 6, [own]]);
  }
  const others = `countersign follow-up ${id} "TITLE"  [workflow-orchestrator or human (ada, orchestrator)]`;
  expect((await s.say(DEVELOPER, 'claim', id)).error.next).toEqual([others]);
  expect((await s.say('', 'show', id)).data.next).toEqual([]);
});

it('leads from a verification that was to be undone to new work first, and on as well', async () => {
  const id = await bring(s, 'verified');
  expect((await s.say('orchestrator', 'retry', id)).error.next).toEqual([
    `countersign --actor orchestrator follow-up ${id} "TITLE"`,
    `countersign --actor orchestrator complete ${id}`,
  ]);
});

it('leads from an item that another took the place of to that one', async () => {
  const id = await bring(s, 'verified', '--quality');
  await s.say('quality-validator', 'report', id, '--reject', '--finding', 'slow');
  const { data } = await s.say('orchestrator', 'follow-up', id, 'Mend it');
  expect((await s.say('orchestrator', 'complete', id)).error.next).toEqual([
    `countersign --actor orchestrator show ${data.id}`,
  ]);
});

it('repeats the options of a claim, with those that it lacked', async () => {
  const id = await bring(s, 'in_progress');
  const own = `countersign --actor ${DEVELOPER} claim ${id}`;
  const hint = async (...words: readonly string[]) =>
    (await s.say(DEVELOPER, 'claim', id, ...words)).error.hint;
  expect(await hint('--no-change')).toBe(
    `name files with --evidence PATH; then ${own} --no-change --evidence PATH`,
  );
  expect(await hint('--no-change', '--commit', 'main')).toMatch(/--commit main --no-change --evidence PATH$/);
  expect(await hint('--evidence', 'my shot.png')).toMatch(/ claim \S+ --evidence 'my shot.png'$/);
  s.repo.commit({ 'work.txt': 'done\n' });
  expect(await hint('--no-change', '--evidence', 'work.txt')).toBe(
    `claim without --no-change; then ${own} --evidence work.txt`,
  );
});

it('speaks plain English of what is missing', async () => {
  const blocked = await bring(s, 'blocked');
  const report = await s.say('quality-validator', 'report', blocked, '--approve');
  expect(report.error.message).toBe('a quality verdict cannot be given while the item is blocked');
  const other = await bring(s, 'pending');
  const stopped = await s.text('orchestrator', 'dispatch', other, '--to', DEVELOPER);
  expect(stopped.err).toContain('1 in the list is blocked, and none may be: T-1');
  const claimed = await s.say('orchestrator', 'release', await bring(s, 'claimed', '--list', 'other'));
  expect(claimed.error.missing).toMatchObject([
    {
      because: 'there is no inconclusive run',
      fix: 'an inconclusive run saying INDETERMINATE is needed',
    },
  ]);
});

it('says what helps for values that do not fit', async () => {
  expect((await s.say('', 'list', '--limit', 'ten')).error.hint).toBe('countersign list --limit 50');
  expect((await s.say('', 'list', '--after', '-1')).error.hint).toBe('countersign list --after 0');
  expect((await s.say('', 'actor', 'add', 'Not An Id')).error.hint).toContain('choose a name like');
  expect((await s.say('', 'actor', 'add', 'engine')).error.hint).toBe('choose another name');
  const folder = await s.say('', 'add', 'Work', '--acceptance', '/tmp');
  expect([folder.code, folder.error.message, folder.error.hint]).toEqual([
    2,
    '/tmp is not a file',
    'name a file with examples: --acceptance FILE',
  ]);
});

it.each(['settings: [', 'nonsense: 1', 'projections: {todo: ../out}'])(
  'says where to mend a configuration of %s',
  async (config) => {
    s.close();
    s = await openSession({ config });
    const said = await s.say('', 'add', 'Work');
    expect([said.code, said.error.hint]).toEqual([
      2,
      'mend .countersign/config.yaml and commit it to the default branch',
    ]);
  },
);
