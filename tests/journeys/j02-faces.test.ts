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
  const state = (await s.say('', 'show', id)).data.status;
  const recorded = (await s.refusals(id)).map(({ attempted, by, code, because, verdicts }) => ({
    ...{ attempted, by, code, because, verdicts },
  }));
  return {
    code: error?.code ?? 'done',
    message: String(plain(error?.message ?? '', id)),
    missing: plain(error?.missing, id),
    state,
    recorded: plain(recorded, id),
  };
}

const cells = ACTORS.flatMap((actor) => Object.keys(ACTIONS).map((action) => ({ actor, action })));

async function fresh(state: State, action: string, list: string): Promise<string> {
  const id = await bring(s, state, '--list', list);
  if (action === 'retry' && state === 'blocked') await s.say('orchestrator', 'ack', id);
  if (action === 'claim') work(s);
  return id;
}

describe('2PC-28, 2PC-34: the same answer on the command line and through MCP', () => {
  test.each(STATES)(
    'in %s',
    async (state) => {
      for (const { actor, action } of cells) {
        const { line, tool, input } = ACTIONS[action] as Action;
        const name = `${state.replace('_', '-')}-${actor}-${action}`;
        const typed = await fresh(state, action, `a-${name}`);
        const byLine = await told(
          typed,
          (await s.say(actor, ...line(typed))).error as Partial<Told> | undefined,
        );
        const called = await fresh(state, action, `b-${name}`);
        const answer = await (talks.get(actor) as Talk).call(tool, { item: called, ...input });
        const byTool = await told(called, answer.isError ? answer.data : undefined);
        expect([name, byTool]).toEqual([name, byLine]);
      }
    },
    300_000,
  );
});
