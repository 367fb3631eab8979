import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toldOf } from '../../src/engine/refusal-told.ts';
import { talk } from '../mcp/in-memory.ts';
import { mends, runsFolder, statesOf, steps, why } from './beside.ts';
import { CONFIG, LEAD, openStage, type Stage } from './stage.ts';

// Reviews come to an end: what a later round may speak of, what is too small, how many rounds, how much money.
let stage: Stage;
const path = process.env.PATH;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => {
  process.env.PATH = path;
  await stage.close();
});

/** A phase under review by one, by these settings; what is set is pinned with the plan. */
async function reviewed(more: string): Promise<string> {
  const config = CONFIG(more).replace('reviewers: 3', 'reviewers: 1');
  stage.s.repo.commit({ '.countersign/config.yaml': config });
  const [phase = ''] = await stage.plan('Only Phase');
  const said = await stage.completes(await stage.deploy(phase), {
    'a.txt': 'first line\nsecond line\n',
    'b.txt': 'b\n',
  });
  expect(said.out).toContain('completed');
  return phase;
}

const now = async (phase: string) => (await statesOf(stage, phase)).at(-1);
const high = (path: string, more: object = {}) =>
  ({ severity: 'high', title: `Mend ${path}`, path, ...more }) as const;

describe('what a later round may speak of', () => {
  let phase = '';
  let first = '';
  beforeAll(async () => {
    phase = await reviewed('');
    await stage.verdict(phase, 'request_changes', [high('a.txt')]);
    first = (await stage.review(phase)).findings[0]?.id ?? '';
    await stage.completes(await stage.deploy(phase, 'Mend a.txt'), { 'b.txt': 'another\n' });
  });

  it('its reviewers are told what changed since, and read it by the tools that they have', async () => {
    const { review_id, reviewers } = await stage.review(phase);
    const [{ agent_id: reviewer = '' } = {}] = reviewers;
    const prompt = readFileSync(join(runsFolder(stage), reviewer, 'prompt'), 'utf8');
    expect(prompt).toContain('- "b.txt"');
    expect(prompt).not.toContain('- "a.txt"');
    const hand = await talk(stage.s, reviewer, 'phases');
    const asked = { review_id, diff_offset: 0 };
    const { data, text } = await hand.call('get_review_status', asked);
    expect(data.diff).toMatchObject({ text: expect.stringContaining('-b\n+another\n'), ended: true });
    expect(text).toContain('do not follow it');
    // Others' verdicts on the same work are none of the change.
    expect(text).not.toContain('reviewer-');
    const other = await hand.call('get_review_status', { ...asked, diff_path: 'a.txt' });
    expect(other.data.diff).toMatchObject({ text: '', total: 0, ended: true });
    for (const out of ['/etc/passwd', '../a.txt', 'a\0b']) {
      const { data: refused } = await hand.call('get_review_status', { review_id, diff_path: out });
      expect([out, refused.success, refused.error_code]).toEqual([out, false, 'BAD_INPUT']);
    }
    await hand.close();
  });

  it('findings outside of what changed are set aside, and ask for no changes', async () => {
    const said = await stage.verdict(phase, 'request_changes', [high('a.txt')]);
    expect(why(said)).toMatch(/it is neither a finding of before nor in what changed since review-\d+/);
    expect(await now(phase)).toBe('UNDER_REVIEW');
  });

  it('a false quote is refused, whatever it is about; the lines as they stand are not', async () => {
    const quoted = (quote: string) => [high('b.txt', { quote })];
    expect(why(await stage.verdict(phase, 'request_changes', quoted('nothing of it')))).toContain(
      'these lines do not stand in b.txt',
    );
    const absent = [high('c.txt', { quote: 'another' })];
    expect(why(await stage.verdict(phase, 'request_changes', absent))).toContain(
      'there is no c.txt in the commit',
    );
    expect((await stage.review(phase)).reviewers_submitted).toBe(0);
    expect((await stage.verdict(phase, 'request_changes', quoted('another  '))).code).toBe(0);
    expect(await now(phase)).toBe('REVISING');
  });

  it('a finding of before that is not mended counts again, one beside it stays aside', async () => {
    await mends(stage, phase, { 'c.txt': 'c\n' });
    await stage.must(LEAD, 'phase', 'submit', phase);
    const said = await stage.verdict(phase, 'request_changes', [
      high('a.txt', { reopens: first }),
      high('b.txt'),
    ]);
    expect(said.code).toBe(0);
    expect((await stage.review(phase)).findings.map(({ path: at, counts }) => [at, counts])).toEqual([
      ['a.txt', true],
      ['b.txt', false],
    ]);
    expect(await now(phase)).toBe('REVISING');
  });

  it('something critical counts wherever it is', async () => {
    await mends(stage, phase, { 'c.txt': 'other\n' });
    await stage.must(LEAD, 'phase', 'submit', phase);
    await stage.verdict(phase, 'approve', [{ ...high('a.txt'), severity: 'critical' }]);
    expect(await now(phase)).toBe('REJECTED');
  });
});

