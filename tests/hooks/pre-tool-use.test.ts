import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { denied, hooksOfASession, nothing } from './hooks-of-a-session.ts';

const h = hooksOfASession();

describe('PreToolUse on todo and task tools', () => {
  const todo = (content: string, status = 'completed') =>
    h.uses('TodoWrite', { todos: [{ content, status, activeForm: 'Working' }] });

  test.each(['pending', 'in_progress', 'claimed', 'blocked'] as const)(
    '2PC-28, 2PC-94: an item that is %s cannot be marked as completed',
    async (state) => {
      const id = await h.bring(state);
      const before = await h.s.snapshot(id);
      const said = todo(`${id}: implement it`);
      expect(said.code).toBe(0);
      expect(said.said?.hookSpecificOutput).toMatchObject({
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
      });
      expect(denied(said)).toContain(
        `${id} (Implement login screen) is ${state.toUpperCase()}, not verified`,
      );
      expect(await h.s.snapshot(id)).toBe(before);
    },
  );

  test.each(['verified', 'completed'] as const)('one that is %s can', async (state) => {
    const id = await h.bring(state);
    expect(todo(id)).toMatchObject(nothing);
  });

  test('2PC-94: an item is known by its very title as well', async () => {
    await h.s.say('orchestrator', 'add', `Write the manual ${h.turn}`, '--list', `list-${h.turn}`);
    // To a session without an item it is nobody's: its own entry may be called alike.
    expect(todo(` write the MANUAL ${h.turn} `)).toMatchObject(nothing);
    await h.bound('in_progress');
    expect(denied(todo(` write the MANUAL ${h.turn} `))).toContain('not verified');
    expect(todo(`Write the manual ${h.turn} of something else`)).toMatchObject(nothing);
  });

  test('other entries, and other statuses, are none of ours', async () => {
    const id = await h.bring('claimed');
    expect(todo('Buy milk')).toMatchObject(nothing);
    expect(todo(id, 'in_progress')).toMatchObject(nothing);
    expect(todo('T-99999')).toMatchObject(nothing);
  });

  test('a word with a number is no item', async () => {
    const number = (await h.bound('claimed')).slice(2);
    for (const word of ['SHA', 'Step', 'UTF', 'PR', 'GPT', 'A-T', 'JIRA-T'])
      expect(todo(`Do the ${word}-${number} thing`)).toMatchObject(nothing);
    for (const word of ['T', 'TASK', 'task', 'TASK-0'])
      expect(denied(todo(`Do ${word}-${number}`.replace('0-', '0')))).toContain('not verified');
  });

  test('a task is known by what its metadata or subject names', async () => {
    const id = await h.bring('claimed');
    const update = (more: object) => h.uses('TaskUpdate', { taskId: '3', status: 'completed', ...more });
    expect(denied(update({ metadata: { countersign: id } }))).toContain('not verified');
    expect(denied(update({ subject: `Do ${id}` }))).toContain('not verified');
    expect(update({ subject: 'Else' })).toMatchObject(nothing);
  });

  test('TaskCompleted keeps the task open by exit code 2', async () => {
    const id = await h.bring('claimed');
    const told = h.fire({ hook_event_name: 'TaskCompleted', task_id: '3', task_subject: `Finish ${id}` });
    expect([told.code, told.stdout]).toEqual([2, '']);
    expect(told.stderr).toContain('not verified');
  });
});

