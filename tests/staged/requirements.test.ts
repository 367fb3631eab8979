import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Said } from '../session.ts';
import { type Crew, openCrew, REPORT } from './crew.ts';
import { calls, gatherWith, reportsOf, SEVEN } from './seven.ts';
import { PLANNED, reach, TASK } from './walk.ts';

let crew: Crew;
beforeEach(async () => {
  crew = await openCrew();
});
afterEach(() => crew.close());

const folder = () => join(crew.tasks, TASK);
const report = (agent: string) => join(folder(), `${TASK}-${agent}-requirements.md`);
const says = (agent: string, ...words: readonly string[]) =>
  crew.say(crew.code, agent, '', 'task', 'status', TASK, ...words);
const synthesize = () => crew.go('task', 'synthesize', TASK);
const missing = (said: Said) => JSON.stringify(said.error.missing);
const agentsShown = async () =>
  (await crew.go('task', 'show', TASK)).data.agents as unknown as readonly {
    agent: string;
    because: string;
  }[];
const told = async () =>
  Object.fromEntries((await agentsShown()).map(({ agent, because }) => [agent, because]));

describe('the reports', () => {
  test('PROTO-182: agents that were called one by one are a warning; one that was never called closes the gate', async () => {
    await gatherWith(crew, ['architect', 'quality', 'tester']);
    await calls(crew, ['architect', 'quality']);
    await reportsOf(crew, ['architect', 'quality']);
    // Whoever was not called has nothing to say yet, whatever it has written.
    crew.write(report('tester'), REPORT('tester'));
    const uncalled = await says('tester', 'COMPLETE');
    expect(uncalled.code).toBe(2);
    expect(uncalled.error.message).toContain('tester was not called');
    expect(missing(await synthesize())).toContain('tester nothing yet');
    const before = await crew.go('task', 'gate', TASK);
    expect(before.data.warnings).toEqual([]);
    await calls(crew, ['tester']);
    await reportsOf(crew, ['tester']);
    const after = await crew.go('task', 'gate', TASK);
    expect(after).toMatchObject({ code: 0 });
    expect(after.data.warnings).toEqual([expect.stringMatching(/^tester: called one by one/)]);
    expect(await synthesize()).toMatchObject({ code: 0 });
  });

  test('PROTO-183, PROTO-184, PROTO-185, PROTO-190, PROTO-191, PROTO-192, PROTO-193, PROTO-194: five agents stand in five ways, each told by its own words; with 6 of 7 it is closed', async () => {
    await gatherWith(crew, SEVEN);
    await calls(crew, SEVEN);
    const [working, gone, empty, mute, ...rest] = SEVEN;
    await reportsOf(crew, [gone, empty, ...rest]);
    await says(working, 'WORKING');
    rmSync(report(gone));
    writeFileSync(report(empty), '');
    const ways = await told();
    expect(ways).toEqual({
      [working]: 'status=WORKING, expected COMPLETE',
      [gone]: `requirements report missing: ${report(gone)}`,
      [empty]: `requirements report is empty: ${report(empty)}`,
      [mute]: 'status missing',
      ...Object.fromEntries(rest.map((agent) => [agent, 'complete'])),
    });
    expect(new Set(Object.values(ways)).size).toBe(5);
    expect(JSON.parse(readFileSync(join(folder(), 'agents', working, 'status.json'), 'utf8')).status).toBe(
      'WORKING',
    );
    await reportsOf(crew, [mute, gone]);
    const two = await synthesize();
    expect(two.code).toBe(3);
    expect(missing(two)).toContain(`${working} WORKING`);
    expect(missing(two)).toContain(report(empty));
    for (const agent of [gone, mute, ...rest]) expect(missing(two)).not.toContain(`${agent} `);
    await reportsOf(crew, [empty]);
    expect(missing(await synthesize())).toContain('6 of 7 say COMPLETE');
    await says(working, 'ERROR', '--reason', 'the fixture is wrong');
    crew.write(report(working), REPORT(working));
    const failed = await synthesize();
    expect(failed.code).toBe(3);
    expect(missing(failed)).toContain(`${working} ERROR`);
    expect((await crew.go('task', 'show', TASK)).data.state).toBe('REQUIREMENTS');
    await says(working, 'COMPLETE');
    expect(await synthesize()).toMatchObject({ code: 0 });
  });

  test('PROTO-195: the file of an agent has its status, the time and the message; an ERROR without one reads "Unknown error"', async () => {
    await reach(crew, 'REQUIREMENTS');
    await calls(crew, ['architect', 'quality', 'tester']);
    const file = (agent: string) =>
      JSON.parse(readFileSync(join(folder(), 'agents', agent, 'status.json'), 'utf8'));
    await says('architect', 'ERROR');
    expect(file('architect')).toMatchObject({
      status: 'ERROR',
      error_message: 'Unknown error',
      updated_at: expect.stringMatching(/Z$/),
    });
    expect((await told()).architect).toContain('Unknown error');
    await says('quality', 'ERROR', '--reason', 'no disk');
    expect(file('quality').error_message).toBe('no disk');
    await says('tester', 'IN_PROGRESS');
    expect(file('tester')).toMatchObject({ status: 'WORKING' });
    expect(file('tester')).not.toHaveProperty('error_message');
    expect((await says('tester', 'ASLEEP')).code).not.toBe(0);
  });
});

describe('the synthesis', () => {
  const REPORTED = `${REPORT('tester')}\n- REQ-TESTER-2: no cache (conflicts with REQ-QUALITY-1)\n`;
  const MAPPED = PLANNED().replace(
    '- REQ-TESTER-1: src/dates.js',
    '- REQ-TESTER-1: src/dates.js\n- REQ-TESTER-2: none',
  );
  const SOLVED = MAPPED.replace('None found.', 'REQ-TESTER-2 gives way to REQ-QUALITY-1: dates are cached.');
  const without = (title: string) => SOLVED.replace(new RegExp(`## ${title}\\n\\n[^#]*`), '');

  async function present(text: string): Promise<Said> {
    crew.write(join(folder(), 'task.md'), text);
    return crew.go('task', 'present-plan', TASK);
  }

  test('PROTO-186, PROTO-187, PROTO-188, PROTO-189: without the document, with a requirement that nothing answers, a conflict that nobody resolved, or no criteria, it cannot be closed', async () => {
    await reach(crew, 'REQUIREMENTS');
    await calls(crew, ['architect', 'quality', 'tester']);
    await reportsOf(crew, ['architect', 'quality']);
    await crew.reports('tester', REPORTED);
    expect(await synthesize()).toMatchObject({ code: 0 });
    expect(missing(await crew.go('task', 'present-plan', TASK))).toContain(
      'task.md lacks Conflict Resolution',
    );
    expect(missing(await present(PLANNED()))).toContain('no place of the plan answers REQ-TESTER-2');
    expect(missing(await present(MAPPED))).toContain('REQ-TESTER-2 with REQ-QUALITY-1 is not resolved');
    for (const title of ['Conflict Resolution', 'Architecture', 'Requirement Map', 'Success Criteria'])
      expect(missing(await present(without(title))), title).toContain(`task.md lacks ${title}`);
    const empty = SOLVED.replace(/(## Success Criteria\n\n)[^#]*/, '$1_pending_\n\n');
    expect(missing(await present(empty))).toContain('task.md lacks Success Criteria');
    expect((await crew.go('task', 'implement', TASK)).code).toBe(3);
    expect(await present(SOLVED)).toMatchObject({ code: 0 });
  });
});
