import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handOf } from './hand.ts';
import { CHANGE, LEAD, openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

/** What a step lacks, and what leads on instead, as the command line says it. */
async function refused(...words: readonly string[]) {
  const { code, error } = await stage.s.say(LEAD, ...words);
  return { code, missing: error?.missing.map(({ because }) => because), next: error?.next };
}

const lead = (line: string) => `countersign --actor ${LEAD} ${line}`;

describe('what a step of a phase lacks, in one sentence', () => {
  it('PHASE-22: submit says that nobody was deployed, who is still at work, or who all failed', async () => {
    const [phase = ''] = await stage.plan('Design Phase');
    const deploy = lead(`phase deploy ${phase} --prompt "WHAT IT IS TO DO"`);
    expect(await refused('phase', 'submit', phase)).toEqual({
      ...{ code: 3, missing: ['no agent was deployed'], next: [deploy] },
    });
    const agent = await stage.deploy(phase);
    expect(await refused('phase', 'submit', phase)).toMatchObject({
      ...{ code: 3, missing: [`${agent} is still at work`], next: [lead(`show ${agent}`)] },
    });
    await stage.must(LEAD, 'agent', 'kill', agent, '--reason', 'it went astray');
    expect(await refused('phase', 'submit', phase)).toEqual({
      ...{ code: 3, missing: [`none of its agents has completed: ${agent}`], next: [deploy] },
    });
  });

  it('PHASE-39: abort says who is still to be heard, and nothing of the rows of the table', async () => {
    const phase = await stage.bring('UNDER_REVIEW');
    const all = (await stage.review(phase)).reviewers.map(({ agent_id: id }) => id).join(', ');
    expect((await refused('phase', 'abort', phase, '--reason', 'it takes long')).missing).toEqual([
      `${all} are still to be heard; a review is given up where those who are missing do not answer`,
    ]);
  });

  it('PHASE-87: trigger before the abort names the abort, in each face and at next', async () => {
    const phase = await stage.bring('ESCALATED');
    const { review_id: review } = await stage.review(phase);
    const abort = lead(`phase abort ${phase} --reason "WHY"`);
    expect(await refused('phase', 'trigger', phase)).toEqual({
      ...{ code: 3, missing: [`${review} came to nothing and is not given up yet`], next: [abort] },
    });
    expect((await stage.s.text(LEAD, 'next')).out).toContain(abort);
    const hand = await handOf(stage);
    const { next } = await hand.refused('trigger_agentic_review', phase, 'trigger is not open yet');
    expect(next).toEqual([
      { by: 'you', tool: 'abort_stalled_review', arguments: { phase_id: phase, reason: 'WHY' } },
    ]);
    await hand.close();
    await stage.must(LEAD, 'phase', 'abort', phase, '--reason', 'nobody answered');
    expect((await stage.s.text(LEAD, 'next')).out).not.toContain(abort);
  });

  it('PHASE-23: next of whoever coordinates names another agent once one has failed, and nobody while one works', async () => {
    const [phase = ''] = await stage.plan('Design Phase');
    const deploy = lead(`phase deploy ${phase} --prompt "WHAT IT IS TO DO"`);
    const agent = await stage.deploy(phase);
    expect((await stage.s.text(LEAD, 'next')).out).not.toContain(deploy);
    await stage.must(agent, 'agent', 'progress', 'failed', '--message', 'the API is gone');
    const { out } = await stage.s.text(LEAD, 'next');
    expect(out).toContain(deploy);
    expect(out).not.toContain(`show ${agent}`);
  });
});

describe('what is told of agents and findings', () => {
  it('PHASE-79: what has to be mended is told with its id and place, by which it is answered', async () => {
    const phase = await stage.bring('UNDER_REVIEW');
    const found = { ...CHANGE, path: 'README.md', line: 1 };
    await stage.verdict(phase, 'approve');
    await stage.verdict(phase, 'request_changes', [found]);
    await stage.verdict(phase, 'request_changes', [CHANGE]);
    const [one, two] = (await stage.review(phase)).findings;
    expect((await stage.status(phase)).guidance.blocked_reason).toEqual([
      `${CHANGE.title} (${one?.id}, README.md:1)`,
      `${CHANGE.title} (${two?.id})`,
    ]);
  });

  it('PHASE-16: that an agent which was killed has ended is no attempt of anybody', async () => {
    const [phase = ''] = await stage.plan('Design Phase');
    const agent = await stage.deploy(phase);
    await stage.must(LEAD, 'agent', 'kill', agent, '--reason', 'it went astray');
    await stage.must('', 'agent', 'settle', agent);
    expect(await stage.s.refusals(agent)).toEqual([]);
  });

  it.each(['../../etc/passwd', '/etc/passwd', 'src/../../x', './x'])(
    'PHASE-101: a finding at %s is refused in our words, and the verdict can still be given',
    async (path) => {
      const phase = await stage.bring('UNDER_REVIEW');
      const said = await stage.verdict(phase, 'request_changes', [{ ...CHANGE, path, quote: 'root' }]);
      expect([said.code, said.error.code]).toEqual([2, 'BAD_INPUT']);
      expect(said.error.message).toContain(`the path "${path}" leads out of the tree`);
      expect((await stage.verdict(phase, 'approve')).code).toBe(0);
    },
  );
});
