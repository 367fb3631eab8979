import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AGENTS } from '../staged/crew.ts';
import { ANSWERS, type Answers, addsTo, auditOf } from '../staged/late.ts';
import { answered, approved, commits, DONE, PLANNED, reach, TASK } from '../staged/walk.ts';
import { buildProgram, type Program } from '../terminal.ts';
import { gateOf, type Hands, handsOf, lacks, stateOf } from './staged-hands.ts';

// J08: agents that come late, in each state by its own rule: one task, from its requirements to its review and back.
const CONFIG = `staged:
  agents:
    architect: {domain: architecture}
    quality: {domain: quality}
    tester: {domain: tests}
    style: {domain: tests}
    security: {domain: security}
    performance: {domain: performance}
    usability: {domain: usability}
    builder: {domain: build}
`;

let program: Program;
let w: Hands;
beforeAll(async () => {
  program = buildProgram();
  w = await handsOf(program, { config: CONFIG });
  for (const agent of ['performance', 'usability', 'builder'])
    await w.session.register(agent, ['stakeholder']);
  await reach(w, 'REQUIREMENTS');
});
afterAll(async () => {
  await w.stop();
  program.remove();
});

const lockPath = () => join(w.tasks, TASK, 'task.json');
const lock = () => JSON.parse(readFileSync(lockPath(), 'utf8'));
const adds = (agent: string, more?: Answers, command?: string) => addsTo(w, agent, more, command);
const plans = (agents: readonly string[]) => w.write(join(w.tasks, TASK, 'task.md'), PLANNED(agents));
const done = async (...words: readonly string[]) =>
  expect(await w.go('task', ...words)).toMatchObject({ code: 0 });
const ALL = [...AGENTS, 'security', 'performance', 'usability'];

async function writes(agents: readonly string[]) {
  for (const agent of agents) {
    await done('invoke', TASK, '--agent', agent);
    expect(await w.reports(agent)).toMatchObject({ code: 0 });
  }
}
/** A round of building by everybody; `more` keeps it apart from the round before. */
async function builds(agents: readonly string[], more = '') {
  for (const agent of agents) {
    const files =
      agent === 'architect'
        ? { 'work.txt': `done${more}\n`, 'todo.md': `${DONE}${more}` }
        : { [`${agent}.js`]: `1;${more}\n` };
    commits(w, agent, files);
    await answered(w, agent);
    await done('merge', TASK, agent);
  }
}

test('J08: in REQUIREMENTS an agent comes with four answers and the risk as it is seen now, and is waited for', async () => {
  await writes(AGENTS);
  expect(
    (await w.go('task', 'assess', TASK, '--risk', 'HIGH', '--agents', 'security', '--reason', 'x')).code,
  ).toBe(6);
  for (const name of Object.keys(ANSWERS))
    expect(lacks(await adds('security', { [name]: '' })), name).toContain(name);
  expect(lock().required_agents).not.toContain('security');
  expect(await adds('security', { risk: 'HIGH', reason: 'tokens are handled' })).toMatchObject({ code: 0 });
  expect(w.git(w.code, 'branch', '--list', `task-${TASK}-agent-security`)).not.toBe('');
  expect(lock()).toMatchObject({ agent_additions: [{ agent: 'security', added_at_state: 'REQUIREMENTS' }] });
  expect(JSON.parse(readFileSync(join(w.tasks, TASK, 'state.json'), 'utf8')).risk_level).toBe('HIGH');
  expect(lacks(await w.go('task', 'synthesize', TASK))).toContain('3 of 4 say COMPLETE');
  await writes(['security']);
  await done('synthesize', TASK);
});

test('J08: in SYNTHESIS an addition voids the word of the person, who is asked anew', async () => {
  plans([...AGENTS, 'security']);
  await done('present-plan', TASK);
  await approved(w);
  await done('acknowledge-delegation', TASK);
  expect(await gateOf(w, 'implement')).toEqual([]);
  expect(await adds('performance', { risk: 'HIGH' })).toMatchObject({ code: 0 });
  expect(await gateOf(w, 'implement')).toEqual(expect.arrayContaining(['plan-approval', 'requirements']));
  await writes(['performance']);
  plans([...AGENTS, 'security', 'performance']);
  expect(lacks(await w.go('task', 'implement', TASK))).toContain('plan-approval');
  await done('present-plan', TASK);
  await approved(w);
  await done('implement', TASK);
});

