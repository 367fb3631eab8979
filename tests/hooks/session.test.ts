import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../src/attestation/digest.ts';
import { hookEntries } from '../../src/engine/harness/claude-code.ts';
import { work } from '../two-phase/bring.ts';
import { hooksOfASession, nothing } from './hooks-of-a-session.ts';

const h = hooksOfASession();

describe('Stop', () => {
  test('a turn does not end on a claim of this session that nobody proved', async () => {
    const id = await h.bound('claimed');
    expect(h.stops()).toMatchObject({
      code: 0,
      said: { decision: 'block', reason: expect.stringContaining(`item_verify {"item":"${id}"}`) },
    });
  });

  test('nor on work that was begun and not claimed', async () => {
    const id = await h.bound('in_progress');
    expect(h.stops().said).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining(`item_claim {"item":"${id}"}`),
    });
  });

  test('it ends on what was verified, and on what is blocked', async () => {
    await h.bound('verified');
    await h.bound('blocked');
    expect(h.stops()).toMatchObject(nothing);
  });

  test('another session’s claim keeps nobody', async () => {
    await h.bound('claimed');
    h.session = 'somebody-else';
    expect(h.stops()).toMatchObject(nothing);
  });

  test('work that still runs behind the turn is waited for', async () => {
    await h.bound('claimed');
    const tasks = [
      { id: 'b1' },
      { id: 'a1', type: 'subagent', status: 'running', agent_type: 'countersign-verifier' },
      { id: 'b2', type: 'shell', status: 'running', command: 'countersign --actor verifier verify T-1' },
    ];
    for (const task of tasks) expect(h.stops({ background_tasks: [task] })).toMatchObject(nothing);
  });

  test('a server that runs on behind the turn switches nothing off', async () => {
    await h.bound('claimed');
    const server = { id: 'b1', type: 'shell', status: 'running', command: 'npm run dev' };
    expect(h.stops({ background_tasks: [server] }).said?.decision).toBe('block');
  });

  test('the verifier is named as the plugin names it, where the hooks come from the plugin', async () => {
    await h.bound('claimed');
    const stop = { hook_event_name: 'Stop', stop_hook_active: false };
    expect(h.fire(stop, { env: { CLAUDE_PLUGIN_ROOT: '/p' } }).said?.reason).toContain(
      'the agent countersign:countersign-verifier',
    );
  });

  test('after three reminders a person is told and the turn ends; a new state begins anew', async () => {
    const id = await h.bound('in_progress');
    for (let n = 0; n < 3; n++) expect(h.stops({ stop_hook_active: n > 0 }).said?.decision).toBe('block');
    const last = h.stops({ stop_hook_active: true });
    expect(last.said).toEqual({
      systemMessage: expect.stringContaining(`${id} (Implement login screen) is IN_PROGRESS`),
    });
    work(h.s);
    await h.s.say('swiftui-developer', 'claim', id);
    expect(h.stops().said?.decision).toBe('block');
  });

  test('the sub-agent that builds has done its part with the claim; the one that verifies has not', async () => {
    const id = await h.bound('claimed', 'builder-1');
    const ends = (agent_id: string) =>
      h.fire({ hook_event_name: 'SubagentStop', agent_id, stop_hook_active: false });
    expect(ends('builder-1')).toMatchObject(nothing);
    const verifier = { agent_id: 'verifier-1', agent_type: 'countersign-verifier' };
    h.uses('mcp__countersign-verifier__item_verify', { item: id }, verifier);
    expect(ends('verifier-1').said).toMatchObject({ decision: 'block', reason: expect.stringContaining(id) });
    expect(ends('another')).toMatchObject(nothing);
    expect(h.stops().said?.decision).toBe('block');
  });

  test('a shell command binds an item like a call does', async () => {
    const id = await h.bring('claimed');
    h.uses('Bash', { command: `npx countersign claim ${id}` });
    expect(h.stops().said?.decision).toBe('block');
  });
});

describe('SessionStart', () => {
  test('tells what stands and what is next, and whose shell it is', async () => {
    await h.bring('in_progress');
    const file = join(h.s.repo.root, `env-${h.turn}`);
    const { said } = h.fire(
      { hook_event_name: 'SessionStart', source: 'startup', model: 'm' },
      { env: { CLAUDE_ENV_FILE: file } },
    );
    const text = said?.hookSpecificOutput?.additionalContext ?? '';
    expect(said?.hookSpecificOutput?.hookEventName).toBe('SessionStart');
    expect(text).toContain('You work as swiftui-developer (specialist)');
    expect(text).toContain('TASK BLOCKED: verification failed for T-');
    expect(text).toMatch(/ {2}next: countersign start T-\d+/);
    expect(readFileSync(file, 'utf8')).toBe(
      `export COUNTERSIGN_ACTOR=swiftui-developer\nexport COUNTERSIGN_SESSION=${h.session}\n`,
    );
  });
});

