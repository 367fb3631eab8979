// One crew goes the whole way, and the hooks are asked at each stage: reaching a stage is what takes the time.
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventOf } from '../../src/engine/stored.ts';
import { nothing } from '../hooks/hooks-of-a-session.ts';
import { buildProgram, type Program } from '../terminal.ts';
import { AGENTS, type Crew, openCrew } from './crew.ts';
import { type HooksOfCrew, hooksOf, told } from './hooked.ts';
import { crewAt, PLANNED, reach, TASK } from './walk.ts';

let program: Program;
let crew: Crew;
let h: HooksOfCrew;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program.remove());
afterEach(() => crew.close());

async function at(state: string, config = ''): Promise<void> {
  crew = await crewAt(state, { config });
  h = hooksOf(program, crew);
}

const main = (path: string) => join(crew.session.repo.top, path);
const write = (file_path: string, as = {}) => h.uses('Write', { file_path, content: 'x' }, as);
const shell = (command: string, as = {}) => h.uses('Bash', { command }, as);
const approvals = async (kind = 'plan-approval') =>
  (await crew.session.events('T-1')).filter((e) => e.type === 'recorded' && e.kind === kind);
const stateNow = async () => (await crew.go('task', 'show', TASK)).data.state;

describe('a project without tasks in stages', () => {
  test('hears nothing of them, whatever it edits', async () => {
    crew = await openCrew();
    h = hooksOf(program, crew);
    expect(write(main('src/a.js'))).toBe('');
    expect(shell('git merge other')).toBe('');
    expect(h.prompts('approved')).toMatchObject(nothing);
    expect(h.stops()).toMatchObject(nothing);
    expect(h.starts()).not.toContain('Tasks in stages');
  });
});

describe('SessionStart', () => {
  test('PROTO-180: after an audit, the session is told how the requirements go on', async () => {
    await at('REQUIREMENTS');
    await crew.go('task', 'invoke', TASK, '--agent', 'architect');
    await crew.reports('architect');
    expect((await crew.session.text('', 'audit', 'verify')).code).toBe(0);
    const text = h.starts();
    expect(text).toContain(`${TASK} (T-1) is REQUIREMENTS: held by this session. RESUME`);
    expect(text).toContain('1 of 3 reports are complete: INVOKE_INCOMPLETE (quality, tester)');
    const other = h.starts({ session: 's-2' });
    expect(other).toContain('held by session s-1 (lead)');
    expect(other).toContain('SELECT_ALTERNATIVE');
  });

  test('a worktree that nobody holds is a question to a person, with its three answers', async () => {
    await at('CLASSIFIED');
    const words = ['lease', 'release', TASK];
    expect(await crew.say(crew.code, 'lead', 's-1', ...words)).toMatchObject({ code: 0 });
    const text = h.starts();
    expect(text).toContain('nobody holds it. ASK_USER');
    for (const choice of ['fresh: ', 'resume: ', 'other: ']) expect(text).toContain(choice);
  });

  test('PROTO-295: a plan that nobody approved is reported as an open checkpoint, and blocks the building', async () => {
    await at('SYNTHESIS');
    const as = { session: 's-9', actor: 'architect' };
    expect(h.starts(as)).toContain('OPEN CHECKPOINT USER_APPROVAL_PLAN');
    for (const path of [
      join(crew.code, 'src/dates.js'),
      join(crew.tasks, TASK, 'agents/architect/code/a.js'),
    ]) {
      expect(write(path)).toContain('before a person approves its plan');
      expect(write(path, as)).toContain('before a person approves its plan');
    }
    expect(write(join(crew.tasks, TASK, 'task.md'))).toBe('');
  });
});