describe('PreToolUse on files', () => {
  const writes = (path: string) => h.uses('Write', { file_path: path, content: 'x' });
  const store = () => join(h.s.repo.top, '.git/countersign/store.db');

  test('the store and the credentials are never an agent’s to write', () => {
    expect(denied(writes(store()))).toContain('written by Countersign alone');
    expect(
      denied(h.uses('Edit', { file_path: join(h.s.repo.root, 'state/countersign/x/tokens/a') })),
    ).toContain('Tokens');
  });

  test.each([
    ['relative', () => '.git/countersign/store.db'],
    ['with dots', () => join(h.s.repo.top, 'src/../.git/./countersign/store.db')],
    [
      'through a link',
      () => {
        mkdirSync(join(h.s.repo.root, `links-${h.turn}`));
        symlinkSync(join(h.s.repo.top, '.git'), join(h.s.repo.root, `links-${h.turn}`, 'harmless'));
        return join(h.s.repo.root, `links-${h.turn}`, 'harmless/countersign/new.db');
      },
    ],
  ])('also by a path that is %s', (_, path) => {
    expect(denied(writes(path()))).toContain('written by Countersign alone');
  });

  test.each(['.countersign/criteria/default.yaml', '.claude/settings.json', '.mcp.json'])(
    '%s is left alone while this session works on an item, and only then',
    async (path) => {
      expect(writes(path)).toMatchObject(nothing);
      await h.bound('in_progress');
      expect(denied(writes(path))).not.toBe('');
      expect(writes('src/main.js')).toMatchObject(nothing);
    },
  );

  test('another session’s item is no reason', async () => {
    await h.bound('in_progress');
    h.session = 'somebody-else';
    expect(writes('.countersign/config.yaml')).toMatchObject(nothing);
  });
});

describe('PreToolUse in other working trees of the repository', () => {
  test('rules and hooks are left alone there too while an item is worked on', async () => {
    const linked = join(h.s.repo.root, `linked-${h.turn}`);
    h.s.repo.git('worktree', 'add', '-q', '--detach', linked);
    const files = [join(linked, '.countersign/config.yaml'), join(linked, '.claude/settings.local.json')];
    const write = (file_path: string) => h.uses('Write', { file_path, content: 'x' });
    for (const file of files) expect(write(file)).toMatchObject(nothing);
    await h.bound('in_progress');
    for (const file of files) expect(denied(write(file))).not.toBe('');
    expect(write(join(linked, 'src/a.js'))).toMatchObject(nothing);
    const inner = (file_path: string) => h.uses('Write', { file_path, content: 'x' }, { cwd: linked });
    expect(denied(inner(join(h.s.repo.top, '.countersign/config.yaml')))).toContain('criteria');
    const gone = { command: `rm -rf '${join(h.s.repo.top, '.countersign')}'` };
    expect(denied(h.uses('Bash', gone, { cwd: linked }))).toContain('criteria');
  });
});

describe('PreToolUse on our own servers', () => {
  test('a name that every object inherits binds nothing', () => {
    expect(h.uses('mcp__countersign____proto__', { item: 'T-7' })).toMatchObject(nothing);
    expect(h.stops()).toMatchObject(nothing);
    expect(readdirSync(join(h.s.repo.top, '.git/countersign/sessions')).join()).not.toContain('T-7.');
  });

  test('who builds does not use the verifier’s server, and the verifier does', () => {
    const tool = 'mcp__countersign-verifier__item_verify';
    expect(denied(h.uses(tool, { item: 'T-1' }))).toContain('who builds does not confirm');
    expect(
      denied(h.uses(tool, { item: 'T-1' }, { agent_id: 'a1', agent_type: 'general-purpose' })),
    ).toContain('countersign-verifier');
    const verifier = { agent_id: 'a2', agent_type: 'countersign-verifier' };
    expect(h.uses(tool, { item: 'T-1' }, verifier)).toMatchObject(nothing);
    expect(denied(h.uses('mcp__countersign__item_claim', { item: 'T-1' }, verifier))).toContain(
      'what others built',
    );
    expect(denied(h.uses('mcp__plugin_countersign_countersign-verifier__item_verify', {}))).not.toBe('');
  });

  test('an agent of the plugin is known by the name that Claude Code gives it', () => {
    const server = 'mcp__plugin_countersign_countersign';
    const verifier = { agent_id: 'a2', agent_type: 'countersign:countersign-verifier' };
    expect(h.uses(`${server}-verifier__item_verify`, { item: 'T-1' }, verifier)).toMatchObject(nothing);
    expect(denied(h.uses(`${server}__item_claim`, { item: 'T-1' }, verifier))).toContain('what others built');
    const other = { agent_id: 'a3', agent_type: 'other:countersign-verifier' };
    expect(denied(h.uses(`${server}-verifier__item_verify`, { item: 'T-1' }, other))).not.toBe('');
  });
});