describe('UserPromptSubmit, the human channel', () => {
  const prompts = (prompt: string) => h.fire({ hook_event_name: 'UserPromptSubmit', prompt });
  const codeIn = (reason = '') => /type: countersign ack T-\d+ (\w{6})$/.exec(reason)?.[1] ?? '';

  test('a person acknowledges what was shown, by the code that was shown', async () => {
    const id = await h.bring('blocked');
    const shown = prompts(`countersign ack ${id}`);
    expect(shown.said?.decision).toBe('block');
    expect(shown.said?.reason).toContain(`TASK BLOCKED: verification failed for ${id}`);
    const given = prompts(`countersign ack ${id} ${codeIn(shown.said?.reason)}`);
    expect(given.said?.hookSpecificOutput?.additionalContext).toContain(`ada said "ack" about ${id}`);
    const review = (await h.s.events(id)).find((e) => e.type === 'recorded' && e.kind === 'failure-review');
    expect(review).toMatchObject({ by: 'ada', outcome: 'seen' });
  });

  test('a code holds once, in its session, for what it was shown for, and not after three tries', async () => {
    const id = await h.bring('blocked');
    const code = codeIn(prompts(`countersign ack ${id}`).said?.reason);
    const own = h.session;
    h.session = 'somebody-else';
    expect(prompts(`countersign ack ${id} ${code}`).said?.reason).toContain('Nothing was shown');
    h.session = own;
    for (let n = 0; n < 3; n++) expect(prompts(`countersign ack ${id} AAAAAA`).said?.decision).toBe('block');
    expect(prompts(`countersign ack ${id} ${code}`).said?.reason).toContain('Nothing was shown');
    const next = codeIn(prompts(`countersign ack ${id}`).said?.reason);
    expect(prompts(`countersign ack ${id} ${next}`).said?.hookSpecificOutput).toBeDefined();
    expect(prompts(`countersign ack ${id} ${next}`).said?.decision).toBe('block');
  });

  test('what is kept of a code is no plain digest of it, and a prompt of an agent is no person’s word', async () => {
    const id = await h.bring('blocked');
    const code = codeIn(prompts(`countersign ack ${id}`).said?.reason);
    const folder = join(h.s.repo.top, '.git/countersign/sessions');
    const notes = readdirSync(folder).filter((name) => name.endsWith('.shown'));
    const kept = notes.map((name) => readFileSync(join(folder, name), 'utf8')).join();
    expect(kept).toMatch(/"kept":"[0-9a-f]{32}:[0-9a-f]{64}"/);
    expect(kept).not.toContain(sha256Hex(code));
    const prompt = `countersign ack ${id} ${code}`;
    const submit = { hook_event_name: 'UserPromptSubmit', prompt };
    expect(h.fire({ ...submit, agent_id: 'a1', agent_type: 'general-purpose' })).toMatchObject(nothing);
    expect(prompts(prompt).said?.hookSpecificOutput).toBeDefined();
  });

  test('what stands at the wrong state is refused as everywhere', async () => {
    const id = await h.bring('pending');
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
    h.fire({ hook_event_name: 'ConfigChange', source: 'project_settings', file_path });
  const settings = (text: string) => {
    const path = join(h.s.repo.top, '.claude/settings.json');
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
    return path;
  };

  test('does not switch the hooks off in the middle of an item', async () => {
    const off = settings('{"disableAllHooks": true}');
    expect(changes(off)).toMatchObject(nothing);
    await h.bound('in_progress');
    expect(changes(off).said).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining('all hooks off'),
    });
    expect(changes(settings('{"hooks": '))).toMatchObject({ said: { decision: 'block' } });
    expect(changes(settings('{}')).said).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining('no longer'),
    });
    const ours = hookEntries('countersign-hook claude-code --actor swiftui-developer');
    expect(changes(settings(JSON.stringify({ hooks: ours })))).toMatchObject(nothing);
  });

  test.each([
    ['without one event', (text: string) => text.replace('"Stop":', '"StopX":')],
    [
      'with a command that is none',
      (text: string) => text.replaceAll('-hook claude-code', '-hook --help # claude-code'),
    ],
    ['without any', () => '{}'],
  ])('nor take hooks out: settings %s', async (_, edited) => {
    await h.bound('in_progress');
    const hooks = hookEntries('countersign-hook claude-code --actor swiftui-developer');
    const path = settings(edited(JSON.stringify({ hooks })));
    for (const file of [path, '']) expect(changes(file).said?.reason).toContain('no longer name');
  });
});

describe('what is no event', () => {
  test.each([
    ['nothing', ''],
    ['cut off', '{"session_id": "a", "hook_ev'],
    ['a list', '[]'],
    ['a number for a tool', '{"hook_event_name":"PreToolUse","tool_name":7}'],
    ['a list for an input', '{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":[]}'],
    ['without its name', '{"session_id":"a"}'],
    ['1 MB of nothing', ' '.repeat(1_000_000)],
  ])('%s: said on exit 0 or 2, never 1', (_, text) => {
    const told = h.raw(text);
    expect([0, 2]).toContain(told.code);
    expect(`${told.stdout}${told.stderr}`).toContain('countersign doctor');
  });

  test('a byte order mark, unknown fields and unknown events do no harm', () => {
    const event = { ...h.base(), hook_event_name: 'SomethingNew', brand_new: [1] };
    expect(h.raw(`\uFEFF${JSON.stringify(event)}`)).toMatchObject(nothing);
  });

  test('a folder without a store, and one that is no repository, hear nothing', () => {
    for (const cwd of [h.s.repo.root, '/nowhere/at/all'])
      expect(
        h.raw(JSON.stringify({ ...h.base(), cwd, hook_event_name: 'Stop' }), h.s.repo.root),
      ).toMatchObject(nothing);
  });
});
