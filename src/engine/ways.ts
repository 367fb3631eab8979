import type { Actor } from '../kernel/actor.ts';
import { atLeast, demandedLevel, independence } from '../kernel/actor.ts';
import type { World } from '../kernel/context.ts';
import { mayTake } from '../kernel/decide.ts';
import { latestEvidence } from '../kernel/freshness.ts';
import { judge } from '../kernel/guards/index.ts';
import { contextOf, guidance, isBarred, mayBecome, type Option, personally } from '../kernel/guidance.ts';
import { expand } from '../kernel/protocol.ts';
import { opens, unsatisfied, type Verdict } from '../kernel/verdict.ts';
import { askedFor, votesAsked } from './asked-for.ts';
import { countsAsClosed } from './closed.ts';
import { gateOf, isAtGate } from './gates.ts';
import type { Handle } from './handle.ts';
import { taskWanted } from './more-work.ts';
import { isGiven } from './own-word.ts';
import { abortFirst } from './phases/abort-way.ts';
import { phaseVerdicts } from './phases/closed-words.ts';
import { withoutWork } from './stranded.ts';

/**
 * Every way on as one actor sees it: the rows of the table, and the word that the item waits for. None out of what
 * counts as closed, and no way back from a claim before a run of its checks came to nothing. `words` are kinds that the
 * claim is known to wait for.
 */
export function waysOn(
  handle: Handle,
  actor: Actor,
  world: World,
  words: readonly string[] = [],
): readonly Option[] {
  if (countsAsClosed(handle)) return [];
  const rows = guidance(handle.protocol, handle.item, actor, world)
    .filter(({ missing }) => !missing.some((v) => v.because.startsWith('there is no inconclusive')))
    .filter(({ roles }) => !roles.every((role) => OURS.has(role)))
    .map((option) =>
      withoutWork(handle, withPerson(handle, withProof(handle, withoutOwn(handle, option), actor), world)),
    )
    .map((option) => ({ ...option, missing: phaseVerdicts(handle, option.command, option.missing) }));
  const asked = askedFor(handle, actor, world, words);
  // What this very claim lacked comes first; what an earlier one lacked may not be asked of this one.
  const sure = words.length > 0 || latestEvidence(handle.item, 'inconclusive') !== undefined;
  const later = [...(sure ? [] : asked), ...qualityAsked(handle, actor, world)];
  const votes = votesAsked(handle, actor, world);
  const first = [
    ...(sure ? asked : []),
    ...votes,
    ...givenFirst(handle, actor, world, rows),
    ...abortFirst(handle, actor, world),
  ];
  return [...first, ...rows, ...taskWanted(handle, actor, world), ...later];
}

/** What the engine does by itself is no way that anybody could take. */
const OURS: ReadonlySet<string> = new Set(['engine', 'policy']);

/** Words of the protocol's own that a row out of here lacks, such as the review of the code base. */
function givenFirst(
  { protocol, item }: Handle,
  actor: Actor,
  world: World,
  rows: readonly Option[],
): readonly Option[] {
  const lacked = (kind: string) =>
    rows.some(({ missing }) => missing.some((v) => v.guard === 'evidence' && speaksOf(v, kind)));
  return protocol.evidence
    .filter((e) => isGiven({ protocol }, e.kind) && expand(protocol, e.in).includes(item.state))
    .filter(({ kind }) => lacked(kind))
    .map((row) => {
      const may = (who: Actor) => mayTake(protocol, row.by, item.state, { actor: who, proof: undefined });
      const who = world.roster.filter(may).map(({ id }) => id);
      return {
        ...{ command: row.kind, to: item.state, roles: row.by, takes: ['reason'] },
        ...{ mine: may(actor), who, missing: [] },
      };
    });
}

const speaksOf = ({ because }: Verdict, kind: string) =>
  because.startsWith(`there is no ${kind}`) || because.startsWith(`the ${kind} says`);

/** The quality verdict that a verified item waits for: no row of the table, but the next step of its validator (2PC-71). */
function qualityAsked({ protocol, item }: Handle, actor: Actor, world: World): readonly Option[] {
  const row = protocol.evidence.find(
    (e) => e.kind === 'quality' && expand(protocol, e.in).includes(item.state),
  );
  const asked =
    item.settings.quality_validation === true || latestEvidence(item, 'quality-demand') !== undefined;
  if (row === undefined || !asked || latestEvidence(item, 'quality') !== undefined) return [];
  const may = (who: Actor) => mayBecome(protocol, row.by, item.state, who);
  const context = contextOf(protocol, item, actor, world);
  const who = world.roster.filter((a) => may(a) && !isBarred(row.requires, context, a)).map((a) => a.id);
  const missing = row.requires.map((guard) => judge(guard, context)).filter((verdict) => !opens(verdict));
  const way = { command: 'report', to: item.state, roles: row.by, takes: [], mine: may(actor), who, missing };
  return [{ ...way, ...personally(protocol, row.by, item.state, actor) }];
}

/** What asking for it brings about by itself is not missing: the run of the checks, the engine's own report. */
function withoutOwn(handle: Handle, option: Option): Option {
  const asked = (gateOf(handle)?.pass === option.command ? OWN.verify : OWN[option.command]) ?? [];
  const own = ({ guard, because }: Verdict) =>
    asked.includes(guard) && (because.includes('proof-pack') || because.includes('final-report'));
  return { ...option, missing: option.missing.filter((v) => !own(v)) };
}

/** A verdict that a person asks for without a proof stands as near to the work as any: where more is demanded, they prove to be one. */
function withProof(handle: Handle, option: Option, actor: Actor): Option {
  const isAsked = isAtGate(handle) && gateOf(handle)?.pass === option.command;
  const level = independence(actor, [], false);
  if (!isAsked || !option.mine || actor.kind !== 'human') return option;
  return atLeast(level, demandedLevel(handle.item.settings.independence))
    ? option
    : { ...option, asPerson: true };
}

/** Where only a person's word makes a verdict count, and none is here who may give it, another one has to come first. */
function withPerson(handle: Handle, option: Option, { roster }: World): Option {
  const { item } = handle;
  const isAsked = isAtGate(handle) && gateOf(handle)?.pass === option.command;
  if (!isAsked || demandedLevel(item.settings.independence) !== 'human') return option;
  if (roster.some(({ id, kind }) => kind === 'human' && option.who.includes(id))) return option;
  const because = 'nobody is here who may confirm it as a person';
  const fix = `a person runs: countersign actor add NAME --kind human; then countersign --actor NAME verify ${handle.display} --confirm`;
  return { ...option, who: [], missing: [unsatisfied('person', because, fix), ...option.missing] };
}

const OWN: { readonly [command: string]: readonly string[] } = {
  verify: ['evidence', 'independent'],
  complete: ['evidence'],
};