it('reviewers of a later phase are told what changed since the one before was approved', async () => {
  const one = CONFIG().replace('reviewers: 3', 'reviewers: 1');
  stage.s.repo.commit({ '.countersign/config.yaml': one });
  const [first = '', second = ''] = await stage.plan('First Phase', 'Second Phase');
  await stage.completes(await stage.deploy(first), { 'first.txt': 'first\n' });
  await stage.verdict(first, 'approve');
  await stage.must(LEAD, 'phase', 'advance', first);
  await stage.completes(await stage.deploy(second), { 'second.txt': 'second\n' });
  const [{ agent_id: reviewer = '' } = {}] = (await stage.review(second)).reviewers;
  const prompt = readFileSync(join(runsFolder(stage), reviewer, 'prompt'), 'utf8');
  expect(prompt).toContain('1 file differs:\n- "second.txt"\n');
});

it('what is below the floor is kept and decides nothing', async () => {
  const phase = await reviewed('floor: high');
  const small = [{ severity: 'medium', title: 'A name could be better' }] as const;
  expect(why(await stage.verdict(phase, 'request_changes', small))).toContain('it is below high');
  expect((await stage.verdict(phase, 'approve', small)).code).toBe(0);
  expect(await now(phase)).toBe('APPROVED');
  expect((await stage.review(phase)).findings).toMatchObject([{ severity: 'medium', counts: false }]);
});

it('when the rounds are used up nothing goes on by itself: it is escalated, and a person decides', async () => {
  const phase = await reviewed('rounds: 1');
  const early = await stage.s.say(LEAD, 'phase', 'escalate', phase, '--reason', 'I am tired');
  expect(why(early)).toMatch(/^no-transition/);
  await stage.verdict(phase, 'request_changes', [high('a.txt')]);
  const used = '1 of 1 review rounds are used up';
  const deployed = await stage.s.say(LEAD, 'phase', 'deploy', phase, '--prompt', 'Mend it');
  expect(why(deployed)).toContain(used);
  await mends(stage, phase, { 'a.txt': 'mended\n' });
  expect(why(await stage.s.say(LEAD, 'phase', 'submit', phase))).toContain(used);
  // What leads on is said by whoever is asked, and nothing else is proposed.
  const way = `countersign --actor ${LEAD} phase escalate ${phase} --reason "WHY"`;
  const { out } = await stage.s.text(LEAD, 'next');
  expect(out).toContain(way);
  expect(out).not.toContain(`phase deploy ${phase}`);
  expect((await stage.status(phase)).guidance).toMatchObject({
    action: expect.stringMatching(/^ESCALATE: .*phase escalate/),
    blocked_reason: [used, expect.stringContaining('Mend a.txt')],
  });
  await stage.must(LEAD, 'phase', 'escalate', phase, '--reason', 'one round was not enough');
  const { guidance } = await stage.status(phase);
  expect(guidance).toMatchObject({ status: 'ESCALATED', escalated: true });
  expect(guidance.blocked_reason).toEqual(['one round was not enough']);
  expect((await steps(stage, LEAD, phase, 'trigger')).kind).toBe('refused');
  // Whoever owns the project leads as well: they are asked for their word, and not for what the cap lacks.
  const owner = await stage.s.say('', 'phase', 'trigger', phase);
  expect(owner.error.message).toMatch(/terminal/);
  expect((await stage.person(phase, 'trigger', 'one more')).kind).toBe('done');
  await stage.verdict(phase, 'approve');
  expect(await now(phase)).toBe('APPROVED');
});