test('J08: in IMPLEMENTATION it is a failure of the planning, and catches up in its own worktree', async () => {
  await builds([...AGENTS, 'security', 'performance']);
  expect(await gateOf(w, 'validate')).toEqual([]);
  expect(await adds('usability', { risk: 'HIGH' })).toMatchObject({ code: 0 });
  expect(await auditOf(w)).toEqual(['planning-failure']);
  expect(lacks(await w.go('task', 'validate', TASK))).toContain('5 of 6 say COMPLETE');
  await builds(['usability']);
  await done('validate', TASK);
});

describe('J08: after the building', () => {
  test('J08: it is too late in VALIDATION and in REVIEW, and the way back is named', async () => {
    expect(lacks(await adds('builder', { risk: 'HIGH' }))).toContain('add-critical-agent');
    expect((await w.go('verify', 'T-1')).code).toBe(0);
    expect(await stateOf(w)).toBe('REVIEW');
    expect(lacks(await adds('builder', { risk: 'HIGH' }))).toContain('add-critical-agent');
  });

  test('J08: a rejection is mended, and answered by no other agent; not before the way back and not after it', async () => {
    await done('invoke', TASK, '--agent', 'tester');
    const word = ['task', 'status', TASK, 'REJECTED', '--reason', 'coverage is too low'];
    expect(await w.say(w.code, 'tester', '', ...word)).toMatchObject({ code: 0 });
    for (const command of ['add-agent', 'add-critical-agent'])
      for (const agent of ['style', 'builder'])
        expect((await adds(agent, { risk: 'HIGH' }, command)).code, `${command} ${agent}`).not.toBe(0);
    await done('rework', TASK, '--reason', 'coverage is too low');
    expect(lacks(await adds('style', { risk: 'HIGH' }))).toContain(
      'tester of the same domain rejected the work',
    );
    // Neither for convenience, while an issue is open.
    await done('invoke', TASK, '--agent', 'tester');
    await w.say(w.code, 'tester', '', 'task', 'status', TASK, 'ERROR', '--reason', 'the fixture is wrong');
    expect((await adds('style', { risk: 'HIGH' })).code).not.toBe(0);
    await builds(ALL, ' // again');
    await done('validate', TASK);
    expect((await w.go('verify', 'T-1')).code).toBe(0);
  });

  test('J08: a critical one goes back to the requirements, and all that was found later is void', async () => {
    await answered(w, 'architect', 'APPROVED');
    expect(await adds('builder', { risk: 'HIGH' }, 'add-critical-agent')).toMatchObject({ code: 0 });
    expect(await stateOf(w)).toBe('REQUIREMENTS');
    expect(existsSync(join(w.tasks, TASK, 'user-plan-approval-obtained.flag'))).toBe(false);
    expect(lacks(await w.go('task', 'synthesize', TASK))).toContain('5 of 7 say COMPLETE');
    // Whoever came in the middle of the building says what it needs now.
    await writes(['usability', 'builder']);
    await done('synthesize', TASK);
    expect(await gateOf(w, 'implement')).toContain('plan-approval');
  });
});

test('J08: the audit finds four violations that were planted in the lock, and leaves it as it lies there', async () => {
  const clean = await auditOf(w);
  expect(clean).toEqual(['planning-failure']);
  const text = lock();
  const [security, ...others] = text.agent_additions;
  const style = {
    ...security,
    agent: 'style',
    added_at_state: 'IMPLEMENTATION',
    timestamp: new Date().toISOString(),
  };
  const forged = {
    ...text,
    agent_additions: [
      { ...security, justification: ' ' },
      ...others.map((one: { agent: string }) =>
        one.agent === 'performance' ? { ...one, added_at_state: 'REVIEW' } : one,
      ),
      style,
    ],
  };
  writeFileSync(lockPath(), JSON.stringify(forged));
  const told = await w.text(w.code, 'lead', 's-1', 'task', 'audit', TASK);
  expect(told.code).toBe(1);
  expect(lock()).toEqual(forged);
  for (const rule of [
    'addition-unjustified',
    'addition-too-late',
    'addition-around-rejection',
    'addition-not-in-lock',
  ])
    expect(told.out, rule).toContain(rule);
  // The next command writes the file anew, and the log never knew of it.
  await w.go('task', 'show', TASK);
  expect(lock()).toEqual(text);
  expect(await auditOf(w)).toEqual(clean);
  expect((await w.text(w.session.repo.top, '', '', 'audit', 'verify')).out).toContain('clean');
});
