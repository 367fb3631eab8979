import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRow, itemStream } from '../../src/engine/handle.ts';
import { buildProgram, type Program } from '../terminal.ts';
import { FORCE, type Hand, handOf, NO_REJECTION, ORDER, waysOf } from './hand.ts';
import { LEAD, openStage, type Stage } from './stage.ts';

let stage: Stage;
let lead: Hand;
let program: Program;
let phase = '';
let next = '';
beforeAll(async () => {
  program = buildProgram();
  stage = await openStage();
  lead = await handOf(stage);
  phase = await stage.bring('APPROVED');
  const { data } = await stage.must('', 'phase', 'list', phase);
  next = (data as unknown as readonly { phase_id: string }[])[1]?.phase_id ?? '';
});
afterAll(async () => {
  await lead.close();
  await stage.close();
  program.remove();
});

describe('APPROVED', () => {
  it('PHASE-50: its reviewers released it, all of them heard', async () => {
    expect(await stage.state(phase)).toBe('APPROVED');
    expect(await waysOf(stage, phase)).toContain('UNDER_REVIEW>APPROVED  by engine');
    expect(await stage.review(phase)).toMatchObject({ status: 'completed', reviewers_submitted: 3 });
  });

  it('PHASE-58: tells to go on to the next, by its name', async () => {
    expect((await lead.does('get_phase_status', phase)).guidance).toEqual({
      status: 'APPROVED',
      action: "PROCEED: Phase approved. Use advance_to_next_phase to start 'Implementation Phase'.",
      blocked_reason: null,
      escalated: false,
    });
  });

  it('PHASE-53: no agent is deployed', async () => {
    await lead.refused('deploy_headless_agent', phase, 'the phase is complete', ORDER);
  });

  it('PHASE-54: it is not submitted again', async () => {
    await lead.refused('submit_phase_for_review', phase, 'the phase is already approved');
  });

  it('PHASE-55: it is not approved again, by a person neither', async () => {
    for (const more of [{}, FORCE])
      await lead.refused('approve_phase_review', phase, 'the phase is already approved', more);
    const forced = await stage.person(phase, 'force-approve', 'once more', { force: 'yes' });
    expect(forced).toMatchObject({ kind: 'refused', because: 'the phase is already approved' });
  });

  it('PHASE-56: nobody rejects it', async () => {
    await lead.refused('reject_phase_review', phase, NO_REJECTION);
  });

  it('PHASE-52: leaves a document of what was done, found and decided; one that is not approved leaves none', async () => {
    const { handover } = await lead.does('get_phase_handover', phase);
    const { commit, review_id, reviewers } = await stage.review(phase);
    for (const part of [`# Handover of ${phase}: Design Phase`, commit, 'built it', review_id])
      expect(handover).toContain(part);
    for (const { reviewer_id } of reviewers) expect(handover).toContain(`${reviewer_id} approve`);
    const { error_code } = await lead.refused('get_phase_handover', next, 'PHASE_NOT_APPROVED');
    expect(error_code).toBe('PHASE_NOT_APPROVED');
  });

  it('keeps what builders say of their work from whoever reviews', async () => {
    const other = await stage.bring('UNDER_REVIEW');
    const [reviewer] = (await stage.review(other)).reviewers;
    const said = await stage.s.say(reviewer?.agent_id ?? '', 'phase', 'handover', phase);
    expect([said.code, said.out.includes('built it')]).toEqual([7, false]);
  });

  it('is shown, with its agents and reviewers, as what they are', async () => {
    const { review_id, reviewers } = await stage.review(phase);
    const { task_id } = await stage.status(phase);
    for (const item of [phase, task_id, review_id, reviewers[0]?.reviewer_id ?? '']) {
      const { out } = await stage.s.text(LEAD, 'show', item);
      expect([item, out.includes('PROCEED: Phase approved'), out.includes('not verified')]).toEqual([
        item,
        true,
        false,
      ]);
    }
  });

  it('PHASE-57: it is completed and the next active, or neither, whenever who advances it is killed', async () => {
    const words = [program.path, '--actor', LEAD, 'phase', 'advance', phase];
    const seen = new Set<string>();
    for (let patience = 40; !seen.has('COMPLETED ACTIVE') && patience < 120_000; patience *= 1.35) {
      const child = spawn(process.execPath, words, { cwd: stage.s.repo.top, env: stage.s.env });
      const ended = once(child, 'exit');
      await Promise.race([wait(patience), ended]);
      child.kill('SIGKILL');
      await ended;
      seen.add(`${await stage.state(phase)} ${await stage.state(next)}`);
    }
    expect([...seen]).toEqual(['APPROVED PENDING', 'COMPLETED ACTIVE']);
    const writers = await stage.s.with(async ({ ports }) => {
      const rows = await Promise.all([phase, next].map((id) => findRow(ports, id)));
      const logs = await Promise.all(rows.map(({ id }) => ports.store.read(itemStream(id))));
      return logs.map((log) => log.findLast(({ body }) => body.includes('"type":"moved"'))?.command);
    });
    expect(writers[0]).toBe(writers[1]);
  });

  it('PHASE-51: advancing the next one moves on, to the last', async () => {
    expect(await stage.state(next)).toBe('ACTIVE');
    await lead.refused('advance_to_next_phase', phase, 'PHASE_NOT_APPROVED: Cannot advance phase');
    const [one = '', two = ''] = await stage.plan('A', 'B');
    await stage.completes(await stage.deploy(one));
    for (let n = 0; n < 3; n++) await stage.verdict(one, 'approve');
    const { guidance } = await lead.does('advance_to_next_phase', one);
    expect([guidance.status, await stage.state(two)]).toEqual(['COMPLETED', 'ACTIVE']);
  });

  it('PHASE-59: of the last phase it tells that the task is complete', async () => {
    await stage.completes(await stage.deploy(next));
    for (let n = 0; n < 3; n++) await stage.verdict(next, 'approve');
    expect((await lead.does('get_phase_status', next)).guidance).toEqual({
      status: 'APPROVED',
      action: 'TASK COMPLETE: All phases approved. Task finished successfully.',
      blocked_reason: null,
      escalated: false,
    });
    const { task_id } = await stage.status(next);
    expect((await stage.must('', 'show', task_id)).data.status).toBe('completed');
  });
});
