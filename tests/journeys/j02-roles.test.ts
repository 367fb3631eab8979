import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OWNER, openSession, type Session, TEAM } from '../session.ts';
import { bring, DEVELOPER, STATES, type State, work } from '../two-phase/bring.ts';

// J02, two-phase, through the CLI: every command in every state by every actor. What is not written here is refused.
const OTHER = 'react-18-specialist';
const ACTORS: Readonly<Record<string, string>> = {
  [DEVELOPER]: DEVELOPER,
  [OTHER]: OTHER,
  orchestrator: 'orchestrator',
  'verification-agent': 'verification-agent',
  'quality-validator': 'quality-validator',
  bystander: 'bystander',
  [OWNER]: '',
};
const COMMANDS: Readonly<Record<string, (id: string) => readonly string[]>> = {
  dispatch: (id) => ['dispatch', id, '--to', DEVELOPER],
  release: (id) => ['release', id],
  start: (id) => ['start', id],
  claim: (id) => ['claim', id],
  verify: (id) => ['verify', id],
  ack: (id) => ['ack', id],
  retry: (id) => ['retry', id],
  report: (id) => ['report', id, '--approve'],
  complete: (id) => ['complete', id],
};

/** Who may do what where, in the words of the ledger. */
const ALLOWED: Readonly<
  Record<string, { readonly states: readonly State[]; readonly by: readonly string[] }>
> = {
  dispatch: { states: ['pending'], by: ['orchestrator'] },
  release: { states: ['in_progress', 'claimed'], by: ['orchestrator'] },
  start: { states: ['in_progress'], by: [DEVELOPER] },
  claim: { states: ['pending', 'in_progress'], by: [DEVELOPER, OTHER] },
  verify: { states: ['claimed'], by: ['verification-agent'] },
  ack: { states: ['blocked'], by: ['orchestrator'] },
  retry: { states: ['blocked'], by: ['orchestrator'] },
  report: { states: ['verified'], by: ['quality-validator'] },
  complete: { states: ['verified'], by: ['orchestrator'] },
};
/** Holds the role and still has no part in this item; or lacks the inconclusive run that alone lets a claim go back. */
const GATED = new Set([
  `claim in_progress ${OTHER}`,
  `start in_progress ${OTHER}`,
  'release claimed orchestrator',
]);

const RESULT: Readonly<Record<string, State>> = {
  dispatch: 'in_progress',
  release: 'pending',
  start: 'in_progress',
  claim: 'claimed',
  verify: 'verified',
  ack: 'blocked',
  retry: 'pending',
  report: 'verified',
  complete: 'completed',
};

/** 0 where it is allowed, else 6 for the wrong state, 3 for a closed gate, 7 for the wrong role. */
function expectedCode(command: string, state: State, actor: string): number {
  if (!ALLOWED[command]?.states.includes(state)) return 6;
  if (GATED.has(`${command} ${state} ${actor}`)) return 3;
  return ALLOWED[command].by.includes(actor) ? 0 : 7;
}

const every = STATES.flatMap((state) =>
  Object.keys(COMMANDS).flatMap((command) => Object.keys(ACTORS).map((actor) => ({ state, command, actor }))),
);
const allowed = every.filter((t) => expectedCode(t.command, t.state, t.actor) === 0);

let s: Session;
beforeAll(async () => {
  s = await openSession({ agents: { ...TEAM, bystander: [] } });
});
afterAll(() => s.close());

const run = (actor: string, command: string, id: string) =>
  s.say(ACTORS[actor] ?? '', ...(COMMANDS[command]?.(id) ?? []));

describe('2PC-34, 2PC-35: whatever is not listed is refused, leaves every byte of the item, and is recorded', () => {
  test.each(STATES)('in %s', async (state) => {
    const id = await bring(s, state, '--list', `refused-${state.replace('_', '-')}`);
    work(s);
    const before = await s.snapshot(id);
    const refused = every.filter((t) => t.state === state && !allowed.includes(t));
    const codes: Record<string, number> = {};
    for (const { command, actor } of refused)
      codes[`${command} ${actor}`] = (await run(actor, command, id)).code;
    const expected = refused.map((t) => [`${t.command} ${t.actor}`, expectedCode(t.command, state, t.actor)]);
    expect(codes).toEqual(Object.fromEntries(expected));
    expect(await s.snapshot(id)).toBe(before);
    const recorded = (await s.refusals(id)).map((r) => `${r.attempted} ${r.by}`);
    expect(recorded).toEqual(refused.map((t) => `${t.command} ${t.actor}`));
  });
});

describe('2PC-34, 2PC-88: what is listed succeeds, and leads where the table says', () => {
  test.each(allowed.map((t, n) => ({ ...t, n })))(
    '$command by $actor in $state',
    async ({ command, actor, state, n }) => {
      const id = await bring(s, state, '--list', `allowed-${n}`);
      work(s);
      if (command === 'retry') await s.say('orchestrator', 'ack', id);
      const said = await run(actor, command, id);
      expect([said.code, said.data?.status]).toEqual([0, RESULT[command]]);
    },
  );
});

test('2PC-88: everybody has a column of their own: no command of one role is open to another', () => {
  for (const command of Object.keys(COMMANDS)) {
    const actors = allowed.filter((t) => t.command === command).map((t) => t.actor);
    const roles = new Set(actors.map((actor) => TEAM[actor as keyof typeof TEAM][0]));
    expect([command, roles.size]).toEqual([command, 1]);
  }
});

test('2PC-88: who holds two roles still does not do two of the three for one item', async () => {
  await s.register('builds-and-closes', ['specialist', 'workflow-orchestrator']);
  await s.register('checks-and-closes', ['verification-agent', 'workflow-orchestrator']);
  const id = await bring(s, 'pending', '--list', 'double');
  work(s);
  await s.say('builds-and-closes', 'claim', id);
  expect((await s.say('checks-and-closes', 'verify', id)).code).toBe(0);
  const before = await s.snapshot(id);
  expect((await s.say('builds-and-closes', 'complete', id)).code).toBe(3);
  expect((await s.say('checks-and-closes', 'complete', id)).code).toBe(3);
  expect(await s.snapshot(id)).toBe(before);
  expect((await s.say('orchestrator', 'complete', id)).code).toBe(0);
});

test('a follow-up is opened by the orchestrator or a person, and only after a verification', async () => {
  for (const state of STATES) {
    const id = await bring(s, state, '--list', `follow-${state.replace('_', '-')}`);
    const before = await s.snapshot(id);
    for (const actor of [DEVELOPER, 'verification-agent', 'quality-validator', 'bystander']) {
      expect([7, 2]).toContain((await s.say(actor, 'follow-up', id, 'More')).code);
    }
    expect(await s.snapshot(id)).toBe(before);
    const open = ['verified', 'completed'].includes(state);
    expect([state, (await s.say('orchestrator', 'follow-up', id, 'More')).code]).toEqual([
      state,
      open ? 0 : 2,
    ]);
  }
});

test('a command that no table has is no command', async () => {
  const id = await bring(s, 'claimed', '--list', 'unknown');
  for (const word of ['accept', 'force', 'set-status', 'block', 'supersede', 'pass']) {
    expect([word, (await s.say('orchestrator', word, id)).code]).toEqual([word, 2]);
  }
});
