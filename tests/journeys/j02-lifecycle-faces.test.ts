import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSession, type Session } from '../session.ts';
import { compared, type Faces, facesOf, type Tried } from './faces.ts';
import { bringLife, CLAIMED, LIFE_STATES, LIFE_TEAM, workOn } from './lifecycle-states.ts';

// J02, lifecycle: every state x step x role is answered alike by the command line and by MCP (R14).
const ACTORS = Object.keys(LIFE_TEAM);
const reason = 'as asked';

const move = (command: string, tool: string, more: readonly string[] = [], input: object = {}): Tried => ({
  line: (id) => ['move', id, command, '--reason', reason, ...more],
  tool,
  input: (id) =>
    tool === 'item_move' ? { item: id, command, reason, ...input } : { task_id: id, reason, ...input },
});
const guide = (pattern: string, to = ''): Tried => ({
  line: (id) => ['move', id, pattern, '--guidance', 'otherwise', ...(to === '' ? [] : ['--to', to])],
  tool: 'give_guidance',
  input: (id) => ({ task_id: id, pattern, guidance: 'otherwise', ...(to === '' ? {} : { to }) }),
});
const word = (kind: 'review' | 'sign-off'): Tried => ({
  line: (id) => (kind === 'review' ? ['review', id, '--approve'] : ['sign-off', id]),
  tool: 'item_judge',
  input: (id) => ({ item: id, kind, approve: true }),
});
let head = '';

const TRIED: Readonly<Record<string, Tried>> = {
  assign: move('assign', 'assign_task'),
  plan: move('plan', 'start_planning'),
  propose: move('propose', 'propose_approach', ['--evidence', 'README.md'], { file: 'README.md' }),
  validate: move('validate', 'validate_task'),
  begin: move('begin', 'begin_task'),
  finish: move('finish', 'finish_task'),
  'ask-review': move('ask-review', 'request_review', ['--evidence', 'README.md'], {
    evidence: ['README.md'],
  }),
  verify: {
    line: (id) => ['verify', id],
    tool: 'verify_task',
    input: (id) => ({ task_id: id }),
  },
  approve: move('approve', 'item_move'),
  commit: move('commit', 'start_commit'),
  committed: {
    line: (id) => ['move', id, 'committed', '--commit', CLAIMED.get(id) ?? head, '--reason', reason],
    tool: 'report_commit',
    input: (id) => ({ task_id: id, commit: CLAIMED.get(id) ?? head, reason }),
  },
  fail: move('fail', 'record_failure'),
  return: guide('return'),
  rollback: guide('rollback', 'pending'),
  skip: guide('skip'),
  escalate: move('escalate', 'escalate_task'),
  resolve: move('resolve', 'item_move', ['--to', 'planning'], { to: 'planning' }),
  abandon: move('abandon', 'item_move'),
  'codebase-review': move('codebase-review', 'review_codebase'),
  review: word('review'),
  'sign-off': word('sign-off'),
};

/** States that nothing but a person leads out of, or nothing at all; a word may still be given nowhere there. */
const CLOSED = ['completed', 'human_escalation', 'failed'];

let s: Session;
let faces: Faces;
beforeAll(async () => {
  s = await openSession({ agents: LIFE_TEAM });
  faces = await facesOf(s, ACTORS, 'lifecycle');
  head = workOn(s);
});
afterAll(async () => {
  await faces.close();
  s.close();
});

describe('the same answer on the command line and through MCP', () => {
  test.each(LIFE_STATES)(
    'LIFE-28..32, LIFE-34, LIFE-35, LIFE-37, LIFE-54, LIFE-90, LIFE-91: in %s',
    async (state) => {
      const bring = async () => {
        const id = await bringLife(s, faces, state);
        if (state === 'in_progress') workOn(s);
        return id;
      };
      const { pairs, done } = await compared(faces, bring, ACTORS, TRIED);
      for (const [what, byLine, byTool] of pairs) expect([what, byTool]).toEqual([what, byLine]);
      expect(pairs).toHaveLength(ACTORS.length * Object.keys(TRIED).length);
      // A matrix in which nothing ever succeeds would show nothing.
      expect(done.length > 0, done.join()).toBe(!CLOSED.includes(state));
      // Whoever is refused for their role is told whose it is.
      for (const [what, { code, message }] of pairs)
        if (code === 'wrong-role') expect(message, what).toMatch(/^Only [a-z-]+( or [a-z-]+)* may /);
      expect(done.toSorted()).toEqual(DONE[state].toSorted());
    },
  );
});

/** What alone may be done in each state, and by whom: everything else in the matrix is refused. */
const DONE: Readonly<Record<(typeof LIFE_STATES)[number], readonly string[]>> = {
  pending: ['assign by orchestrator', 'fail by orchestrator', 'codebase-review by cto'],
  assigned: ['plan by validator', 'fail by validator'],
  planning: ['validate by validator', 'fail by validator', 'propose by developer'],
  validated: ['begin by developer', 'fail by developer'],
  in_progress: ['finish by developer', 'fail by developer'],
  testing: ['ask-review by developer', 'fail by developer'],
  // Nothing that the criteria protect was changed: there is nothing to sign off.
  quality_review: ['verify by monitor', 'fail by monitor', 'review by monitor', 'review by cto'],
  approved: ['commit by committer', 'fail by committer'],
  committing: ['committed by committer', 'fail by committer'],
  completed: [],
  cto_intervention: ['return by cto', 'rollback by cto', 'skip by cto'],
  human_escalation: [],
  failed: [],
};