describe('UserPromptSubmit', () => {
  test('PROTO-24: a session is told of the state of its task, and of no other', async () => {
    await at('CLASSIFIED');
    const text = told(h.prompts('go on please'));
    expect(text).toContain(`${TASK} (T-1) is CLASSIFIED.`);
    expect(text).toContain(`countersign task assess ${TASK}`);
    for (const other of ['synthesize', 'present-plan', 'request-change', 'land'])
      expect(text).not.toContain(`task ${other} `);
    await reach(crew, 'REQUIREMENTS', 'REQUIREMENTS');
    const later = told(h.prompts('go on please'));
    expect(later).toContain(`countersign task synthesize ${TASK}`);
    expect(later).not.toContain('task assess ');
    expect(h.prompts('go on please', { session: 's-2' })).toMatchObject(nothing);
  });

  test('PROTO-56: the next task is chosen by the matrix, also where somebody just says to go on', async () => {
    await at('CLASSIFIED');
    const text = told(h.prompts('continue with the next task', { session: 's-2' }));
    expect(text).toContain(`${TASK}: SELECT_ALTERNATIVE`);
    expect(text).toContain('Next is other-task: countersign task start other-task');
    const looked = await crew.session.with(async ({ ports }) =>
      (await ports.store.read('task/other-task')).map((stored) => eventOf<object>(stored)),
    );
    expect(looked).toMatchObject([
      { type: 'task-checked', session: 's-2', selection: 'PROCEED_WITH_INIT', feasible: true },
    ]);
  });

  test('PROTO-288, PROTO-290, PROTO-291, PROTO-292, PROTO-293: only the exact word, after what was shown, approves a plan', async () => {
    await at('SYNTHESIS');
    crew.write(join(crew.tasks, TASK, 'task.md'), PLANNED());
    // From before the presentation it is no word on it.
    h.prompts('proceed');
    expect(await crew.go('task', 'present-plan', TASK)).toMatchObject({ code: 0 });
    const refused = async () => {
      expect(await approvals()).toEqual([]);
      await crew.go('task', 'acknowledge-delegation', TASK);
      expect((await crew.go('task', 'implement', TASK)).code).not.toBe(0);
      expect(await stateNow()).toBe('SYNTHESIS');
    };
    await refused();
    // Nobody was shown it: the word brings it before them, and approves nothing.
    const first = h.prompts('approved').said;
    expect(first).toMatchObject({
      decision: 'block',
      reason: expect.stringContaining('Nothing is approved yet'),
    });
    expect(first?.reason).toContain('Answer "approved" or "proceed" to begin, or say what is to be changed');
    await refused();
    for (const word of ['looks interesting', 'approved, I think', 'please proceed', 'yes']) h.prompts(word);
    // An answer that is no approval takes it back that it was seen.
    expect(h.prompts('approved').said?.decision).toBe('block');
    // In bypass mode nothing else counts: no turn that ends, no word of an agent.
    const bypass = { fields: { permission_mode: 'bypassPermissions' } };
    h.prompts('looks interesting');
    expect(h.stops('Here is the plan.', bypass).said?.systemMessage).toContain(
      `The plan of ${TASK} is complete`,
    );
    expect(h.prompts('approved', { fields: { ...bypass.fields, agent_id: 'a1' } })).toMatchObject(nothing);
    expect(told(h.prompts('approved', { session: 's-2' }))).not.toContain('approved the plan');
    await refused();
    // A plan that changed since is another one.
    crew.write(join(crew.tasks, TASK, 'task.md'), PLANNED().replace('None taken.', 'Speed against size.'));
    expect(h.prompts('approved').said?.decision).toBe('block');
    await refused();
    crew.write(join(crew.tasks, TASK, 'task.md'), PLANNED());
    h.stops();
    expect(told(h.prompts('Approved'))).toContain(`ada approved the plan of ${TASK}`);
    expect(await approvals()).toMatchObject([{ by: 'ada', outcome: 'approved' }]);
    await crew.go('task', 'acknowledge-delegation', TASK);
    expect(await crew.go('task', 'implement', TASK)).toMatchObject({ code: 0 });
  });

  test('PROTO-300: what follows an approved plan is one launch for each agent, with its model and its domain', async () => {
    await at('SYNTHESIS', 'staged: {agents: {architect: {model: haiku}, quality: {}, tester: {}}}\n');
    crew.write(join(crew.tasks, TASK, 'task.md'), PLANNED());
    await crew.go('task', 'present-plan', TASK);
    h.stops();
    const text = told(h.prompts('proceed'));
    expect(text).toContain(
      'I am now entering IMPLEMENTATION state. Launching stakeholder agents in parallel.',
    );
    const launched = text.split('\n').filter((line) => line.startsWith('Task tool'));
    expect(launched).toHaveLength(AGENTS.length);
    expect(launched[0]).toMatch(
      /^Task tool \(architect\), model: haiku, prompt: "Implement the part of architecture /,
    );
    for (const [n, agent] of AGENTS.entries())
      expect(launched[n]).toContain(join(crew.tasks, TASK, 'agents', agent, 'code'));
  });
});

