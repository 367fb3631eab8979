import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Crew, openCrew } from './crew.ts';
import { answered, approved, builds, crewAt, PLANNED, reach, TASK } from './walk.ts';

// Where something went wrong, what is told leads on from there, and does so as it is typed.
let crew: Crew;
afterEach(() => crew.close());

const top = () => crew.session.repo.top;
const state = async () => (await crew.go('task', 'show', TASK)).data.state;
const next = async () =>
  ((await crew.go('task', 'show', TASK)).data.next as unknown as { run: string }[]).map(({ run }) => run);
/** Takes what is told as it is typed. */
const typed = (line: string) =>
  crew.go(...line.replace(/^countersign --actor lead | --session s-1/g, '').split(' '));

describe('an agent that never answered', () => {
  test('whoever is none of the task any more has no call that is open', async () => {
    crew = await crewAt('REQUIREMENTS');
    for (const agent of ['architect', 'quality', 'tester'])
      await crew.go('task', 'invoke', TASK, '--agent', agent);
    await crew.go('task', 'reclassify', TASK, '--reason', 'the tester does not answer');
    const two = ['architect', 'quality'];
    await crew.go(
      ...['task', 'assess', TASK, '--risk', 'MEDIUM', '--agents', two.join(','), '--reason', 'src/dates.js'],
    );
    await crew.go('task', 'gather', TASK);
    for (const agent of two) {
      await crew.go('task', 'invoke', TASK, '--agent', agent);
      await crew.reports(agent);
    }
    await crew.go('task', 'synthesize', TASK);
    crew.write(join(crew.tasks, TASK, 'task.md'), PLANNED(two));
    await crew.go('task', 'present-plan', TASK);
    await approved(crew);
    await crew.go('task', 'acknowledge-delegation', TASK);
    expect((await crew.go('task', 'implement', TASK)).code).toBe(0);
    const trail = JSON.parse(readFileSync(join(crew.tasks, TASK, 'audit-trail.json'), 'utf8'));
    expect(trail.agent_invocations.filter((call: { status: string }) => call.status === 'running')).toEqual(
      [],
    );
  });
});

describe('while it is built', () => {
  test('PROTO-210: an agent whose retries are used up: the way leads on to a person', async () => {
    crew = await crewAt('IMPLEMENTATION');
    for (const agent of ['architect', 'quality']) await builds(crew, agent);
    for (let n = 0; n < 3; n++) await answered(crew, 'tester', 'ERROR');
    const [first = '', then = ''] = await next();
    expect(first).toContain(`escalate ${TASK} --agent tester`);
    const told = await crew.text(crew.code, 'lead', 's-1', 'task', 'escalate', TASK, '--agent', 'tester');
    expect(told.out).toContain('negotiate');
    expect(told.out).not.toContain('CLASSIFIED');
    expect((await typed(then)).code).toBe(0);
    expect(await state()).toBe('SCOPE_NEGOTIATION');
    await crew.decides('keep-scope', 'another try');
    expect((await crew.go('task', 'invoke', TASK, '--agent', 'tester')).code).toBe(0);
  });

  test('a tree that went is made again, and nothing leads to where nothing leads', async () => {
    crew = await crewAt('IMPLEMENTATION');
    for (const agent of ['architect', 'quality']) await builds(crew, agent);
    rmSync(join(crew.tasks, TASK, 'agents', 'tester', 'code'), { recursive: true });
    const [first = ''] = await next();
    expect(first).toContain(`worktrees ${TASK}`);
    await crew.go('task', 'worktrees', TASK);
    await answered(crew, 'tester', 'ERROR');
    for (const agent of ['architect', 'quality']) await crew.go('task', 'merge', TASK, agent);
    await builds(crew, 'tester');
    expect((await crew.go('task', 'merge', TASK, 'tester')).code).toBe(0);
  });

  test('a merge asks for nobody’s key', async () => {
    crew = await crewAt('IMPLEMENTATION');
    await builds(crew, 'architect');
    crew.git(top(), 'config', 'commit.gpgsign', 'true');
    crew.git(top(), 'config', 'gpg.program', '/bin/false');
    expect((await crew.go('task', 'merge', TASK, 'architect')).code).toBe(0);
  });
});

test('an entry that is changed before the task was classified: it is put back, or a person has it begun anew', async () => {
  crew = await crewAt('INIT');
  const list = join(top(), 'todo.md');
  const before = readFileSync(list, 'utf8');
  crew.write(list, before.replace('and its tests', 'alone'));
  const refused = await crew.go('task', 'classify', TASK);
  expect(JSON.stringify(refused.error.missing)).toContain(`countersign task cancel ${TASK} --reason WHY`);
  await crew.decides('cancel', 'the entry is another one');
  await crew.go('task', 'tidy', TASK);
  await reach(crew, 'CLASSIFIED');
  expect(await state()).toBe('CLASSIFIED');
});

test('a folder of tasks that is a link to another place holds tasks as any other', async () => {
  crew = await openCrew();
  mkdirSync(join(crew.tasks, '..', 'elsewhere'));
  symlinkSync(join(crew.tasks, '..', 'elsewhere'), crew.tasks);
  await crew.say(top(), 'lead', 's-1', 'task', 'check', TASK);
  await crew.say(top(), 'lead', 's-1', 'task', 'start', TASK);
  expect((await crew.go('task', 'classify', TASK)).code).toBe(0);
  expect((await crew.say(top(), 'lead', 's-1', 'task', 'check', TASK)).data.selection).toBe('RESUME');
});
