import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openSession, type Session } from '../session.ts';
import { buildProgram, type Program } from '../terminal.ts';
import { bring, work } from '../two-phase/bring.ts';
import { hook } from './hook-program.ts';

// Payloads in the shapes that Claude Code documents, answered by real processes.
let program: Program;
let s: Session;
beforeAll(async () => {
  program = buildProgram();
  s = await openSession({
    config: 'settings: {halt_on_block: false}\n',
    agents: {
      orchestrator: ['workflow-orchestrator'],
      'swiftui-developer': ['specialist'],
      'verification-agent': ['verification-agent'],
    },
  });
});
afterAll(() => {
  program.remove();
  s.close();
});

let session = '';
let turn = 0;
beforeEach(() => {
  turn += 1;
  session = `5f0c1d2e-0000-4000-8000-${String(turn).padStart(12, '0')}`;
});

const base = () => ({
  session_id: session,
  transcript_path: '/home/a/.claude/projects/p/t.jsonl',
  cwd: s.repo.top,
  permission_mode: 'default',
});
const fire = (event: object, more: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) =>
  hook(
    program,
    { env: { ...s.env, ...more.env }, cwd: more.cwd ?? s.repo.top, actor: 'swiftui-developer' },
    { ...base(), ...event },
  );
const uses = (tool_name: string, tool_input: object, more: object = {}) =>
  fire({ hook_event_name: 'PreToolUse', tool_name, tool_input, tool_use_id: 'toolu_1', ...more });
const stops = (more: object = {}) =>
  fire({ hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: 'Done!', ...more });
const denied = (told: ReturnType<typeof hook>) =>
  told.said?.hookSpecificOutput?.permissionDecisionReason ?? '';
const nothing = { code: 0, stdout: '', stderr: '' };

/** An item in a state, in the hands of this session. */
async function bound(state: Parameters<typeof bring>[1], agent = ''): Promise<string> {
  const id = await bring(s, state, '--list', `list-${turn}`);
  const tool = 'mcp__countersign__item_claim';
  expect(uses(tool, { item: id }, agent === '' ? {} : { agent_id: agent })).toMatchObject(nothing);
  return id;
}

describe('PreToolUse on todo and task tools', () => {
  const todo = (content: string, status = 'completed') =>
    uses('TodoWrite', { todos: [{ content, status, activeForm: 'Working' }] });

  test.each(['pending', 'in_progress', 'claimed', 'blocked'] as const)(
    '2PC-28, 2PC-94: an item that is %s cannot be marked as completed',
    async (state) => {
      const id = await bring(s, state, '--list', `list-${turn}`);
      const before = await s.snapshot(id);
      const said = todo(`${id}: implement it`);
      expect(said.code).toBe(0);
      expect(said.said?.hookSpecificOutput).toMatchObject({
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
      });
      expect(denied(said)).toContain(
        `${id} (Implement login screen) is ${state.toUpperCase()}, not verified`,
      );
      expect(await s.snapshot(id)).toBe(before);
    },
  );

  test.each(['verified', 'completed'] as const)('one that is %s can', async (state) => {
    const id = await bring(s, state, '--list', `list-${turn}`);
    expect(todo(id)).toMatchObject(nothing);
  });

  test('2PC-94: an item is known by its very title as well', async () => {
    await s.say('orchestrator', 'add', `Write the manual ${turn}`, '--list', `list-${turn}`);
    expect(denied(todo(` write the MANUAL ${turn} `))).toContain('not verified');
    expect(todo(`Write the manual ${turn} of something else`)).toMatchObject(nothing);
  });

  test('other entries, and other statuses, are none of ours', async () => {
    const id = await bring(s, 'claimed', '--list', `list-${turn}`);
    expect(todo('Buy milk')).toMatchObject(nothing);
    expect(todo(id, 'in_progress')).toMatchObject(nothing);
    expect(todo('T-99999')).toMatchObject(nothing);
  });

  test('a task is known by what its metadata or subject names', async () => {
    const id = await bring(s, 'claimed', '--list', `list-${turn}`);
    const update = (more: object) => uses('TaskUpdate', { taskId: '3', status: 'completed', ...more });
    expect(denied(update({ metadata: { countersign: id } }))).toContain('not verified');
    expect(denied(update({ subject: `Do ${id}` }))).toContain('not verified');
    expect(update({ subject: 'Else' })).toMatchObject(nothing);
  });

  test('TaskCompleted keeps the task open by exit code 2', async () => {
    const id = await bring(s, 'claimed', '--list', `list-${turn}`);
    const told = fire({ hook_event_name: 'TaskCompleted', task_id: '3', task_subject: `Finish ${id}` });
    expect([told.code, told.stdout]).toEqual([2, '']);
    expect(told.stderr).toContain('not verified');
  });
});

