import { claim } from '../../../src/engine/claim.ts';
import { completeItem } from '../../../src/engine/complete-item.ts';
import { acknowledge, failuresShown } from '../../../src/engine/failure-review.ts';
import type { Handle } from '../../../src/engine/handle.ts';
import { giveQuality } from '../../../src/engine/quality.ts';
import { start } from '../../../src/engine/start.ts';
import { STEP, step } from '../../../src/engine/step.ts';
import { verify } from '../../../src/engine/verify.ts';
import { ENGINE } from '../../../src/kernel/actor.ts';
import type { World } from '../../../src/kernel/context.ts';
import { rolesOf } from '../../../src/kernel/decide.ts';
import { guidance } from '../../../src/kernel/guidance.ts';
import { expand } from '../../../src/kernel/protocol.ts';
import { CAST, PERSON } from '../cast.ts';
import type { Dice } from '../dice.ts';
import { BAD } from '../runner-in-memory.ts';
import type { Town } from '../town.ts';
import { isGate } from './gate.ts';
import { type Player, type Request, withWord } from './request.ts';

/** Steps that lead away from the end; they are taken now and then. */
const RARE: ReadonlySet<string> = new Set([
  ...['fail', 'cancel', 'abandon', 'release', 'reject', 'reopen', 'unlink', 'link', 'supersede'],
  ...['reject-goal', 'reject-verification', 'intervene', 'escalate', 'rollback', 'skip'],
]);

interface Chosen {
  readonly command: string;
  readonly who: string;
}

/** A way out of where the item stands that is open, for somebody whom nothing bars from it, as far as can be seen. */
function openWay({ protocol, item }: Handle, world: World, dice: Dice): Chosen | undefined {
  const [looks = ENGINE] = world.roster;
  const [assigned = ''] = item.marks.assignee ?? [];
  const able = guidance(protocol, item, looks, world).filter(
    ({ command, who }) => who.length > 0 && !RARE.has(command),
  );
  const free = able.filter(({ missing }) => missing.every(({ guard }) => BY_WHOM.has(guard)));
  const from = free.length > 0 ? free : able;
  if (from.length === 0) return undefined;
  const { command, who } = dice.pick(from);
  return { command, who: who.includes(assigned) ? assigned : dice.pick(who) };
}

/** What another asker may answer otherwise, and what the step itself brings. */
const BY_WHOM: ReadonlySet<string> = new Set([
  'same',
  'apart',
  'hats',
  'evidence',
  'independent',
  'not',
  'any',
  'when',
  'team',
]);

/** Any row out of where the item stands, by somebody who has a role for it; now and then anything by anybody. */
function anyWay({ protocol, item }: Handle, dice: Dice): Chosen | undefined {
  if (dice.chance(0.1))
    return { command: dice.pick(protocol.rows).command || 'dance', who: dice.pick(Object.keys(CAST)) };
  const out = protocol.rows.filter(
    (row) => row.command !== '' && expand(protocol, row.from).includes(item.state),
  );
  if (out.length === 0) return undefined;
  const row = dice.pick(out);
  const roles = rolesOf(protocol, row.by, item.state);
  const able = Object.keys(CAST).filter((name) => CAST[name]?.roles.some((role) => roles.includes(role)));
  const who = roles.includes('human') && dice.chance(0.5) ? PERSON : dice.pick([...able, PERSON]);
  return { command: row.command, who };
}

/** The step by which somebody says that it came to nothing, where there is one. */
function failure({ protocol, item }: Handle, dice: Dice): Chosen | undefined {
  const row = protocol.rows.find(
    (one) => FAILURES.has(one.command) && expand(protocol, one.from).includes(item.state),
  );
  if (row === undefined) return undefined;
  const roles = rolesOf(protocol, row.by, item.state);
  const able = Object.keys(CAST).filter((name) => CAST[name]?.roles.some((role) => roles.includes(role)));
  return able.length === 0 ? undefined : { command: row.command, who: dice.pick(able) };
}

const FAILURES: ReadonlySet<string> = new Set(['fail', 'reject', 'reject-verification', 'reject-goal']);

const branchOf = ({ display }: Handle) => `work-${display}`;

/** What the commit holds that is put before others: good mostly. */
export function build(town: Town, handle: Handle, dice: Dice): string {
  const text = `${dice.chance(0.8) ? 'good' : BAD} ${dice.below(1_000_000)}\n`;
  return town.repository.commit(
    branchOf(handle),
    { [`${handle.display}.txt`]: text },
    `work on ${handle.display}`,
  );
}

