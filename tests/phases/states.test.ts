import { afterAll, beforeAll, expect, it } from 'vitest';
import { itemStream, loadItem } from '../../src/engine/handle.ts';
import { eventOf } from '../../src/engine/stored.ts';
import { POLICY } from '../../src/kernel/actor.ts';
import type { ItemEvent } from '../../src/kernel/event.ts';
import { PROFILES } from '../../src/mcp/profiles.ts';
import { BUILT_IN } from '../../src/protocols/index.ts';
import { raw } from '../audit/tamper.ts';
import { CONFIG, LEAD, openStage, type Stage } from './stage.ts';

// One reviewer a phase: what is looked at here are its states, not how reviewers agree.
let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ config: CONFIG().replace('reviewers: 3', 'reviewers: 1') });
});
afterAll(() => stage.close());

it('PHASE-02: of three phases one at a time is live, at every step to the end', async () => {
  const phases = await stage.plan('A', 'B', 'C');
  for (const phase of phases) {
    await stage.completes(await stage.deploy(phase));
    await stage.verdict(phase, 'approve');
    await stage.must(LEAD, 'phase', 'advance', phase);
  }
  const log = await stage.s.with(async ({ ports }) => {
    const ids = await Promise.all(phases.map(async (one) => (await loadItem(ports, one)).id));
    const all = await Promise.all(ids.map((id) => ports.store.read(itemStream(id))));
    return all.flat().toSorted((a, b) => a.position - b.position);
  });
  const states = new Map<string, string>();
  const steps = log.map((stored) => {
    const event = eventOf<ItemEvent>(stored);
    if (event.type === 'moved') states.set(stored.stream, event.to);
    return [...states.values()].filter((state) => state !== 'COMPLETED').length;
  });
  expect(Math.max(...steps)).toBe(1);
  expect([...states.values()]).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED']);
});

it('PHASE-04: whoever coordinates sets no status: nothing offers it, and who writes it into the file is found out', async () => {
  const [phase = ''] = await stage.plan('A');
  for (const { name, input } of PROFILES.phases.filter(({ roles }) => roles.includes('orchestrator')))
    for (const field of ['status', 'state', 'to'])
      expect([name, Object.keys((input as { readonly shape: object }).shape)]).not.toContain(field);
  for (const row of BUILT_IN.phase?.rows ?? [])
    if ([row.by].flat().every((role) => role === POLICY.id || role === 'engine'))
      for (const actor of [LEAD, 'mallory', ''])
        expect((await stage.s.say(actor, 'move', phase, row.command || 'APPROVED')).code).not.toBe(0);
  expect(await stage.state(phase)).toBe('ACTIVE');
  const { id } = await stage.s.with(({ ports }) => loadItem(ports, phase));
  const path = `${stage.s.repo.top}/.git/countersign/store.db`;
  raw(path, (db) => db.prepare(`UPDATE items SET state = 'APPROVED' WHERE id = ?`).run(id));
  const advanced = await stage.s.say(LEAD, 'phase', 'advance', phase);
  expect(advanced.error).toMatchObject({ code: 'DAMAGED' });
  expect((await stage.s.say('', 'audit', 'verify')).code).not.toBe(0);
});
