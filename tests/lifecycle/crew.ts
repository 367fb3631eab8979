import { callerOf } from '../../src/engine/credential.ts';
import type { Outcome } from '../../src/engine/execute.ts';
import { type LifecycleEvent, lifecycleEvents, type StateTransition } from '../../src/engine/history.ts';
import { STEP, step } from '../../src/engine/step.ts';
import type { Briefing, TaskState, TimeMetrics } from '../../src/engine/task-state.ts';
import { openSession, type Said, type Session, type Setting } from '../session.ts';

/** Seven agents, one for each role of the lifecycle, none of another's lineage. */
export const CREW = {
  planner: ['plan-manager'],
  orchestrator: ['build-orchestrator'],
  validator: ['solution-validator'],
  developer: ['fullstack-developer'],
  monitor: ['quality-monitor'],
  git: ['git-manager'],
  chief: ['cto'],
} as const;
export type Member = keyof typeof CREW;
export const MEMBERS = Object.keys(CREW) as readonly Member[];

export const ORDER = [
  'pending',
  'assigned',
  'planning',
  'validated',
  'in_progress',
  'testing',
  'quality_review',
  'approved',
  'committing',
] as const;
export type Working = (typeof ORDER)[number];
export type State = Working | 'completed' | 'cto_intervention' | 'human_escalation' | 'failed';

/** Who owns the work of a state: whoever may say there that it failed. */
export const OWNER_OF: { readonly [state in Working]: Member } = {
  pending: 'orchestrator',
  assigned: 'validator',
  planning: 'validator',
  validated: 'developer',
  in_progress: 'developer',
  testing: 'developer',
  quality_review: 'monitor',
  approved: 'git',
  committing: 'git',
};

/** The step that leads on from a state, and who takes it. */
export const FORWARD: { readonly [state in Working]: readonly [by: Member, command: string, to: State] } = {
  pending: ['orchestrator', 'assign', 'assigned'],
  assigned: ['validator', 'plan', 'planning'],
  planning: ['validator', 'validate', 'validated'],
  validated: ['developer', 'begin', 'in_progress'],
  in_progress: ['developer', 'finish', 'testing'],
  testing: ['developer', 'ask-review', 'quality_review'],
  quality_review: ['monitor', 'verify', 'approved'],
  approved: ['git', 'commit', 'committing'],
  committing: ['git', 'committed', 'completed'],
};

/** A project whose items follow the lifecycle. */
export const openLifecycle = (asked: Partial<Setting> = {}): Promise<Session> =>
  openSession({ agents: CREW, config: 'protocol: lifecycle\n', ...asked });

/** A step of the table, with a reason. */
export const move = (s: Session, by: string, id: string, command: string, ...more: readonly string[]) =>
  s.say(
    by,
    'move',
    id,
    command,
    ...(more.includes('--reason') ? [] : ['--reason', `${command}, as agreed`]),
    ...more,
  );

/** The step that leads on from a state, with what it takes; a check of the work is asked for by its own word. */
export async function onward(s: Session, id: string, from: Working, by?: string): Promise<Said> {
  const [owner, command] = FORWARD[from];
  const who = by ?? owner;
  if (from === 'quality_review') return s.say(who, 'verify', id);
  if (from === 'in_progress') work(s, id);
  if (from === 'testing') s.repo.write('self-check.txt', `checked by hand for ${id}\n`);
  const more = {
    testing: ['--evidence', 'self-check.txt'],
    committing: ['--commit', s.repo.git('rev-parse', 'HEAD')],
  }[from as 'testing' | 'committing'];
  return move(s, who, id, command, ...(more ?? []));
}

/** Commits work of an item that the criteria accept, or not. */
export const work = (s: Session, id: string, good = true): string =>
  s.repo.commit({ 'work.txt': `${good ? 'done' : 'begun'} ${id} ${s.now()}\n` });

export async function add(s: Session, ...words: readonly string[]): Promise<string> {
  return must(await s.say('planner', 'add', 'Implement login screen', ...words)).data.id;
}