/** Brings what was built into main, by hand, as somebody does who integrates. */
function bringIn({ repository }: Town): void {
  for (const ref of [...repository.refs.keys()].filter((name) => name.startsWith('refs/heads/work-'))) {
    const branch = repository.commitOf(ref);
    const main = repository.commitOf('refs/heads/main');
    if (repository.isAncestor(branch, main)) continue;
    const { tree } = repository.merged(main, branch);
    if (tree !== '')
      repository.refs.set('refs/heads/main', repository.make(tree, [main, branch], `merge ${ref}`));
  }
}

function argumentsFor(handle: Handle, command: string, dice: Dice): Readonly<Record<string, string>> {
  const people = handle.protocol.name === 'two-phase' ? ['ben', 'bea', 'carl'] : ['ben', 'carl'];
  const to = ['resolve', 'rollback'].includes(command)
    ? dice.pick(['planning', 'in_progress', 'assigned'])
    : dice.pick(people);
  return { to, summary: 'it is built', notes: 'it was tried', guidance: 'so' };
}

const CLAIMS: ReadonlySet<string> = new Set(['claim', 'submit', 'finish', 'ask-review']);
const quiet = { signal: new AbortController().signal, onProgress: () => {} };

/** One step of the item's own table, or the word that it waits for. */
export const byTable: Player = async (town, handle, dice, { world, isGloomy }) => {
  const word = wordFor(handle, dice);
  if (word !== undefined) return word;
  // A goal follows its tasks.
  if (handle.protocol.name === 'goal' && ['open', 'active'].includes(handle.item.state) && dice.chance(0.9))
    return undefined;
  const failing = isGloomy && dice.chance(0.4) ? failure(handle, dice) : undefined;
  const chosen = failing ?? (dice.chance(0.8) ? openWay(handle, world, dice) : anyWay(handle, dice));
  if (chosen === undefined) return undefined;
  const { command, who } = chosen;
  const ref = handle.id;
  const what = `${command} ${handle.display} (${handle.protocol.name}, ${handle.item.state})`;
  if (CLAIMS.has(command)) build(town, handle, dice);
  if (handle.item.state === 'pending_verify' && dice.chance(0.7)) bringIn(town);
  const commit = CLAIMS.has(command) ? branchOf(handle) : command === 'committed' ? 'HEAD' : '';
  const given = argumentsFor(handle, command, dice);
  const proof = `proof-${dice.below(1e9)}`;
  const request = {
    ...STEP,
    ref,
    command,
    reason: 'said',
    arguments: { ...given, ...(commit === '' ? {} : { commit }) },
    commit,
    evidence: ['note.txt'],
  };
  return {
    ...{ who, what, here: '' },
    async run({ ports }, caller) {
      if (isGate(handle, command)) return (await verify(ports, caller, { ref, ...quiet })).outcome;
      if (handle.protocol.name === 'two-phase') {
        if (command === 'claim')
          return claim(ports, caller, { ref, commit, evidence: [], noChange: false, reason: '' });
        if (command === 'complete') return completeItem(ports, caller, ref, '');
        if (command === 'start') return start(ports, caller, ref);
      }
      if (caller.actor.kind !== 'human') return step(ports, caller, request);
      return step(ports, withWord(caller, 'shown', proof, town.now()), request, () => 'shown');
    },
  };
};

/** What the protocol waits for that is no row: a look at failures, a verdict on quality. */
function wordFor(handle: Handle, dice: Dice): Request | undefined {
  const { protocol, item, id: ref, display } = handle;
  if (protocol.name !== 'two-phase') return undefined;
  if (item.state === 'blocked' && dice.chance(0.5))
    return {
      ...{ who: dice.pick(['olga', 'ben']), what: `ack ${display}`, here: '' },
      run: ({ ports }, caller) => acknowledge(ports, caller, ref, failuresShown(handle).digest),
    };
  if (item.state !== 'verified' || item.settings.quality_validation !== true || dice.chance(0.4))
    return undefined;
  const says = dice.chance(0.85) ? 'APPROVED' : 'REJECTED';
  return {
    ...{ who: dice.pick(['vera', 'bea']), what: `report ${display} ${says}`, here: '' },
    run: ({ ports }, caller) => giveQuality(ports, caller, ref, says, ['it is crooked']),
  };
}
