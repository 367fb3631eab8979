import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Faces, facesOf } from '../journeys/faces.ts';
import { bringLife, CLAIMED, LIFE_TEAM, type LifeState, workOn } from '../journeys/lifecycle-states.ts';
import { openSession, type Session } from '../session.ts';
import { type Hands, handsOf } from './hands.ts';

// J04 through the tools of the profile lifecycle.
let s: Session;
let faces: Faces;
let hands: Hands;
beforeAll(async () => {
  s = await openSession({ agents: LIFE_TEAM, files: { 'README.md': '# Scratch\n', 'plan.md': '# Plan\n' } });
  faces = await facesOf(s, [], 'lifecycle');
  hands = await handsOf(s, 'lifecycle', Object.keys(LIFE_TEAM));
});
afterAll(async () => {
  await hands.close();
  await faces.close();
  s.close();
});

const call: Hands['call'] = (...asked) => hands.call(...asked);
const to: Hands['to'] = (...asked) => hands.to(...asked);

describe('J04: failures and escalation', () => {
  const fail = (actor: string, task_id: string, reason = 'it does not work') =>
    to(actor, 'record_failure', { task_id, reason });
  /** From in progress to quality review anew. */
  const again = async (task_id: string) => {
    expect(await to('developer', 'finish_task', { task_id, commit: workOn(s) })).toBe('testing');
    expect(await to('developer', 'request_review', { task_id, evidence: ['README.md'] })).toBe(
      'quality_review',
    );
  };

  test('LIFE-39, LIFE-43, LIFE-48, LIFE-53, LIFE-68, LIFE-74, LIFE-115: three rejections, guidance, and what came of it', async () => {
    const task_id = await bringLife(s, faces, 'planning');
    expect(await fail('validator', task_id, 'no plan for errors')).toBe('planning');
    expect(await fail('validator', task_id, 'still none')).toBe('planning');
    expect(await fail('validator', task_id, 'none at all')).toBe('cto_intervention');
    const briefed = await call('cto', 'item_show', { item: task_id, history: true });
    expect(briefed.data).toMatchObject({
      item: { content: 'Build the thing', status: 'cto_intervention' },
      briefing: {
        failures: ['no plan for errors', 'still none', 'none at all'].map((reason) => ({ reason })),
        guidance: [],
      },
      history: { ctoAttempts: 1 },
    });
    for (const guidance of ['', '  '])
      expect((await call('cto', 'give_guidance', { task_id, guidance })).data).toMatchObject({
        ok: false,
        code: 'bad-arguments',
      });
    expect(await to('cto', 'give_guidance', { task_id, guidance: 'List the errors first' })).toBe('planning');
    const shown = await call('developer', 'item_show', { item: task_id });
    expect(shown.text).toContain('guidance        by cto (open): List the errors first');
    const proposed = { task_id, file: 'plan.md', reason: 'errors are listed' };
    expect(await to('developer', 'propose_approach', proposed)).toBe('planning');
    expect(await to('validator', 'validate_task', { task_id })).toBe('validated');
    const { data } = await call('developer', 'item_show', { item: task_id });
    expect(data.briefing).toMatchObject({ guidance: [{ outcome: 'solved' }] });
  });

  test('LIFE-40, LIFE-45, LIFE-50, LIFE-64: failures of the review are counted across the way back', async () => {
    const task_id = await bringLife(s, faces, 'quality_review');
    for (let n = 0; n < 2; n++) {
      expect(await fail('monitor', task_id)).toBe('in_progress');
      await again(task_id);
    }
    expect(await fail('monitor', task_id)).toBe('cto_intervention');
    expect(await to('cto', 'give_guidance', { task_id, guidance: 'Look at it again' })).toBe(
      'quality_review',
    );
  });

  test('LIFE-41, LIFE-46, LIFE-51: a commit that fails goes back to be built', async () => {
    const task_id = await bringLife(s, faces, 'committing');
    const next = async () => {
      await again(task_id);
      const verified = await call('monitor', 'verify_task', { task_id });
      expect(verified.data.item?.status, verified.text).toBe('approved');
      expect(await to('committer', 'start_commit', { task_id })).toBe('committing');
    };
    for (let n = 0; n < 2; n++) {
      expect(await fail('committer', task_id, 'the hook failed')).toBe('in_progress');
      await next();
    }
    expect(await fail('committer', task_id)).toBe('cto_intervention');
    expect(await to('cto', 'give_guidance', { task_id, guidance: 'Mend the hook' })).toBe('committing');
    expect(CLAIMED.has(task_id)).toBe(true);
  });

  test('LIFE-75, LIFE-76: the cto alone rolls back and skips, and each is told as what it was', async () => {
    const skipped = await bringLife(s, faces, 'cto_intervention');
    const words = { guidance: 'go on without' };
    for (const actor of ['orchestrator', 'developer'])
      await expect(call(actor, 'give_guidance', { task_id: skipped, ...words })).rejects.toThrow();
    expect(
      (
        await call('orchestrator', 'item_move', {
          item: skipped,
          command: 'skip',
          arguments: { guidance: 'x' },
        })
      ).data,
    ).toMatchObject({ ok: false, code: 'wrong-role' });
    expect(await to('cto', 'give_guidance', { task_id: skipped, pattern: 'skip', ...words })).toBe(
      'validated',
    );
    const rolled = await bringLife(s, faces, 'cto_intervention');
    const nowhere = await call('cto', 'give_guidance', {
      task_id: rolled,
      pattern: 'rollback',
      guidance: 'x',
    });
    expect(nowhere.data).toMatchObject({ ok: false, code: 'bad-arguments' });
    const back = { task_id: rolled, pattern: 'rollback', to: 'assigned', ...words };
    expect(await to('cto', 'give_guidance', back)).toBe('assigned');
    const patterns = async (id: string) => (await s.text('', 'history', id, '--events')).out;
    expect(await patterns(skipped)).toContain('"pattern":"skip"');
    expect(await patterns(rolled)).toContain('"pattern":"rollback"');
  });

  test('LIFE-24, LIFE-52: after two interventions a person decides, and no agent', async () => {
    const task_id = await bringLife(s, faces, 'planning');
    const limit = async () => {
      for (let n = 0; n < 3; n++) await fail('validator', task_id);
    };
    await limit();
    expect((await call('cto', 'escalate_task', { task_id, reason: 'early' })).data).toMatchObject({
      ok: false,
      code: 'gate-closed',
    });
    await to('cto', 'give_guidance', { task_id, guidance: 'one' });
    await limit();
    await to('cto', 'give_guidance', { task_id, guidance: 'two' });
    await limit();
    expect(await faces.state(task_id)).toBe('human_escalation');
    for (const actor of Object.keys(LIFE_TEAM).filter((name) => name !== 'bystander'))
      for (const command of ['resolve', 'abandon', 'return', 'fail']) {
        const tried = await call(actor, 'item_move', { item: task_id, command, to: 'planning', reason: 'x' });
        expect([actor, command, tried.isError]).toEqual([actor, command, true]);
      }
    const { data } = await call('cto', 'item_show', { item: task_id });
    expect(data.next).toMatchObject(
      ['resolve', 'abandon'].slice(0, 1).map((command) => ({
        by: 'a person at a terminal',
        run: expect.stringContaining(`countersign move ${task_id} ${command}`),
      })),
    );
    const resolved = await faces.confirm('move', task_id, 'resolve', '--to', 'planning', '--reason', 'go on');
    expect(resolved.data.status).toBe('planning');
  });

  test.each(['assigned', 'validated', 'approved'] as const satisfies readonly LifeState[])(
    'LIFE-42: three failures in %s call the cto as well, who returns it there',
    async (state) => {
      const task_id = await bringLife(s, faces, state);
      const owner = { assigned: 'validator', validated: 'developer', approved: 'committer' }[state];
      for (let n = 0; n < 2; n++) expect(await fail(owner, task_id)).toBe(state);
      expect(await fail(owner, task_id)).toBe('cto_intervention');
      expect(await to('cto', 'give_guidance', { task_id, guidance: 'once more' })).toBe(state);
    },
  );
});

test('what was tried stays below 25 KB however much was said, and all of it stands behind a resource', async () => {
  const task_id = await bringLife(s, faces, 'planning');
  const long = (n: number) => `${n} ${'ü'.repeat(1_900)}`;
  for (let n = 0; n < 9; n++) {
    await hands.to('validator', 'record_failure', { task_id, reason: long(n) });
    if ((await faces.state(task_id)) === 'cto_intervention')
      await to('cto', 'give_guidance', { task_id, guidance: long(n + 100) });
  }
  const { data, text, links } = await call('cto', 'item_show', { item: task_id, history: true });
  expect(Buffer.byteLength(JSON.stringify(data)) + Buffer.byteLength(text)).toBeLessThan(25_000);
  const { contents } = await hands.talkOf('cto').client.readResource({ uri: links.at(-1) ?? '' });
  const whole = (contents[0] as { text: string }).text;
  for (let n = 0; n < 9; n++) expect(whole).toContain(long(n));
});
