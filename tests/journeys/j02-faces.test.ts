import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Talk, talk } from '../mcp/in-memory.ts';
import { openSession, type Session, TEAM } from '../session.ts';
import { bring, DEVELOPER, STATES, type State, work } from '../two-phase/bring.ts';

// J02, two-phase: every state x action x role is answered alike by the command line and by MCP (R14).
const ACTORS = [...Object.keys(TEAM), 'bystander'];
interface Action {
  readonly line: (id: string) => readonly string[];
  readonly tool: string;
  readonly input: Record<string, unknown>;
}
const ACTIONS: Readonly<Record<string, Action>> = {
  dispatch: {
    line: (id) => ['dispatch', id, '--to', DEVELOPER],
    tool: 'item_dispatch',
    input: { to: DEVELOPER },
  },
  release: { line: (id) => ['release', id], tool: 'item_release', input: {} },
  start: { line: (id) => ['start', id], tool: 'item_start', input: {} },
  claim: { line: (id) => ['claim', id], tool: 'item_claim', input: {} },
  verify: { line: (id) => ['verify', id], tool: 'item_verify', input: {} },
  ack: { line: (id) => ['ack', id], tool: 'item_ack', input: {} },
  retry: { line: (id) => ['retry', id], tool: 'item_retry', input: {} },
  report: {
    line: (id) => ['report', id, '--approve'],
    tool: 'item_judge',
    input: { kind: 'quality', approve: true },
  },
  review: {
    line: (id) => ['review', id, '--approve'],
    tool: 'item_judge',
    input: { kind: 'review', approve: true },
  },
  complete: { line: (id) => ['complete', id], tool: 'item_complete', input: {} },
};

let s: Session;
const talks = new Map<string, Talk>();
beforeAll(async () => {
  s = await openSession({ agents: { ...TEAM, bystander: [] } });
  // Every tool for every actor: what a list leaves out must be refused all the same where it is called.
  for (const actor of ACTORS) talks.set(actor, await talk(s, actor, 'two-phase', true));
});
afterAll(async () => {
  for (const { close } of talks.values()) await close();
  s.close();
});

interface Told {
  readonly code: string;
  readonly message: string;
  readonly missing: unknown;
  readonly state: string;
  readonly recorded: unknown;
}

/** Ids, commits and times are each item's own. */
const plain = (value: unknown, id: string): unknown =>
  JSON.parse(
    JSON.stringify(value ?? [])
      .replaceAll(id, 'ITEM')
      .replace(/[0-9a-f]{12,64}/g, 'HEX')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'),
  );

async function told(id: string, error: Partial<Told> | undefined): Promise<Told> {
  const last = (await s.refusals(id)).at(-1);
  return {
    code: error?.code ?? 'done',
    message: String(plain(error?.message ?? '', id)),
    missing: plain(error?.missing, id),
    state: (await s.say('', 'show', id)).data.status,
    recorded: error === undefined || last === undefined ? '' : plain({ ...last, at: '' }, id),
  };
}

/** An item in a state for as long as what is tried on it is refused. */
function fresh(state: State, face: string) {
  let id = '';
  let number = 0;
  return {
    async next(action: string): Promise<string> {
      if (id === '') {
        number += 1;
        id = await bring(s, state, '--list', `${face}-${state.replace('_', '-')}-${number}`);
      }
      if (action === 'claim') work(s);
      return id;
    },
    used(outcome: Told) {
      if (outcome.code === 'done') id = '';
      return outcome;
    },
  };
}

const cells = ACTORS.flatMap((actor) => Object.keys(ACTIONS).map((action) => ({ actor, action })));

describe('2PC-28, 2PC-34: the same answer on the command line and through MCP', () => {
  test.each(STATES)('in %s', async (state) => {
    const [typed, called] = [fresh(state, 'cli'), fresh(state, 'mcp')];
    const done: string[] = [];
    for (const { actor, action } of cells) {
      const { line, tool, input } = ACTIONS[action] as Action;
      const one = await typed.next(action);
      const { code, error } = await s.say(actor, ...line(one));
      const byLine = typed.used(await told(one, code === 0 ? undefined : (error as Partial<Told>)));
      const other = await called.next(action);
      const answer = await (talks.get(actor) as Talk).call(tool, { item: other, ...input });
      const byTool = called.used(await told(other, answer.isError ? answer.data : undefined));
      expect([actor, action, byTool]).toEqual([actor, action, byLine]);
      if (byLine.code === 'done') done.push(`${action} ${actor}`);
    }
    // A matrix in which nothing ever succeeds would show nothing; a completed item alone has no way on.
    expect(done.length > 0).toBe(state !== 'completed');
  });
});