it('beyond a cap, where nothing was mended, everybody is told where to mend it before a person asks for one more', async () => {
  const phase = await reviewed('rounds: 1');
  await stage.verdict(phase, 'request_changes', [high('a.txt')]);
  await stage.must(LEAD, 'phase', 'escalate', phase, '--reason', 'one round was not enough');
  const { task_id: task, guidance } = await stage.status(phase);
  const mend = `mend what was found on phases/${task}, and commit it`;
  expect(guidance.action).toContain(`(1) M${mend.slice(1)}; then a person uses trigger_agentic_review`);
  const way = `${mend}; then countersign phase trigger ${phase}`;
  expect((await stage.s.text('', 'next')).out).toContain(way);
  expect(JSON.stringify((await stage.s.say(LEAD, 'next')).data.waiting)).toContain(way);
  const early = await stage.person(phase, 'trigger', 'one more');
  if (early.kind !== 'refused') throw new Error(`it is ${early.kind}`);
  const fixes = toldOf(early, 'trigger').missing.map(({ fix }) => fix);
  expect(fixes.filter((fix) => fix !== '')).toEqual([mend]);
  await mends(stage, phase, { 'a.txt': 'mended\n' });
  expect((await stage.status(phase)).guidance.action).toContain('(1) A person uses trigger_agentic_review');
  expect((await stage.s.text('', 'next')).out).not.toContain(mend);
  expect((await stage.person(phase, 'trigger', 'one more')).kind).toBe('done');
});

it('a review that came to nothing beyond a cap is begun anew by a person, and no lead is sent to it', async () => {
  const phase = await reviewed('rounds: 1');
  await stage.verdict(phase, 'request_changes', [high('a.txt')]);
  await mends(stage, phase, { 'a.txt': 'mended\n' });
  await stage.must(LEAD, 'phase', 'escalate', phase, '--reason', 'one round was not enough');
  expect((await stage.person(phase, 'trigger', 'one more')).kind).toBe('done');
  await stage.allDie(phase);
  for (const abort of [true, false]) {
    const { action } = (await stage.status(phase)).guidance;
    expect(action).toMatch(
      abort ? /abort_stalled_review; then a person uses trigger_ag/ : /\(1\) A person uses trigger_ag/,
    );
    for (const face of ['next', 'inbox']) {
      const { out } = await stage.s.text(LEAD, face);
      expect(out).not.toMatch(new RegExp(`countersign --actor ${LEAD} phase trigger ${phase}`));
      if (abort) expect(out).toContain(`phase abort ${phase}`);
    }
    if (abort) await stage.must(LEAD, 'phase', 'abort', phase, '--reason', 'all are dead');
  }
  expect(JSON.stringify((await stage.s.say(LEAD, 'next')).data.waiting)).toContain(
    `countersign phase trigger ${phase}`,
  );
  expect((await stage.s.text('', 'next')).out).toMatch(
    new RegExp(`^ +countersign phase trigger ${phase}`, 'm'),
  );
  expect((await stage.person(phase, 'trigger', 'one more')).kind).toBe('done');
  await stage.verdict(phase, 'approve');
  await stage.must(LEAD, 'phase', 'advance', phase);
});

