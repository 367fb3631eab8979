import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { auditLateAgents, LATE_RULES, type LateRecord } from '../../src/engine/staged/late-agents.ts';
import type { Crew } from './crew.ts';
import { addsTo, auditOf, TESTERS } from './late.ts';
import { crewAt, TASK } from './walk.ts';

let crew: Crew | undefined;
afterEach(() => crew?.close());

const lockOf = ({ tasks }: Crew) => join(tasks, TASK, 'task.json');
const readLock = (of: Crew) => JSON.parse(readFileSync(lockOf(of), 'utf8'));

/** Writes the lock by hand, as somebody would who goes around the engine. */
function forge(of: Crew, change: (lock: ReturnType<typeof readLock>) => void): void {
  const text = readLock(of);
  change(text);
  writeFileSync(lockOf(of), JSON.stringify(text));
}

const SOUND: LateRecord = {
  required: ['architect', 'security'],
  additions: [
    { agent: 'security', added_at_state: 'SYNTHESIS', timestamp: '2026-01-01T10:00Z', justification: 'x' },
  ],
  chosen: ['architect'],
  chosenAt: '2026-01-01T08:00Z',
  invoked: ['architect', 'security'],
  worktrees: ['architect', 'security'],
  domains: { architect: 'architecture', security: 'security', guard: 'security' },
  rejections: [],
  completed: [{ agent: 'security', at: '2026-01-01T11:00Z' }],
  log: [{ from: 'SYNTHESIS', to: 'IMPLEMENTATION', at: '2026-01-01T13:00Z' }],
  approvals: ['2026-01-01T12:00Z'],
};
const [first] = SOUND.additions as [LateRecord['additions'][number]];
const BROKEN: Record<(typeof LATE_RULES)[number], Partial<LateRecord>> = {
  'addition-unjustified': { additions: [{ ...first, justification: '' }] },
  'addition-not-in-lock': { required: ['architect'] },
  'addition-without-worktree': { worktrees: ['architect'] },
  'addition-without-catch-up': { completed: [{ agent: 'security', at: '2026-01-01T14:00Z' }] },
  'addition-around-rejection': { rejections: [{ agent: 'guard', at: '2026-01-01T09:00Z', until: '' }] },
  'addition-too-late': { additions: [{ ...first, added_at_state: 'REVIEW' }] },
  'addition-without-approval': { approvals: ['2026-01-01T09:00Z'] },
};

test.each(LATE_RULES)('PROTO-142: of the seven rules each has its own finding: %s', (rule) => {
  expect(auditLateAgents(SOUND)).toEqual([]);
  expect(auditLateAgents({ ...SOUND, ...BROKEN[rule] }).map((finding) => finding.rule)).toEqual([rule]);
});

describe('the audit', () => {
  test('PROTO-143, PROTO-145, PROTO-146: it reads the lock as it lies there, and finds additions without a reason, in REVIEW, and agents that stand in one place only', async () => {
    crew = await crewAt('REQUIREMENTS');
    await addsTo(crew, 'security');
    expect(await auditOf(crew)).toEqual([]);
    forge(crew, (text) => {
      text.agent_additions[0].justification = ' ';
    });
    expect(await auditOf(crew)).toEqual(['addition-unjustified']);
    // The audit leaves the lock as it is; the next command writes it anew.
    expect(readLock(crew).agent_additions[0].justification).toBe(' ');
    await crew.go('task', 'show', TASK);
    expect(await auditOf(crew)).toEqual([]);
    forge(crew, (text) => {
      text.agent_additions[0].added_at_state = 'REVIEW';
    });
    expect(await auditOf(crew)).toEqual(['addition-too-late']);
    await crew.go('task', 'invoke', TASK, '--agent', 'security');
    forge(crew, (text) => {
      text.agent_additions = [];
    });
    expect(await auditOf(crew)).toEqual(['addition-not-in-lock']);
    await crew.go('task', 'show', TASK);
    forge(crew, (text) => {
      text.required_agents = ['architect', 'quality', 'tester'];
    });
    expect(await auditOf(crew)).toEqual(['addition-not-in-lock']);
    forge(crew, (text) => {
      text.agent_additions = [];
    });
    expect((await crew.text(crew.code, 'lead', 's-1', 'task', 'audit', TASK)).out).toContain(
      'security is in neither',
    );
  });

  test('PROTO-144: it finds an addition in the domain of whoever rejected the work before', async () => {
    crew = await crewAt('REVIEW', { config: TESTERS });
    await crew.go('task', 'invoke', TASK, '--agent', 'tester');
    await crew.say(crew.code, 'tester', '', 'task', 'status', TASK, 'REJECTED', '--reason', 'coverage');
    await crew.go('task', 'rework', TASK, '--reason', 'coverage');
    const addition = {
      agent: 'style',
      added_at_state: 'IMPLEMENTATION',
      timestamp: crew.session.now(),
      justification: 'x',
    };
    forge(crew, (text) => {
      text.agent_additions = [addition];
    });
    expect(await auditOf(crew)).toContain('addition-around-rejection');
  });
});