describe('while a person looks at the commit', () => {
  test('PROTO-113, PROTO-114, PROTO-116, PROTO-117: no agent is called, and whoever asked for a change is not asked back', async () => {
    await at('AWAITING_USER_APPROVAL');
    const back = `countersign task request-change ${TASK}`;
    for (const tool of ['Task', 'Agent'])
      expect(h.uses(tool, { subagent_type: 'architect', prompt: 'x' })).toContain(back);
    const ask = () => h.uses('AskUserQuestion', { questions: [] });
    expect(ask()).toBe('');
    expect(h.stops().said?.systemMessage).toContain('is here for review');
    expect(told(h.prompts('please rename parse to read'))).toContain(back);
    expect(ask()).toContain('a request is the order');
    for (const said of [
      'Would you like me to: 1) transition back, 2) wait, 3) create follow-up task?',
      'Should I transition back to IMPLEMENTATION to make these changes?',
    ])
      expect(h.stops(said).said).toMatchObject({ decision: 'block', reason: expect.stringContaining(back) });
    expect(await approvals('checkpoint')).toEqual([]);
    expect(await crew.go('task', 'request-change', TASK, '--reason', 'rename it')).toMatchObject({ code: 0 });
    expect(h.uses('Task', { subagent_type: 'architect', prompt: 'x' })).toBe('');
    expect(ask()).toBe('');
  });

  test('the word of a person on the commit is bound to what was shown', async () => {
    await at('AWAITING_USER_APPROVAL');
    expect(h.prompts('approved').said?.decision).toBe('block');
    expect(await approvals('checkpoint')).toEqual([]);
    expect(told(h.prompts('approved'))).toContain(`ada approved the commit of ${TASK}`);
    expect(await approvals('checkpoint')).toMatchObject([{ by: 'ada', outcome: 'approved' }]);
    expect(await crew.go('task', 'complete', TASK)).toMatchObject({ code: 0 });
  });
});

describe('Stop', () => {
  test('PROTO-43, PROTO-301: in the middle the agent is told to go on, unless a reason that counts is on record', async () => {
    await at('IMPLEMENTATION');
    const said = h.stops('I will now implement the feature.').said;
    expect(said?.decision).toBe('block');
    expect(said?.reason).toContain(`${TASK} is IMPLEMENTATION: go on`);
    expect(said?.reason).toContain('I will coordinate stakeholder agents to implement the feature');
    expect(h.stops('x', { session: 's-2' })).toMatchObject(nothing);
    const waits = { fields: { background_tasks: [{ id: 'a1', type: 'subagent', status: 'running' }] } };
    expect(h.stops('x', waits)).toMatchObject(nothing);
    const stop = (category: string) =>
      crew.go('task', 'stop', TASK, '--category', category, '--evidence', 'api.example answers 404');
    await stop('time');
    expect(h.stops().said?.decision).toBe('block');
    await stop('technical-blocker');
    expect(h.stops()).toMatchObject(nothing);
    // Whoever goes on has not stopped any more.
    await crew.go('task', 'next-round', TASK, '--reason', 'the api is there again');
    for (let n = 0; n < 3; n++) expect(h.stops().said?.decision).toBe('block');
    expect(h.stops().said?.systemMessage).toContain('after 3 reminders');
  });
});
