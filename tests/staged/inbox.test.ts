import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AGENTS, type Crew } from './crew.ts';
import { answered, approved, crewAt, PLANNED, reach, TASK } from './walk.ts';

let crew: Crew;
const inboxOf = async (actor: string) =>
  (await crew.text(crew.session.repo.top, actor, '', 'inbox')).out.trim();

describe('what waits for the word of a person', () => {
  beforeAll(async () => {
    crew = await crewAt('SYNTHESIS');
  });
  afterAll(() => crew.close());

  test('a plan waits from when it is presented until it is approved, for the person alone', async () => {
    const asked = `T-1 ${TASK}: its plan waits for your word: countersign task approve ${TASK}`;
    expect(await inboxOf('')).toBe('Nothing waits for you.');
    crew.write(join(crew.tasks, TASK, 'task.md'), PLANNED());
    await crew.go('task', 'present-plan', TASK);
    expect(await inboxOf('')).toBe(asked);
    expect(await inboxOf('lead')).not.toContain('your word');
    await approved(crew);
    expect(await inboxOf('')).toBe('Nothing waits for you.');
  });

  test('a commit waits from the last approval of its reviewers until the person has spoken', async () => {
    await reach(crew, 'REVIEW', 'IMPLEMENTATION');
    expect(await inboxOf('')).toBe('Nothing waits for you.');
    for (const agent of AGENTS) await answered(crew, agent, 'APPROVED');
    await crew.go('task', 'present', TASK);
    expect(await inboxOf('')).toBe(
      `T-1 ${TASK}: its commit waits for your word: countersign task approve ${TASK}`,
    );
    await approved(crew);
    expect(await inboxOf('')).toBe('Nothing waits for you.');
  });
});
