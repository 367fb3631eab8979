import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Crew } from './crew.ts';
import { failing, gateOf } from './gates.ts';
import { approved, crewAt, PLANNED, TASK } from './walk.ts';

let crew: Crew;
const document = () => join(crew.tasks, TASK, 'task.md');
const state = async () => (await crew.go('task', 'show', TASK)).data.state;
const present = () => crew.go('task', 'present-plan', TASK);
const because = (said: Awaited<ReturnType<typeof present>>) => JSON.stringify(said.error.missing);

const gate = (command: string) => gateOf(crew, command);

describe('the synthesis and its plan', () => {
  beforeAll(async () => {
    crew = await crewAt('SYNTHESIS');
  });
  afterAll(() => crew.close());

  test('PROTO-05, PROTO-247: without a person’s word on the plan there is no building, and that is what is said', async () => {
    crew.write(document(), PLANNED());
    const found = await gate('implement');
    expect(found.open).toBe(false);
    expect(failing(found)).toEqual(['plan', 'plan-approval', 'delegation']);
  });

  test.each([
    ['PROTO-233, PROTO-188', 'Conflict Resolution'],
    ['PROTO-234, PROTO-187', 'Architecture'],
    ['PROTO-235', 'Requirement Map'],
    ['PROTO-236', 'Trade-offs'],
    ['PROTO-189', 'Success Criteria'],
  ])('%s: the synthesis says its %s, or says none', async (_, part) => {
    crew.write(document(), PLANNED().replace(`## ${part}\n`, '## Something else\n'));
    const refused = await present();
    expect(refused.code).not.toBe(0);
    expect(because(refused)).toContain(`task.md lacks ${part}`);
    crew.write(document(), PLANNED().replace(new RegExp(`(## ${part}\n\n)[^#]*`), '$1_pending_\n\n'));
    expect((await present()).code).not.toBe(0);
  });

  test('PROTO-186: no synthesis at all closes nothing', async () => {
    crew.write(document(), PLANNED().replace(/## Conflict Resolution[\s\S]*?(?=## Implementation Plan)/, ''));
    const refused = await present();
    expect(because(refused)).toContain(
      'Conflict Resolution, Architecture, Requirement Map, Trade-offs, Success Criteria',
    );
  });

  test('PROTO-238, PROTO-280: each requirement of each report has its place, and one that has none is named', async () => {
    crew.write(document(), PLANNED().replace('- REQ-QUALITY-1: src/dates.js\n', ''));
    expect(because(await present())).toContain('no place of the plan answers REQ-QUALITY-1');
    // A longer name is another requirement.
    crew.write(document(), PLANNED().replace('REQ-QUALITY-1: src', 'REQ-QUALITY-10: src'));
    expect(because(await present())).toContain('no place of the plan answers REQ-QUALITY-1');
  });

  test.each([
    'File Manifest',
    'API Specifications',
    'Behaviour',
    'Test Specifications',
    'Phases',
    'Decision Log',
  ])('PROTO-282: a plan without its %s is not presented', async (part) => {
    crew.write(document(), PLANNED().replace(`### ${part}\n`, '### Another part\n'));
    expect(because(await present())).toContain(`the plan lacks ${part}`);
  });

  test('PROTO-237: a plan says that the list is updated with the work', async () => {
    crew.write(document(), PLANNED().replace('- todo.md is updated in the same commit.', '- one commit.'));
    expect(because(await present())).toContain('the plan does not say that todo.md is updated');
  });

  test('PROTO-19, PROTO-281: of two agents in conflict the higher tier is followed, unless a reason is given', async () => {
    const ruled = (line: string) => crew.write(document(), PLANNED().replace('None found.', line));
    ruled('- architect against quality: quality');
    expect(because(await present())).toContain('quality was followed against architect');
    ruled('- architect against quality: quality, because the user asked for it');
    expect((await gate('present-plan')).points.find(({ name }) => name === 'synthesis')).toMatchObject({
      passed: true,
    });
    ruled('- architect against quality: architect');
    expect((await gate('present-plan')).points.find(({ name }) => name === 'synthesis')).toMatchObject({
      passed: true,
    });
  });

  test('PROTO-277: a call that never ended is counted and named, and keeps the task from going on until it has', async () => {
    crew.write(document(), PLANNED());
    await crew.go('task', 'invoke', TASK, '--agent', 'architect');
    expect(failing(await gate('implement'))).toContain('calls-ended');
    const trail = (await gate('clean')).points.find(({ name }) => name === 'trail-complete');
    expect(trail).toMatchObject({
      passed: false,
      because: expect.stringContaining('1 calls never ended: architect (synthesis)'),
    });
    await crew.say(crew.code, 'architect', '', 'task', 'status', TASK, 'COMPLETE');
    expect(failing(await gate('implement'))).not.toContain('calls-ended');
  });

  test('PROTO-286: a plan that leaves a decision open is not presented', async () => {
    for (const mark of ['TBD', 'Open question: which locale?', '???']) {
      crew.write(document(), PLANNED().replace('parse(text): Date', `parse(text): ${mark}`));
      expect(because(await present()), mark).toContain('leaves a decision open');
    }
  });

  test('PROTO-246, PROTO-287: a plan that is kept elsewhere is none', async () => {
    crew.write(join(crew.tasks, TASK, 'plan.md'), PLANNED());
    crew.write(document(), PLANNED().split('## Implementation Plan')[0] ?? '');
    const found = await gate('implement');
    expect(failing(found)).toContain('plan');
    expect(found.points.find(({ name }) => name === 'plan')).toMatchObject({
      because: 'task.md has no Implementation Plan',
      class: 'SYNTHESIS skipped',
    });
  });

  test('a session that goes on in SYNTHESIS has its guards judged', async () => {
    const again = await crew.say(crew.session.repo.top, 'lead', 's-1', 'task', 'start', TASK);
    expect(again.data).toMatchObject({ how: 'resumed', state: 'SYNTHESIS' });
  });

  test('PROTO-283, PROTO-291, PROTO-294: what was never shown is not approved, however simple it is', async () => {
    crew.write(document(), PLANNED());
    await expect(crew.approves()).rejects.toMatchObject({ code: 'BAD_INPUT' });
    const refused = await crew.go('task', 'implement', TASK);
    expect(refused.code).not.toBe(0);
    expect(await state()).toBe('SYNTHESIS');
  });

  test('PROTO-289, PROTO-290: what is shown has the task, its risk, every part of the plan, where it lies, and both answers', async () => {
    expect((await present()).code).toBe(0);
    const told = await crew.shown();
    for (const part of [
      ...[`The plan of ${TASK} is complete`, 'Risk MEDIUM', 'src/dates.js', 'File Manifest', 'work.txt'],
      ...['parse(text): Date', 'scenario', 'architect agent implements it', document()],
      'Answer "approved" or "proceed" to begin, or say what is to be changed',
    ])
      expect(told).toContain(part);
  });

  test('PROTO-285, PROTO-247: neither the coordinator nor a file approves it', async () => {
    for (const [who, id] of [
      ['lead', 's-1'],
      ['architect', ''],
    ] as const)
      expect((await crew.say(crew.code, who, id, 'task', 'approve', TASK)).code).not.toBe(0);
    const flag = join(crew.tasks, TASK, 'user-plan-approval-obtained.flag');
    writeFileSync(flag, '');
    await crew.go('task', 'acknowledge-delegation', TASK);
    const refused = await crew.go('task', 'implement', TASK);
    expect(refused.code).not.toBe(0);
    expect(JSON.stringify(refused.error)).toContain('plan-approval');
    expect(existsSync(flag)).toBe(false);
  });

  test('PROTO-284: a plan that changes after its approval is approved anew', async () => {
    await approved(crew);
    crew.write(document(), PLANNED().replace('One for each row.', 'Two for each row.'));
    const refused = await crew.go('task', 'implement', TASK);
    expect(because(refused)).toContain('the plan is not the one that was approved');
    expect(await state()).toBe('SYNTHESIS');
    expect((await present()).code).toBe(0);
    expect(JSON.stringify((await crew.go('task', 'implement', TASK)).error)).toContain('plan-approval');
    await approved(crew);
  });

  test('PROTO-284, PROTO-289: a person sees all of the document, and no part of it changes after their word', async () => {
    const decoy = '## Implementation Plan, in short\n\nNothing much.\n\n## Conflict Resolution';
    const text = PLANNED().replace('## Conflict Resolution', decoy);
    crew.write(document(), text);
    expect((await present()).code).toBe(0);
    for (const line of text.split('\n')) expect(await crew.shown()).toContain(line.trim());
    await approved(crew);
    await crew.go('task', 'acknowledge-delegation', TASK);
    expect(failing(await gate('implement'))).toEqual([]);
    for (const other of [
      text.replace('architect agent implements it', 'nobody implements it'),
      text.replace('src/dates.js and its tests', 'everything'),
      `${text}\n## Addendum\n\nMore of it.\n`,
    ]) {
      crew.write(document(), other);
      expect(failing(await gate('implement'))).toEqual(['plan']);
    }
    await crew.go('task', 'regather', TASK, '--reason', 'once more');
    await crew.go('task', 'synthesize', TASK);
  });

  test('PROTO-284, CP-14: a word on another text than the one that was presented is on neither', async () => {
    const [shown, other] = [PLANNED().replace('One for each row.', 'Two for each row.'), PLANNED()];
    crew.write(document(), shown);
    await crew.go('task', 'regather', TASK, '--reason', 'once more');
    await crew.go('task', 'synthesize', TASK);
    expect((await present()).code).toBe(0);
    crew.write(document(), other);
    expect(await crew.shown()).toContain('It was changed since it was presented');
    expect(await crew.approves()).toMatchObject({ kind: 'refused' });
    const { data } = await crew.go('task', 'show', TASK);
    expect(JSON.stringify(data.next)).toContain('present-plan');
    crew.write(document(), shown);
    await crew.go('task', 'acknowledge-delegation', TASK);
    expect(JSON.stringify((await crew.go('task', 'implement', TASK)).error)).toContain('plan-approval');
    await approved(crew);
  });

  test('PROTO-242, PROTO-243, PROTO-244, PROTO-245, PROTO-258, PROTO-261, PROTO-262: the guards stand in their order, each with its cause, by hand as in the step', async () => {
    const open = await gate('implement');
    expect(open.open).toBe(true);
    crew.write(document(), PLANNED().replace('## Stakeholder Agent Reports', '## Reports'));
    const sections = await gate('implement');
    expect(failing(sections)).toEqual(expect.arrayContaining(['task-file', 'report-sections']));
    crew.write(document(), '');
    const nothing = await gate('implement');
    expect(failing(nothing)).toEqual(['task-file', 'report-sections', 'plan', 'synthesis']);
    expect(nothing.points.find(({ name }) => name === 'task-file')).toMatchObject({
      class: 'CLASSIFIED skipped',
    });
    const stepped = await crew.go('task', 'implement', TASK);
    const inStep = stepped.error.missing.map(({ because: why }) => why);
    expect(inStep).toEqual(nothing.points.filter(({ passed }) => !passed).map((point) => point.because));
    crew.write(document(), PLANNED().replace('One for each row.', 'Two for each row.'));
    expect((await crew.text(crew.code, 'lead', 's-1', 'task', 'gate', TASK, 'implement')).code).toBe(0);
    crew.write(document(), '');
    const told = await crew.text(
      crew.code,
      'lead',
      's-1',
      'task',
      'gate',
      TASK,
      'implement',
      '--stop-at-first',
    );
    expect(told.code).toBe(1);
    expect(told.out.match(/FAILED/g)).toHaveLength(1);
    crew.write(document(), PLANNED().replace('One for each row.', 'Two for each row.'));
  });

  test('PROTO-249, PROTO-259: only with every guard open, the word on delegation among them, does the state move', async () => {
    const { open, points } = await gate('implement');
    expect(open).toBe(true);
    expect(points).toContainEqual(expect.objectContaining({ name: 'delegation', passed: true }));
    const moved = await crew.go('task', 'implement', TASK);
    expect(moved.data.status).toBe('IMPLEMENTATION');
  });

  test('PROTO-260: each run of the guards is on record with what set it off: by hand, the step, a session that goes on', async () => {
    const runs = await crew.session.with(async ({ ports }) =>
      (await ports.store.read(`task/${TASK}`)).flatMap(({ body }) => {
        const { type, data } = JSON.parse(body) as {
          type: string;
          data: { command: string; trigger: string; passed: boolean };
        };
        return type === 'gate-judged' && data.command === 'implement' ? [data] : [];
      }),
    );
    expect(runs).toContainEqual(expect.objectContaining({ trigger: 'by-hand', passed: true }));
    expect(runs).toContainEqual(expect.objectContaining({ trigger: 'transition', passed: false }));
    expect(runs.at(-1)).toMatchObject({ trigger: 'transition', passed: true });
    expect(runs).toContainEqual(expect.objectContaining({ trigger: 'resume' }));
  });

  test('PROTO-248: in another state the sixth guard says so', async () => {
    const found = await gate('implement');
    expect(found.points.find(({ name }) => name === 'state')).toMatchObject({
      passed: false,
      because: 'the state is IMPLEMENTATION, expected SYNTHESIS',
      class: 'jumped to IMPLEMENTATION',
    });
  });

  test('a document that is changed while it is built is told by the audit, and breaks no rule', async () => {
    const audit = async () => crew.go('task', 'audit', TASK);
    const before = readFileSync(document(), 'utf8');
    expect((await audit()).data.findings).toEqual([]);
    crew.write(document(), `${before}\nand more\n`);
    const told = await audit();
    expect(told.data.findings).toEqual([expect.objectContaining({ rule: 'plan-changed', level: 'warning' })]);
    expect(told.code).toBe(0);
    crew.write(document(), before);
  });
});