describe('PreToolUse on files', () => {
  const writes = (path: string) => uses('Write', { file_path: path, content: 'x' });
  const store = () => join(s.repo.top, '.git/countersign/store.db');

  test('the store and the credentials are never an agent’s to write', () => {
    expect(denied(writes(store()))).toContain('written by Countersign alone');
    expect(denied(uses('Edit', { file_path: join(s.repo.root, 'state/countersign/x/tokens/a') }))).toContain(
      'Tokens',
    );
  });

  test.each([
    ['relative', () => '.git/countersign/store.db'],
    ['with dots', () => join(s.repo.top, 'src/../.git/./countersign/store.db')],
    [
      'through a link',
      () => {
        mkdirSync(join(s.repo.root, `links-${turn}`));
        symlinkSync(join(s.repo.top, '.git'), join(s.repo.root, `links-${turn}`, 'harmless'));
        return join(s.repo.root, `links-${turn}`, 'harmless/countersign/new.db');
      },
    ],
  ])('also by a path that is %s', (_, path) => {
    expect(denied(writes(path()))).toContain('written by Countersign alone');
  });

  test.each(['.countersign/criteria/default.yaml', '.claude/settings.json', '.mcp.json'])(
    '%s is left alone while this session works on an item, and only then',
    async (path) => {
      expect(writes(path)).toMatchObject(nothing);
      await bound('in_progress');
      expect(denied(writes(path))).not.toBe('');
      expect(writes('src/main.js')).toMatchObject(nothing);
    },
  );

  test('another session’s item is no reason', async () => {
    await bound('in_progress');
    session = 'somebody-else';
    expect(writes('.countersign/config.yaml')).toMatchObject(nothing);
  });
});

describe('PreToolUse on the shell', () => {
  const bash = (command: string, more: object = {}) => uses('Bash', { command, description: 'x' }, more);

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
    await bound('in_progress');
    expect(bash(command)).toMatchObject(nothing);
  });

  test('the criteria and the hooks are not written by the shell while an item is worked on', async () => {
    const line = 'sed -i s/90/10/ .countersign/criteria/default.yaml';
    expect(bash(line)).toMatchObject(nothing);
    await bound('in_progress');
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
  test('who builds does not use the verifier’s server, and the verifier does', () => {
    const tool = 'mcp__countersign-verifier__item_verify';
    expect(denied(uses(tool, { item: 'T-1' }))).toContain('who builds does not confirm');
    expect(denied(uses(tool, { item: 'T-1' }, { agent_id: 'a1', agent_type: 'general-purpose' }))).toContain(
      'countersign-verifier',
    );
    const verifier = { agent_id: 'a2', agent_type: 'countersign-verifier' };
    expect(uses(tool, { item: 'T-1' }, verifier)).toMatchObject(nothing);
    expect(denied(uses('mcp__countersign__item_claim', { item: 'T-1' }, verifier))).toContain(
      'what others built',
    );
    expect(denied(uses('mcp__plugin_countersign_countersign-verifier__item_verify', {}))).not.toBe('');
  });
});