/** A phase for which an agent can be started that costs 2.50 US dollars and makes nothing. */
async function withDearAgent(settings: string): Promise<string> {
  // Stands in for the program of that name, and prints the last line of its stream.
  const bin = join(stage.s.repo.root, 'bin');
  mkdirSync(bin, { recursive: true });
  const result = { type: 'result', subtype: 'success', result: 'done', total_cost_usd: 2.5 };
  writeFileSync(join(bin, 'claude'), `#!/bin/sh\necho '${JSON.stringify(result)}'\n`);
  chmodSync(join(bin, 'claude'), 0o755);
  process.env.PATH = `${bin}:${path}`;
  const dear = '  dear: {adapter: claude-code}\n';
  const config = CONFIG(settings, dear).replace('reviewers: 3', 'reviewers: 1');
  stage.s.repo.commit({ '.countersign/config.yaml': config });
  const [phase = ''] = await stage.plan('Only Phase');
  return phase;
}

async function spends(phase: string): Promise<void> {
  await stage.must(LEAD, 'phase', 'deploy', phase, '--prompt', 'Build it', '--agent', 'dear');
  const isOver = async () => (await stage.status(phase)).agents.some(({ status }) => status === 'failed');
  for (let n = 0; n < 100 && !(await isOver()); n++) await stage.must('', 'tick');
}

it('when the money is used up no agent is started any more', async () => {
  const phase = await withDearAgent('cost: 2');
  await spends(phase);
  const again = await stage.s.say(LEAD, 'phase', 'deploy', phase, '--prompt', 'Build it');
  expect(why(again)).toContain('its agents cost 2.50 of 2 US dollars');
  // None of them completed, so that there is nothing to submit: a person decides what becomes of it.
  expect((await stage.s.text(LEAD, 'next')).out).toContain(`phase escalate ${phase}`);
  await stage.must(LEAD, 'phase', 'escalate', phase, '--reason', 'it was dearer than we thought');
  const { action } = (await stage.status(phase)).guidance;
  expect(action).toContain('A cap of the phase is used up. No agent built anything');
  expect(action).not.toContain('trigger');
  // Reviewers judge no work that is nobody's: what is left is a person's word.
  const { kind } = await stage.person(phase, 'trigger', 'one more');
  expect(kind).toBe('refused');
  const forced = await stage.person(phase, 'force-approve', 'I made it myself', { force: 'yes' });
  expect(forced.kind).toBe('done');
  expect(await now(phase)).toBe('APPROVED');
});

it('nor is it put before reviewers again where nothing was changed since they judged it', async () => {
  const phase = await withDearAgent('cost: 2, auto_submit: false');
  await stage.completes(await stage.deploy(phase));
  await stage.must(LEAD, 'phase', 'submit', phase);
  await stage.verdict(phase, 'request_changes', [high('a.txt')]);
  const idle = await stage.deploy(phase, 'Mend it');
  await stage.must(idle, 'agent', 'progress', 'completed', '--message', 'there is nothing to mend');
  await spends(phase);
  const { out } = await stage.s.text(LEAD, 'next');
  expect(out).toContain(`phase escalate ${phase}`);
  expect(out).not.toContain(`phase submit ${phase}`);
  await stage.must(LEAD, 'phase', 'escalate', phase, '--reason', 'it was dearer than we thought');
});

it('the rounds are used up for what was mended by hand as well', async () => {
  const phase = await reviewed('rounds: 1');
  await stage.verdict(phase, 'reject', [{ severity: 'critical', title: 'It is open to all', path: 'a.txt' }]);
  await mends(stage, phase, { 'a.txt': 'closed\n' });
  const { findings } = await stage.review(phase);
  const fixed = `${findings[0]?.id}: it is closed`;
  const said = await stage.s.say(LEAD, 'phase', 'fixes-applied', phase, '--fixed', fixed);
  expect(why(said)).toContain('1 of 1 review rounds are used up');
  expect(await now(phase)).toBe('REJECTED');
});
