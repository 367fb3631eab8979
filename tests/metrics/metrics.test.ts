import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Metrics } from '../../src/engine/metrics/metrics.ts';
import { openSession, type Session } from '../session.ts';

describe('metrics', () => {
  let s: Session;
  const measured = async () => (await s.say('', 'metrics')).data as unknown as Metrics;
  beforeAll(async () => {
    s = await openSession();
  });
  afterAll(() => s.close());

  it('are empty where nothing has happened', async () => {
    expect(await measured()).toEqual({ claims: [], protocols: [], states: [], failures: [], refusals: [] });
    expect((await s.text('', 'metrics')).out.trim()).toBe('nothing has happened yet');
  });

  it('count claims that held and claims that did not, for whoever made them', async () => {
    const [one, two] = [await s.say('orchestrator', 'add', 'One'), await s.say('orchestrator', 'add', 'Two')];
    s.repo.commit({ 'work.txt': 'not yet' });
    await s.say('orchestrator', 'dispatch', one.data.id, '--to', 'swiftui-developer');
    await s.say('swiftui-developer', 'claim', one.data.id);
    await s.say('swiftui-developer', 'verify', one.data.id);
    await s.say('verification-agent', 'verify', one.data.id);
    await s.say('orchestrator', 'ack', one.data.id);
    await s.say('orchestrator', 'retry', one.data.id);
    s.repo.commit({ 'work.txt': 'done' });
    await s.say('orchestrator', 'dispatch', one.data.id, '--to', 'swiftui-developer');
    await s.say('swiftui-developer', 'claim', one.data.id);
    await s.say('verification-agent', 'verify', one.data.id);
    const found = await measured();
    expect(found.claims).toEqual([
      {
        ...{ protocol: 'two-phase', agent: 'swiftui-developer', claims: 2, passed: 1, refused: 1 },
        ...{ inconclusive: 0, false_claim_rate: 0.5 },
      },
    ]);
    expect(found.protocols).toMatchObject([
      { protocol: 'two-phase', completions: 0, rework_rounds: 1, independence: { 'other-lineage': 1 } },
    ]);
    expect(found.refusals).toContainEqual({ code: 'wrong-role', agent: 'swiftui-developer', refusals: 1 });
    expect(two.data.status).toBe('pending');
  });

  it('2PC-90: a completed item that turns out wrong is a false completion, and shows as a rate', async () => {
    expect((await s.say('orchestrator', 'complete', 'T-1')).data.status).toBe('completed');
    expect((await measured()).protocols[0]).toMatchObject({ completions: 1, false_completion_rate: 0 });
    expect((await s.say('orchestrator', 'follow-up', 'T-1', 'It broke again')).code).toBe(0);
    expect((await measured()).protocols[0]).toMatchObject({
      ...{ completions: 1, verifier_misses: 1, false_completion_rate: 1 },
    });
  });

  it('sum up the time in each state from the log', async () => {
    s.at('2025-10-25T00:00:00Z');
    await s.say('orchestrator', 'dispatch', 'T-2', '--to', 'swiftui-developer');
    s.at('2025-10-25T02:00:00Z');
    await s.say('orchestrator', 'release', 'T-2');
    const { states } = await measured();
    const working = states.find(({ state }) => state === 'in_progress');
    expect(working?.stays).toBe(3);
    expect(working?.minutes).toBeGreaterThan(119);
    expect(working?.minutes).toBeLessThan(122);
  });

  it('are zero for a scraper before they come up', async () => {
    const { out } = await s.text('', 'metrics', '--format', 'prometheus');
    const by = 'protocol="two-phase"';
    for (const name of [
      `claims_inconclusive_total{${by},agent="swiftui-developer"}`,
      `rejections_after_verification_total{${by}}`,
      `verdicts_total{${by},level="human"}`,
      'refusals_total{code="proof-used",agent="orchestrator"}',
      `state_stays_total{${by},state="verified"}`,
    ])
      expect(out).toMatch(new RegExp(`^countersign_${name.replace(/[{}]/g, '\\$&')} \\d+$`, 'm'));
    expect(out).toContain(`countersign_claims_inconclusive_total{${by},agent="swiftui-developer"} 0\n`);
    const names = out.match(/^countersign_\w+(\{.*\})?(?= )/gm) ?? [];
    expect(new Set(names).size).toBe(names.length);
    const fresh = await openSession({
      config: 'protocol: lifecycle\n',
      agents: { pia: ['plan-manager'], bo: ['build-orchestrator'] },
    });
    await fresh.say('pia', 'add', 'A task');
    await fresh.say('bo', 'move', 'T-1', 'assign', '--reason', 'now');
    const first = (await fresh.text('', 'metrics', '--format', 'prometheus')).out;
    expect(first).toContain('countersign_completions_total{protocol="lifecycle"} 0\n');
    expect(first).toContain('countersign_failures_total{state="testing",agent="bo"} 0\n');
    fresh.close();
  });

  it('are given to a scraper as counters', async () => {
    const { out } = await s.text('', 'metrics', '--format', 'prometheus');
    expect(out).toContain('# TYPE countersign_claims_total counter');
    expect(out).toContain('countersign_claims_total{protocol="two-phase",agent="swiftui-developer"} 2');
    for (const line of out.trim().split('\n'))
      expect(line).toMatch(/^(# (HELP|TYPE) countersign_\w+ .+|countersign_\w+(\{.*\})? [\d.]+)$/);
    const { out: table } = await s.text('', 'metrics');
    expect(table).toMatch(/^AGENT +PROTOCOL +CLAIMS +PASSED +REFUSED +INCONCLUSIVE +FALSE CLAIMS$/m);
    expect(table).toMatch(/^two-phase +1 +1 +100.0 % +0 +1$/m);
    expect(table).toMatch(/^two-phase +other-lineage +1$/m);
    expect(table).toMatch(/^wrong-role +swiftui-developer +1$/m);
    const refused = await s.say('', 'metrics', '--format', 'xml');
    expect(refused.error.hint).toContain('prometheus');
  });
});