describe('Stop', () => {
  test('a turn does not end on a claim of this session that nobody proved', async () => {
    const id = await bound('claimed');
    expect(stops()).toMatchObject({
      code: 0,
      said: { decision: 'block', reason: expect.stringContaining(`item_verify {"item":"${id}"}`) },
    });
  });

  test('nor on work that was begun and not claimed', async () => {
    const id = await bound('in_progress');
    expect(stops().said).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining(`item_claim {"item":"${id}"}`),
    });
  });

  test('it ends on what was verified, and on what is blocked', async () => {
    await bound('verified');
    await bound('blocked');
    expect(stops()).toMatchObject(nothing);
  });

  test('another session’s claim keeps nobody', async () => {
    await bound('claimed');
    session = 'somebody-else';
    expect(stops()).toMatchObject(nothing);
  });

  test('work that still runs behind the turn is waited for', async () => {
    await bound('claimed');
    expect(stops({ background_tasks: [{ id: 'b1' }] })).toMatchObject(nothing);
  });

  test('after three reminders a person is told and the turn ends; a new state begins anew', async () => {
    const id = await bound('in_progress');
    for (let n = 0; n < 3; n++) expect(stops({ stop_hook_active: n > 0 }).said?.decision).toBe('block');
    const last = stops({ stop_hook_active: true });
    expect(last.said).toEqual({
      systemMessage: expect.stringContaining(`${id} (Implement login screen) is IN_PROGRESS`),
    });
    work(s);
    await s.say('swiftui-developer', 'claim', id);
    expect(stops().said?.decision).toBe('block');
  });

  test('the sub-agent that builds has done its part with the claim; the one that verifies has not', async () => {
    const id = await bound('claimed', 'builder-1');
    const ends = (agent_id: string) =>
      fire({ hook_event_name: 'SubagentStop', agent_id, stop_hook_active: false });
    expect(ends('builder-1')).toMatchObject(nothing);
    const verifier = { agent_id: 'verifier-1', agent_type: 'countersign-verifier' };
    uses('mcp__countersign-verifier__item_verify', { item: id }, verifier);
    expect(ends('verifier-1').said).toMatchObject({ decision: 'block', reason: expect.stringContaining(id) });
    expect(ends('another')).toMatchObject(nothing);
    expect(stops().said?.decision).toBe('block');
  });

  test('a shell command binds an item like a call does', async () => {
    const id = await bring(s, 'claimed', '--list', `list-${turn}`);
    uses('Bash', { command: `npx countersign claim ${id}` });
    expect(stops().said?.decision).toBe('block');
  });
});

describe('SessionStart', () => {
  test('tells what stands and what is next, and whose shell it is', async () => {
    await bring(s, 'in_progress', '--list', `list-${turn}`);
    const file = join(s.repo.root, `env-${turn}`);
    const { said } = fire(
      { hook_event_name: 'SessionStart', source: 'startup', model: 'm' },
      { env: { CLAUDE_ENV_FILE: file } },
    );
    const text = said?.hookSpecificOutput?.additionalContext ?? '';
    expect(said?.hookSpecificOutput?.hookEventName).toBe('SessionStart');
    expect(text).toContain('You work as swiftui-developer (specialist)');
    expect(text).toContain('TASK BLOCKED: verification failed for T-');
    expect(text).toMatch(/ {2}next: countersign start T-\d+/);
    expect(readFileSync(file, 'utf8')).toBe('export COUNTERSIGN_ACTOR=swiftui-developer\n');
  });
});