/** Leads an item on, step by step, until it is there. */
export async function lead(s: Session, id: string, to: Working | 'completed'): Promise<string> {
  for (;;) {
    const state = await stateOf(s, id);
    if (state === to) return id;
    must(await onward(s, id, state as Working));
  }
}

/** A new item, brought to a state by the steps that lead there. */
export const bring = async (s: Session, to: Working | 'completed', ...words: readonly string[]) =>
  lead(s, await add(s, ...words), to);

/** Its owner says that it failed where it stands. */
export const fail = async (
  s: Session,
  id: string,
  reason = 'it does not hold',
  ...more: readonly string[]
) => {
  const state = await stateOf(s, id);
  return move(s, OWNER_OF[state as Working], id, 'fail', '--reason', reason, ...more);
};

/** Fails in a state until the CTO or a person has to see to it. */
export async function failThrice(s: Session, id: string, state: Working): Promise<State> {
  for (let n = 1; n <= 3; n++) {
    await lead(s, id, state);
    must(await fail(s, id, `failure ${n} in ${state}`));
  }
  return stateOf(s, id);
}

/** The CTO ends an intervention. */
export const guide = (s: Session, id: string, how: string, guidance: string, ...more: readonly string[]) =>
  s.say('chief', 'move', id, how, '--guidance', guidance, ...more);

/** Brings an item to the point where two interventions have not helped. */
export async function escalated(s: Session, state: Working = 'planning'): Promise<string> {
  const id = await bring(s, state);
  for (const guidance of ['first advice', 'second advice']) {
    await failThrice(s, id, state);
    must(await guide(s, id, 'return', guidance));
    if (state === 'planning') await propose(s, id);
  }
  await failThrice(s, id, state);
  return id;
}

let approaches = 0;

/** A new approach, as a file; what was rejected is not examined again. */
export async function propose(s: Session, id: string): Promise<Said> {
  approaches += 1;
  s.repo.write('approach.md', `approach ${approaches}\n`);
  return must(await move(s, 'developer', id, 'propose', '--evidence', 'approach.md'));
}

let proofs = 0;

/** A step that a person has confirmed, without the terminal; `tests/lifecycle/person.test.ts` goes through one. */
export const asPerson = (
  s: Session,
  ref: string,
  command: string,
  given: { readonly [name: string]: string } = {},
): Promise<Outcome> =>
  s.with(async (opened) => {
    const caller = await callerOf(opened, '');
    proofs += 1;
    const at = opened.ports.clock().toISOString();
    const proof = { id: `proof-${proofs}`, digest: 'shown', purpose: 'test', at, channel: 'terminal' };
    const request = { ...STEP, ref, command, reason: `${command}, a person says`, arguments: given };
    return step(opened.ports, { ...caller, proof }, request, () => 'shown');
  });

export function must(said: Said): Said {
  if (said.code !== 0 && said.code !== 4) throw new Error(`exit ${said.code}: ${said.out}${said.err}`);
  return said;
}

/** What `history` says of an item. */
export type Told = TaskState & { readonly times: TimeMetrics; readonly briefing: Briefing };

export const told = async (s: Session, id: string): Promise<Told> =>
  (await s.say('planner', 'history', id)).data as unknown as Told;

export const stateOf = async (s: Session, id: string): Promise<State> =>
  (await s.say('planner', 'show', id)).data.status as State;

export const logged = (s: Session, id: string): Promise<readonly LifecycleEvent[]> =>
  s.with(({ ports }) => lifecycleEvents(ports, id));

export const named = async (s: Session, id: string, name: string) =>
  (await logged(s, id)).filter(({ event }) => event === name);

/** A history as its states. */
export const path = (history: readonly StateTransition[]) =>
  history.map((t) => `${t.fromState}>${t.toState}`);

/** The clock, so many minutes after a time. */
export const minutesAfter = (iso: string, minutes: number): string =>
  new Date(Date.parse(iso) + minutes * 60_000).toISOString();
