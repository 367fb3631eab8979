// One file: each state has rules of its own, and they are told apart side by side.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Crew } from './crew.ts';
import { ANSWERS, type Answers, addsTo, auditOf, TESTERS } from './late.ts';
import { answered, approved, built, commits, crewAt, PLANNED, TASK } from './walk.ts';

let crew: Crew;
afterEach(() => crew?.close());

const adds = (agent: string, more?: Answers, command?: string) => addsTo(crew, agent, more, command);
const found = () => auditOf(crew);
const folder = () => join(crew.tasks, TASK);
const lock = () => JSON.parse(readFileSync(join(folder(), 'task.json'), 'utf8'));
const state = async () => (await crew.go('task', 'show', TASK)).data.state;
const missing = (said: { error?: { missing: readonly { because: string; fix: string }[] } }) =>
  JSON.stringify(said.error?.missing);

describe('in REQUIREMENTS', () => {
  test('PROTO-119, PROTO-126: an agent that comes late comes by the procedure, and each of the four questions is asked by its name', async () => {
    crew = await crewAt('REQUIREMENTS');
    // No way around the procedure: the choice of agents is closed.
    expect(
      await crew.go('task', 'assess', TASK, '--risk', 'HIGH', '--agents', 'security', '--reason', 'x'),
    ).toMatchObject({ code: 6 });
    for (const name of Object.keys(ANSWERS)) {
      const said = await adds('security', { [name]: '' });
      expect(said.code, name).not.toBe(0);
      expect(said.error.message, name).toContain(name);
    }
    expect(lock().required_agents).not.toContain('security');
    expect(await adds('security')).toMatchObject({ code: 0 });
  });

  test('PROTO-120, PROTO-127, PROTO-128, PROTO-129, PROTO-130, PROTO-133, PROTO-134, PROTO-138, PROTO-141: authentication is found in a MEDIUM task; the fourth agent is justified, gets its worktree and its place, and SYNTHESIS waits for it', async () => {
    crew = await crewAt('REQUIREMENTS');
    for (const agent of ['architect', 'quality', 'tester']) {
      await crew.go('task', 'invoke', TASK, '--agent', agent);
      await crew.reports(agent);
    }
    expect(await adds('security', { risk: 'HIGH', reason: 'tokens are handled' })).toMatchObject({ code: 0 });
    expect(await state()).toBe('REQUIREMENTS');
    const tree = join(folder(), 'agents', 'security', 'code');
    expect(crew.git(tree, 'branch', '--show-current').trim()).toBe(`task-${TASK}-agent-security`);
    expect(crew.git(crew.code, 'worktree', 'list', '--porcelain')).toContain(tree);
    const { required_agents, agent_additions } = lock();
    expect([...required_agents].sort()).toEqual(['architect', 'quality', 'security', 'tester']);
    expect(agent_additions).toEqual([
      {
        agent: 'security',
        added_at_state: 'REQUIREMENTS',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        justification: Object.entries(ANSWERS)
          .map(([name, said]) => `${name}: ${said}`)
          .join('; '),
      },
    ]);
    const text = readFileSync(join(folder(), 'task.md'), 'utf8');
    expect(text).toMatch(
      /^- security, added in REQUIREMENTS: authentication is missing; .*the entry did not name tokens$/m,
    );
    expect(text).toMatch(/^### security\n\n_pending_$/m);
    // The risk is looked at again, and what came of it is on record.
    const move = (await crew.session.events('T-1')).findLast((e) => e.type === 'moved');
    expect(move).toMatchObject({
      command: 'add-agent',
      reason: 'tokens are handled',
      facts: { risk_assessment: 'raised', risk_before: 'MEDIUM', risk_now: 'HIGH' },
    });
    expect(JSON.parse(readFileSync(join(folder(), 'state.json'), 'utf8')).risk_level).toBe('HIGH');
    const early = await crew.go('task', 'synthesize', TASK);
    expect(early.code).toBe(3);
    expect(missing(early)).toContain('3 of 4 say COMPLETE');
    await crew.go('task', 'invoke', TASK, '--agent', 'security');
    expect(await crew.reports('security')).toMatchObject({ code: 0 });
    expect(await crew.go('task', 'synthesize', TASK)).toMatchObject({ code: 0 });
    expect(await state()).toBe('SYNTHESIS');
    expect(await found()).toEqual([]);
  });

  test('PROTO-127, PROTO-141: where git refuses the worktree nothing else is changed; a risk is kept or raised, never lowered', async () => {
    crew = await crewAt('REQUIREMENTS');
    writeFileSync(join(folder(), 'agents', 'security'), 'in the way');
    const before = await crew.session.snapshot('T-1');
    const document = readFileSync(join(folder(), 'task.md'), 'utf8');
    expect((await adds('security')).code).not.toBe(0);
    expect(await crew.session.snapshot('T-1')).toBe(before);
    expect(lock().required_agents).not.toContain('security');
    expect(crew.git(crew.code, 'branch', '--list', `task-${TASK}-agent-security`)).toBe('');
    expect(readFileSync(join(folder(), 'task.md'), 'utf8')).toBe(document);
    expect(missing(await adds('style', { risk: 'LOW' }))).toContain('keeps or raises');
    expect(await adds('style')).toMatchObject({ code: 0 });
  });
});

describe('in SYNTHESIS', () => {
  test('PROTO-121, PROTO-131, PROTO-135: an addition voids the approval; the agent reads the reports, is called for the synthesis, and the plan is shown and approved anew', async () => {
    crew = await crewAt('SYNTHESIS');
    crew.write(join(folder(), 'task.md'), PLANNED());
    await crew.go('task', 'present-plan', TASK);
    await approved(crew);
    await crew.go('task', 'acknowledge-delegation', TASK);
    expect(await adds('security')).toMatchObject({ code: 0 });
    expect(await state()).toBe('SYNTHESIS');
    expect(readFileSync(join(folder(), 'task.md'), 'utf8')).toContain(
      '## Stakeholders\n\n- security, added in SYNTHESIS',
    );
    const early = missing(await crew.go('task', 'implement', TASK));
    expect(early).toContain('plan-approval');
    expect(early).toContain('3 of 4 say COMPLETE');
    // Its own requirements are not skipped: no plan is shown without them.
    crew.write(join(folder(), 'task.md'), PLANNED(['architect', 'quality', 'tester', 'security']));
    expect(missing(await crew.go('task', 'present-plan', TASK))).toContain('3 of 4 say COMPLETE');
    await crew.go('task', 'invoke', TASK, '--agent', 'security');
    const call = (await crew.session.events('T-1')).findLast((e) => e.type === 'moved');
    expect(call).toMatchObject({ facts: { mode: 'synthesis' } });
    expect(JSON.stringify(call)).toContain(`${TASK}-tester-requirements.md`);
    const invocations = JSON.parse(
      readFileSync(join(folder(), 'audit-trail.json'), 'utf8'),
    ).agent_invocations;
    expect(invocations.at(-1)).toMatchObject({ agent_name: 'security', agent_mode: 'synthesis' });
    await crew.reports('security');
    expect(await crew.go('task', 'present-plan', TASK)).toMatchObject({ code: 0 });
    expect(missing(await crew.go('task', 'implement', TASK))).toContain('plan-approval');
    await approved(crew);
    expect(await crew.go('task', 'implement', TASK)).toMatchObject({ code: 0 });
  });
});

describe('in IMPLEMENTATION', () => {
  test('PROTO-122, PROTO-123, PROTO-132, PROTO-136: an addition is flagged as a failure of the planning, reads the branch, builds in its worktree, and VALIDATION waits for it', async () => {
    crew = await crewAt('IMPLEMENTATION');
    await crew.go('task', 'next-round', TASK, '--reason', 'not all is built');
    expect(await adds('security')).toMatchObject({ code: 0 });
    expect(await found()).toEqual(['planning-failure']);
    const moves = (await crew.session.events('T-1')).filter((e) => e.type === 'moved');
    expect(moves.at(-1)).toMatchObject({ facts: { planning_failure: true } });
    await expect(built(crew)).rejects.toThrow(/3 of 4 say COMPLETE/);
    await crew.go('task', 'invoke', TASK, '--agent', 'security');
    const call = (await crew.session.events('T-1')).findLast((e) => e.type === 'moved');
    const head = crew.git(crew.code, 'rev-parse', 'HEAD').trim();
    expect(call).toMatchObject({ facts: { mode: 'implementation', review: [TASK, head] } });
    commits(crew, 'security', { 'security.js': '1;\n' });
    await crew.say(crew.code, 'security', '', 'task', 'status', TASK, 'COMPLETE');
    expect(missing(await crew.go('task', 'validate', TASK))).toContain('not merged');
    await crew.go('task', 'merge', TASK, 'security');
    expect(await crew.go('task', 'validate', TASK)).toMatchObject({ code: 0 });
    // Too late for the ordinary way, and the way back is named.
    expect(missing(await adds('style'))).toContain('goes back to the requirements');
  });
});

describe('in REVIEW', () => {
  test('PROTO-123, PROTO-137: a critical addition goes back to the requirements, and what was found later is void', async () => {
    crew = await crewAt('REVIEW');
    await answered(crew, 'architect', 'APPROVED');
    const late = await adds('security');
    expect(late.code).toBe(6);
    expect(missing(late)).toContain('add-critical-agent');
    expect(await adds('security', {}, 'add-critical-agent')).toMatchObject({ code: 0 });
    expect(await state()).toBe('REQUIREMENTS');
    expect(existsSync(join(folder(), 'user-plan-approval-obtained.flag'))).toBe(false);
    expect(await found()).toEqual([]);
    expect(missing(await crew.go('task', 'synthesize', TASK))).toContain('3 of 4 say COMPLETE');
    await crew.go('task', 'invoke', TASK, '--agent', 'security');
    await crew.reports('security');
    await crew.go('task', 'synthesize', TASK);
    expect(missing(await crew.go('task', 'implement', TASK))).toContain('plan-approval');
    crew.write(join(folder(), 'task.md'), PLANNED(['architect', 'quality', 'tester', 'security']));
    await crew.go('task', 'present-plan', TASK);
    await approved(crew);
    expect(await crew.go('task', 'implement', TASK)).toMatchObject({ code: 0 });
    // The builders' words and the verdict were on an earlier round.
    expect(missing(await crew.go('task', 'validate', TASK))).toContain('0 of 4 say COMPLETE');
  });

  test('PROTO-124, PROTO-125, PROTO-139, PROTO-140: a rejection for coverage is answered by building, not by another agent; the same agents review again', async () => {
    crew = await crewAt('REVIEW', { config: TESTERS });
    await answered(crew, 'architect', 'APPROVED');
    await crew.go('task', 'invoke', TASK, '--agent', 'tester');
    const word = ['task', 'status', TASK, 'REJECTED', '--reason', 'coverage is too low'];
    expect(await crew.say(crew.code, 'tester', '', ...word)).toMatchObject({ code: 0 });
    expect((await adds('style')).code).not.toBe(0);
    expect((await adds('style', {}, 'add-critical-agent')).code).not.toBe(0);
    expect((await adds('security', {}, 'add-critical-agent')).code).not.toBe(0);
    expect(await crew.go('task', 'rework', TASK, '--reason', 'coverage is too low')).toMatchObject({
      code: 0,
    });
    expect(await state()).toBe('IMPLEMENTATION');
    expect(missing(await adds('style'))).toContain('tester of the same domain rejected the work');
    await built({ ...crew, write: (path, text) => crew.write(path, `${text}// again\n`) });
    await crew.go('verify', 'T-1');
    expect(await state()).toBe('REVIEW');
    // No verdict of the round before counts, the approval neither.
    expect(missing(await crew.go('task', 'present', TASK))).toContain('0 of 3 say APPROVED');
  });

  test('PROTO-125: while an issue is open, an agent for what is covered already is refused; one for a new gap is not', async () => {
    crew = await crewAt('IMPLEMENTATION', {
      config: TESTERS.replace('tester: {domain: tests}', 'tester: {domain: tests2}').replace(
        'style: {domain: tests}',
        'style: {domain: quality}',
      ),
    });
    await crew.go('task', 'invoke', TASK, '--agent', 'tester');
    await crew.say(
      crew.code,
      'tester',
      '',
      'task',
      'status',
      TASK,
      'ERROR',
      '--reason',
      'the fixture is wrong',
    );
    expect(missing(await adds('style'))).toContain('no new gap');
    expect(await adds('security')).toMatchObject({ code: 0 });
  });
});
