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
    expect(denied(todo(` write the MANUAL ${h.turn} `))).toContain('not verified');
    expect(todo(`Write the manual ${h.turn} of something else`)).toMatchObject(nothing);
  });

  test('other entries, and other statuses, are none of ours', async () => {
    const id = await h.bring('claimed');
    expect(todo('Buy milk')).toMatchObject(nothing);
    expect(todo(id, 'in_progress')).toMatchObject(nothing);
    expect(todo('T-99999')).toMatchObject(nothing);
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

describe('PreToolUse on the shell', () => {
  const bash = (command: string, more: object = {}) => h.uses('Bash', { command, description: 'x' }, more);

  test.each([
    'echo x > .git/countersign/store.db',
    'echo x >>.git/countersign/store.db',
    'rm -rf .git/countersign',
    "sqlite3 .git/countersign/store.db 'update items set state=1'",
    'cp /tmp/a .git/countersign/store.db',
    'true && cat a | tee .git/countersign/store.db',
    'cd .git && mv countersign /tmp/gone',
    "sed -i s/a/b/ '.git/countersign/store.db'",
    'dd if=/dev/zero of=.git/countersign/store.db',
    `python3 -c "open('.git/countersign/store.db','w')"`,
    'echo $(rm .git/countersign/store.db)',
  ])('the store is not written by: %s', (command) => {
    expect(denied(bash(command))).toContain('written by Countersign alone');
  });

  test.each([
    'ls -la .git/countersign',
    'npm test > out.txt 2>&1',
    'git status && git diff',
    'echo "a > b"',
    'cat <<EOF > notes.md\nhi\nEOF',
  ])('nobody is kept from: %s', async (command) => {
    await h.bound('in_progress');
    expect(bash(command)).toMatchObject(nothing);
  });

  test('the criteria and the hooks are not written by the shell while an item is worked on', async () => {
    const line = 'sed -i s/90/10/ .countersign/criteria/default.yaml';
    expect(bash(line)).toMatchObject(nothing);
    await h.bound('in_progress');
    expect(denied(bash(line))).toContain('criteria');
    expect(denied(bash("jq 'del(.hooks)' .claude/settings.json > .claude/settings.json"))).toContain('Hooks');
    expect(bash('cat .countersign/criteria/default.yaml')).toMatchObject(nothing);
  });

  test('a session acts as its own actor, and does not call hooks', () => {
    expect(denied(bash('countersign --actor verification-agent verify T-1'))).toContain(
      'works as swiftui-developer',
    );
    expect(denied(bash('COUNTERSIGN_ACTOR=verification-agent countersign verify T-1'))).toContain('not as');
    expect(denied(bash('COUNTERSIGN_ACTOR= npx countersign complete T-1'))).toContain('a person');
    expect(denied(bash('export COUNTERSIGN_ACTOR=verification-agent; ./x.sh'))).toContain('not as');
    expect(denied(bash('unset COUNTERSIGN_ACTOR && countersign complete T-1'))).toContain('a person');
    expect(denied(bash('time npx countersign --actor verification-agent verify T-1'))).toContain('not as');
    expect(denied(bash('echo {} | countersign-hook claude-code'))).toContain('coding agent');
    expect(bash('countersign --actor swiftui-developer next')).toMatchObject(nothing);
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
