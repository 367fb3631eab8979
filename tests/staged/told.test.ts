import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Crew } from './crew.ts';
import { failing, gateOf } from './gates.ts';
import { answered, crewAt, reach, TASK } from './walk.ts';

// What is told of a task is what holds where it stands, and for whoever asks.
let crew: Crew;
beforeAll(async () => {
  crew = await crewAt('SYNTHESIS');
});
afterAll(() => crew.close());

const nextOf = async () => (await crew.say(crew.code, 'lead', '', 'next')).data.next as unknown as Shown[];
interface Shown {
  readonly command: string;
  readonly commands: readonly string[];
}

describe('next', () => {
  test('PROTO-23: it leads a task in stages on as a look at the task does', async () => {
    const [shown] = (await crew.go('task', 'show', TASK)).data.next as unknown as { run: string }[];
    const [found] = await nextOf();
    expect(shown?.run).toContain(`present-plan ${TASK}`);
    expect(found?.command).toBe(shown?.run.replace('s-1', 'SESSION'));
    expect((await crew.text(crew.code, 'lead', '', 'next')).out).toContain(`present-plan ${TASK}`);
    expect((await crew.text(crew.code, 'lead', '', 'next')).out).not.toContain('reclassify');
  });
});

describe('a gate', () => {
  test('of a step that several states know is judged by the row of the state', async () => {
    expect(failing(await gateOf(crew, 'add-agent'))).toEqual(['addition']);
    await reach(crew, 'REVIEW', 'IMPLEMENTATION');
    await crew.go('task', 'invoke', TASK, '--agent', 'tester');
    await crew.say(crew.code, 'tester', '', 'task', 'status', TASK, 'REJECTED', '--reason', 'no');
    expect(failing(await gateOf(crew, 'rework'))).toEqual([]);
    expect(failing(await gateOf(crew, 'negotiate'))).toEqual([]);
    await crew.go('task', 'rework', TASK, '--reason', 'no');
    await answered(crew, 'architect');
  });
});

describe('a session that a person gave a task to', () => {
  test('PROTO-23: its coordinator goes on, and is not sent to act as the person', async () => {
    await (await crew.shownForce(TASK, 'it does not answer'))();
    await crew.resumes('s-2');
    const told = await crew.text(crew.code, 'lead', 's-2', 'task', 'show', TASK);
    expect(told.out).toMatch(/^next: countersign --actor lead task --session s-2 /m);
  });
});
