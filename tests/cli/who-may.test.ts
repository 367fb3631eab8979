import { afterEach, expect, it } from 'vitest';
import { openSession, type Session } from '../session.ts';
import { work } from '../two-phase/bring.ts';

// Who is told to act can: neither the builder nor the lineage of the builder is named where the work bars them.
let s: Session;
afterEach(() => s.close());

const QUALITY = 'settings: {acknowledge: orchestrator, quality_validation: true}\n';

async function verified(): Promise<void> {
  s = await openSession({
    config: QUALITY,
    agents: {
      b: ['specialist', 'quality-validator'],
      c: ['verification-agent'],
      q: ['quality-validator'],
      lead: ['workflow-orchestrator'],
    },
  });
  await s.register('b2', ['quality-validator'], 'b');
  await s.say('lead', 'add', 'Work');
  work(s);
  await s.say('b', 'claim', 'T-1');
  expect((await s.say('c', 'verify', 'T-1')).data.status).toBe('verified');
}

const TOLD = 'countersign report T-1 --approve  [quality-validator or human (ada, q)]';

it.each(['b', 'b2'])('offers the quality report to whoever may give it, and not to %s', async (actor) => {
  await verified();
  expect((await s.say(actor, 'show', 'T-1')).data.next).toEqual([TOLD]);
  expect((await s.say(actor, 'next')).data.next).toEqual([]);
  expect((await s.text(actor, 'next')).out).not.toContain('report');
  expect((await s.say(actor, 'release', 'T-1')).error.next).toEqual([TOLD]);
  const refused = await s.say(actor, 'report', 'T-1', '--approve');
  expect([refused.code, refused.error.next]).toEqual([3, [TOLD]]);
  expect((await s.say('q', 'show', 'T-1')).data.next).toEqual(['countersign --actor q report T-1 --approve']);
});

it('offers it to the builder where nobody else can give it', async () => {
  await verified();
  await s.say('', 'actor', 'retire', 'q');
  await s.say('', 'actor', 'retire', 'b2');
  const own = 'countersign --actor b report T-1 --approve';
  expect((await s.say('b', 'show', 'T-1')).data.next).toEqual([own]);
  expect((await s.say('b', 'report', 'T-1', '--approve')).code).toBe(0);
});

it('names nobody of the lineage of the builder among those who may verify', async () => {
  s = await openSession({
    agents: { b: ['specialist'], c: ['verification-agent'], lead: ['workflow-orchestrator'] },
  });
  await s.register('b2', ['verification-agent'], 'b');
  await s.say('lead', 'add', 'Work');
  work(s);
  const line = 'countersign verify T-1  [verification-agent or human (ada, c)]';
  expect((await s.text('b', 'claim', 'T-1')).out).toContain(`next: ${line}\n`);
  const refused = await s.say('b2', 'verify', 'T-1');
  expect([refused.code, refused.error.next]).toEqual([3, [line]]);
});
