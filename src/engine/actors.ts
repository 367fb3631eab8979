import { changeRoles, registerActor, retireActor } from '../identity/members.ts';
import type { Roster } from '../identity/roster.ts';
import {
  type Authority,
  type RosterDecision,
  type RosterRefusal,
  RUN_ROLES,
} from '../identity/roster-decision.ts';
import { issueToken, revokeToken } from '../identity/token-issue.ts';
import { mintToken } from '../identity/tokens.ts';
import { SOLE_ROLES } from '../protocols/goal.ts';
import { appending } from './appending.ts';
import { pause } from './execute.ts';
import { isRunName, runName, runOf } from './phases/run-name.ts';
import { runNamed } from './phases/run-named.ts';
import { isWaiting, LIVE } from './phases/spawn-job.ts';
import { nowOf, type Ports } from './ports.ts';
import { unknownRole } from './roles.ts';
import { ROSTER, readRoster } from './roster.ts';
import { bodyOf } from './stored.ts';

const ROUNDS = 12;

/** A change of the roster, decided on the roster as it is when it is written. */
async function change(
  ports: Ports,
  decide: (roster: Roster, at: string) => RosterDecision,
): Promise<{ readonly ok: true } | RosterRefusal> {
  const commandId = ports.newId();
  for (let round = 0; round < ROUNDS; round++) {
    const { roster, version } = await readRoster(ports);
    const decision = decide(roster, nowOf(ports));
    if (!decision.ok) return decision;
    const bodies = decision.events.map((e) => bodyOf(e, commandId));
    const append = { stream: ROSTER, expected: version, bodies };
    const result = await ports.store.commit(appending(commandId, append));
    if (result.kind === 'committed' || result.kind === 'duplicate') return { ok: true };
    await pause(ports, round);
  }
  return {
    ok: false,
    code: 'not-allowed',
    because: 'other writers kept changing the roster; nothing was written',
  };
}

export interface NewActor {
  readonly id: string;
  readonly kind: 'agent' | 'human';
  readonly roles: readonly string[];
  /** '' = the caller, where an agent registers its child; a person's agents stand alone. */
  readonly parent: string;
}

export async function addActor(ports: Ports, authority: Authority, actor: NewActor) {
  const strange = await unknownRole(ports, actor.roles);
  const sole = actor.kind === 'agent' ? actor.roles : [];
  return change(
    ports,
    (roster, at) =>
      strange ??
      byReviewer(authority) ??
      ofTheEngine(authority, actor.id) ??
      soleHolder(roster, actor.id, sole) ??
      registerActor(roster, authority, at, actor),
  );
}

/** A reviewer that the engine started gives its verdict, and changes nothing else. */
function byReviewer({ actor }: Authority): RosterRefusal | undefined {
  if (!isRunName(actor.id) || !actor.roles.includes('phase-reviewer')) return undefined;
  return { ok: false, code: 'not-allowed', because: `${actor.id} reviews: it registers nobody` };
}

/** Whoever registers the next reviewer before the engine starts it would speak in its name (PHASE-101). */
function ofTheEngine({ actor }: Authority, id: string): RosterRefusal | undefined {
  if (actor.kind === 'system' || !isRunName(id)) return undefined;
  const because = `${id} is what the engine calls an agent that it starts, and nobody else is called so`;
  return { ok: false, code: 'reserved', because };
}

/** The last person stays: without one nobody could ever register, confirm or hand out anything again. */
export async function removeActor(ports: Ports, authority: Authority, id: string) {
  const atWork = await isAtWork(ports, authority, id);
  if (atWork !== undefined) return atWork;
  return change(ports, (roster, at) => lastPerson(roster, id) ?? retireActor(roster, authority, at, id));
}

/**
 * An agent that the engine has started, or is about to, is the engine's to change: nobody takes a reviewer out of an open
 * review, or gets a token to speak in its place (CH-22, PHASE-101).
 */
async function isAtWork(ports: Ports, { actor }: Authority, id: string): Promise<RosterRefusal | undefined> {
  if (actor.kind === 'system') return undefined;
  const roles = (await readRoster(ports)).roster.members.get(id)?.roles ?? [];
  if (!roles.some((role) => RUN_ROLES.includes(role))) return undefined;
  const run = await runNamed(ports, id).catch(() => undefined);
  if (run === undefined || !LIVE.includes(run.item.state)) return undefined;
  if (id !== (isWaiting(run) ? runName(run) : runOf(run))) return undefined;
  const way =
    run.protocol.name === 'reviewer'
      ? ''
      : `; end it with: countersign agent kill ${run.display} --reason "WHY"`;
  const because = `${id} is at work as ${run.display}: as long as it is, nothing of it is changed${way}`;
  return { ok: false, code: 'not-allowed', because };
}

function lastPerson(roster: Roster, id: string): RosterRefusal | undefined {
  const people = [...roster.members.values()].filter((m) => m.kind === 'human' && !m.retired);
  if (people.length !== 1 || people[0]?.id !== id) return undefined;
  const because = `${id} is the last person here; register another first`;
  return { ok: false, code: 'not-allowed', because, hint: 'countersign actor add NAME --kind human' };
}

export async function setRoles(ports: Ports, authority: Authority, actor: string, roles: readonly string[]) {
  const strange = (await isAtWork(ports, authority, actor)) ?? (await unknownRole(ports, roles));
  return change(ports, (roster, at) => {
    const sole = roster.members.get(actor)?.kind === 'agent' ? roles : [];
    return strange ?? soleHolder(roster, actor, sole) ?? changeRoles(roster, authority, at, { actor, roles });
  });
}

/** One agent at a time leads: a goal is judged by somebody, and that is not handed around (GOAL-40, CG-13). */
function soleHolder(roster: Roster, id: string, roles: readonly string[]): RosterRefusal | undefined {
  const [role] = roles.filter((r) => SOLE_ROLES.includes(r));
  const holder = [...roster.members.values()].find(
    (m) => m.kind === 'agent' && !m.retired && m.id !== id && m.roles.some((r) => r === role),
  );
  if (role === undefined || holder === undefined) return undefined;
  const because = `${holder.id} is the ${role}, and one agent is at a time; a person first gives ${holder.id} other roles: countersign actor roles ${holder.id}`;
  return { ok: false, code: 'not-allowed', because };
}

export interface NewToken {
  readonly actor: string;
  /** ISO 8601 UTC, '' = never. */
  readonly expiresAt: string;
  readonly items: readonly string[];
  readonly roles: readonly string[];
}

/** Mints a token and stores only its hash. The token itself is answered once and is nowhere else. */
export async function addToken(
  ports: Ports,
  authority: Authority,
  asked: NewToken,
): Promise<{ readonly ok: true; readonly token: string; readonly id: string } | RosterRefusal> {
  const atWork = await isAtWork(ports, authority, asked.actor);
  if (atWork !== undefined) return atWork;
  const { token, hash } = mintToken(ports.random);
  const id = ports.newId();
  const issued = await change(ports, (roster, at) =>
    issueToken(roster, authority, at, { ...asked, id, token: hash }),
  );
  return issued.ok ? { ok: true, token, id } : issued;
}

export async function dropToken(ports: Ports, authority: Authority, id: string) {
  const holder = (await readRoster(ports)).roster.tokens.get(id)?.actor ?? '';
  const atWork = await isAtWork(ports, authority, holder);
  if (atWork !== undefined) return atWork;
  return change(ports, (roster, at) => revokeToken(roster, authority, at, id));
}
