import type { Finding, Gathered } from '../kernel/command.ts';
import type { World } from '../kernel/context.ts';
import type { Json } from '../kernel/event.ts';
import { lettersWrong } from '../kernel/nearest.ts';
import { defaultBranchOf } from './base.ts';
import type { Caller } from './caller.ts';
import { readConfig } from './config.ts';
import { execute, type Outcome, plain } from './execute.ts';
import type { Ports } from './ports.ts';
import { readWorld } from './world.ts';

export interface DispatchRequest {
  readonly ref: string;
  readonly to: string;
  readonly reason: string;
}

/** Gives an item to a specialist (2PC-14). Whoever is named must be able to do it: a typing error has no owner. */
export function dispatch(
  ports: Ports,
  caller: Caller,
  { ref, to, reason }: DispatchRequest,
): Promise<Outcome> {
  return execute(ports, caller, {
    ...plain,
    ...{ ref, reason, name: 'dispatch', arguments: { to } },
    gather: async (handle) => {
      const { protocol, item } = handle;
      const gathered = gatherAssignee((await readWorld(ports, protocol, item.list)).world, to);
      const { defaultHead } = ports.git.heads(defaultBranchOf(handle, await readConfig(ports)));
      return defaultHead === ''
        ? gathered
        : { ...gathered, facts: { ...gathered.facts, default_head: defaultHead } };
    },
  });
}

/** What the row asks about the one who is named; kept with the move, so that audit can judge it again. */
export function gatherAssignee(world: World, to: string): Gathered {
  const probes = { 'assignee-fits': assigneeFits(world, to) };
  return { probes, subjects: {}, facts: { probes: { ...probes } as unknown as Json } };
}

const ROLE = 'specialist';
/** Most names that a refusal lists. */
const SHOWN = 12;

/** Registered, active and holding the role. Who has left is in the world without roles. */
export function assigneeFits({ roster }: Pick<World, 'roster'>, to: string, role = ROLE): Finding {
  const fit = roster.filter((actor) => actor.roles.includes(role)).map((actor) => actor.id);
  if (fit.includes(to)) return { status: 'satisfied', because: `${to} holds the role ${role}`, fix: '' };
  const known = roster.some((actor) => actor.id === to);
  const because = known ? `${to} does not hold the role ${role}` : `nobody here is called ${to}`;
  return { status: 'unsatisfied', because, fix: fixFor(to, fit, role) };
}

function fixFor(to: string, fit: readonly string[], role: string): string {
  if (fit.length === 0) return `a person runs: countersign actor add NAME --role ${role}`;
  const more = fit.length > SHOWN ? `, and ${fit.length - SHOWN} more` : '';
  const list = `${fit.slice(0, SHOWN).join(', ')}${more}`;
  const close = closest(to, fit);
  return `${close === undefined ? '' : `did you mean ${close}? `}who can take it: ${list}`;
}

/** The name that somebody may have meant: begun, or with at most a third of its letters wrong. */
function closest(typed: string, names: readonly string[]): string | undefined {
  const begun = names.filter((name) => typed.length > 2 && name.startsWith(typed.toLowerCase()));
  if (begun.length === 1) return begun[0];
  const [best] = names
    .map((name) => ({ name, wrong: lettersWrong(typed.toLowerCase(), name) }))
    .filter(({ name, wrong }) => wrong * 3 <= name.length)
    .toSorted((a, b) => a.wrong - b.wrong);
  return best?.name;
}