describe('UserPromptSubmit, the human channel', () => {
  const prompts = (prompt: string) => fire({ hook_event_name: 'UserPromptSubmit', prompt });
  const codeIn = (reason = '') => /type: countersign ack T-\d+ (\w{6})$/.exec(reason)?.[1] ?? '';

  test('a person acknowledges what was shown, by the code that was shown', async () => {
    const id = await bring(s, 'blocked', '--list', `list-${turn}`);
    const shown = prompts(`countersign ack ${id}`);
    expect(shown.said?.decision).toBe('block');
    expect(shown.said?.reason).toContain(`TASK BLOCKED: verification failed for ${id}`);
    const given = prompts(`countersign ack ${id} ${codeIn(shown.said?.reason)}`);
    expect(given.said?.hookSpecificOutput?.additionalContext).toContain(`ada said "ack" about ${id}`);
    const review = (await s.events(id)).find((e) => e.type === 'recorded' && e.kind === 'failure-review');
    expect(review).toMatchObject({ by: 'ada', outcome: 'seen' });
  });

  test('a code holds once, in its session, for what it was shown for, and not after three tries', async () => {
    const id = await bring(s, 'blocked', '--list', `list-${turn}`);
    const code = codeIn(prompts(`countersign ack ${id}`).said?.reason);
    const own = session;
    session = 'somebody-else';
    expect(prompts(`countersign ack ${id} ${code}`).said?.reason).toContain('Nothing was shown');
    session = own;
    for (let n = 0; n < 3; n++) expect(prompts(`countersign ack ${id} AAAAAA`).said?.decision).toBe('block');
    expect(prompts(`countersign ack ${id} ${code}`).said?.reason).toContain('Nothing was shown');
    const next = codeIn(prompts(`countersign ack ${id}`).said?.reason);
    expect(prompts(`countersign ack ${id} ${next}`).said?.hookSpecificOutput).toBeDefined();
    expect(prompts(`countersign ack ${id} ${next}`).said?.decision).toBe('block');
  });

  test('what stands at the wrong state is refused as everywhere', async () => {
    const id = await bring(s, 'pending', '--list', `list-${turn}`);
    expect(prompts(`countersign ack ${id}`).said?.decision).toBe('block');
    expect(prompts('countersign approve T-99999').said?.reason).toContain('there is no item');
  });

  test('any other prompt is none of ours', () => {
    for (const prompt of [
      'please fix it',
      'run countersign ack T-1 for me',
      'countersign ack',
      'countersign rm T-1',
    ])
      expect(prompts(prompt)).toMatchObject(nothing);
  });
});

describe('ConfigChange', () => {
  const changes = (file_path: string) =>
    fire({ hook_event_name: 'ConfigChange', source: 'project_settings', file_path });
  const settings = (text: string) => {
    const path = join(s.repo.top, '.claude/settings.json');
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
    return path;
  };

  test('does not switch the hooks off in the middle of an item', async () => {
    const off = settings('{"disableAllHooks": true}');
    expect(changes(off)).toMatchObject(nothing);
    await bound('in_progress');
    expect(changes(off).said).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining('all hooks off'),
    });
    expect(changes(settings('{"hooks": '))).toMatchObject({ said: { decision: 'block' } });
    expect(changes(settings('{}')).said).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining('no longer'),
    });
    const ours = { Stop: [{ hooks: [{ type: 'command', command: 'countersign-hook claude-code' }] }] };
    expect(changes(settings(JSON.stringify({ hooks: ours })))).toMatchObject(nothing);
  });
});

describe('what is no event', () => {
  const raw = (text: string, cwd = s.repo.top) => hook(program, { env: s.env, cwd }, text);

  test.each([
    ['nothing', ''],
    ['cut off', '{"session_id": "a", "hook_ev'],
    ['a list', '[]'],
    ['a number for a tool', '{"hook_event_name":"PreToolUse","tool_name":7}'],
    ['a list for an input', '{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":[]}'],
    ['without its name', '{"session_id":"a"}'],
    ['1 MB of nothing', ' '.repeat(1_000_000)],
  ])('%s: said on exit 0 or 2, never 1', (_, text) => {
    const told = raw(text);
    expect([0, 2]).toContain(told.code);
    expect(`${told.stdout}${told.stderr}`).toContain('countersign doctor');
  });

  test('a byte order mark, unknown fields and unknown events do no harm', () => {
    const event = { ...base(), hook_event_name: 'SomethingNew', brand_new: [1] };
    expect(raw(`\uFEFF${JSON.stringify(event)}`)).toMatchObject(nothing);
  });

  test('a folder without a store, and one that is no repository, hear nothing', () => {
    for (const cwd of [s.repo.root, '/nowhere/at/all'])
      expect(raw(JSON.stringify({ ...base(), cwd, hook_event_name: 'Stop' }), s.repo.root)).toMatchObject(
        nothing,
      );
  });
});
