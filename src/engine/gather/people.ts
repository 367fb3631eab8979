import { type Actor, related } from '../../kernel/actor.ts';
import type { Finding } from '../../kernel/command.ts';
import { actorOf } from '../../kernel/context.ts';
import { readsOf } from '../../kernel/leaves.ts';
import type { Protocol } from '../../kernel/protocol.ts';
import { defaultBranchOf } from '../base.ts';
import { assigneeFits } from '../dispatch.ts';
import { readWorld } from '../world.ts';
import { type Gatherer, type Look, lacking, seen } from './looked.ts';

/** The role that whoever is named under a mark has to hold: that of the first row which asks for the one marked. */
export function roleBehind(protocol: Protocol, mark: string): string {
  const row = protocol.rows.find(({ requires }) =>
    requires.some((guard) => guard.guard !== 'not' && readsOf([guard]).marks.includes(mark)),
  );
  return row?.by.find((role) => !role.startsWith('@') && role !== 'human') ?? '';
}

const rosterOf = async ({ ports, handle: { protocol, item } }: Look) =>
  (await readWorld(ports, protocol, item.list)).world;

/** Whoever is given an item must be able to do it: a typing error has no owner. */
export const assignee: Gatherer = async (look) => {
  const { to = '' } = look.request.arguments;
  const { protocol, item } = look.handle;
  const stays = item.marks.assignee?.at(-1) ?? '';
  // Their work begins where the default branch stands now: what others brought in before is not theirs.
  const { defaultHead } = look.ports.git.heads(defaultBranchOf(look.handle, await look.config()));
  const facts = defaultHead === '' ? {} : { default_head: defaultHead };
  const fits =
    to === '' && stays !== ''
      ? seen(`${stays} keeps it`)
      : assigneeFits(await rosterOf(look), to, roleBehind(protocol, 'assignee'));
  return { probes: { 'assignee-fits': fits }, facts };
};

/** Whoever is named to verify holds the role for it, and stands outside the work. */
export const checker: Gatherer = async (look) => {
  const { to = '' } = look.request.arguments;
  const { protocol, item } = look.handle;
  const world = await rosterOf(look);
  const fits = assigneeFits(world, to, roleBehind(protocol, 'checker'));
  const builders = (item.marks.builder ?? []).map((id) => actorOf(world, id));
  const inside = fits.status === 'satisfied' && builders.some((b) => related(b, actorOf(world, to)));
  const found = inside
    ? lacking(`${to} is of the lineage that built it`, 'name somebody outside the work')
    : fits;
  return { probes: { 'checker-fits': found } };
};

/** Helpers did grunt work for whoever submits it: each is a registered descendant of theirs (GOAL-64 to GOAL-68). */
export const helpers: Gatherer = async (look) => {
  const given = look.request.arguments.helpers ?? '';
  return { probes: { 'helpers-fit': helpersFit(given, look.caller.actor, (await rosterOf(look)).roster) } };
};

function helpersFit(given: string, pilot: Actor, roster: readonly Actor[]): Finding {
  const names = given
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const wrong = names.filter((name) => !roster.find((a) => a.id === name)?.ancestors.includes(pilot.id));
  if (wrong.length === 0)
    return seen(names.length === 0 ? 'no helpers are named' : `${names.join(', ')} helped`);
  const because = `${wrong.join(', ')} ${wrong.length === 1 ? 'is' : 'are'} not registered as a child of ${pilot.id}`;
  return lacking(because, `a person runs: countersign actor add ${wrong[0]} --parent ${pilot.id}`);
}
