import { ENGINE, independence } from '../actor.ts';
import type { Command } from '../command.ts';
import { actorOf } from '../context.ts';
import { mayTake } from '../decide.ts';
import { expand, type Protocol } from '../protocol.ts';
import { record } from '../record.ts';
import type { WorkItem } from '../work-item.ts';
import { type Hand, prefix, type Way } from './hands.ts';
import type { Run } from './run.ts';

/** Everything that may be recorded here, by everybody who may; the engine records for whoever may ask it. */
export function evidenceWays(
  run: Run,
  id: string,
  protocol: Protocol,
  item: WorkItem,
  hands: readonly Hand[],
): readonly Way[] {
  const here = protocol.evidence.filter((row) => expand(protocol, row.in).includes(item.state));
  const kinds = new Map(
    here.flatMap((row) => row.outcomes.map((o) => [`${row.kind}=${o}`, [row.kind, o] as const])),
  );
  const askers = askersOf(run, protocol, item, hands);
  return hands.flatMap((hand) =>
    [...kinds.values()].flatMap(([kind, outcome]) => {
      const engine = hand.actor.kind === 'system';
      return (engine ? askers : [hand]).flatMap(({ actor: asker, proof }) => {
        const command: Command = {
          id: '',
          name: kind,
          at: '',
          reason: '',
          arguments: {},
          actor: hand.actor,
          proof,
        };
        const decision = record(protocol, item, command, { kind, outcome, facts: {}, asker }, run.world);
        if (decision.kind === 'refused') return [];
        const asked = engine && asker.kind !== 'system' ? ` (asked by ${asker.id})` : '';
        const label = `${hand.actor.id}: ${prefix(run, id)}${kind}=${outcome}${asked}`;
        return [{ events: decision.events, by: engine ? asker.kind : hand.actor.kind, label }];
      });
    }),
  );
}

/** Who may ask the engine for evidence here: whoever may take a row, one for each distance from the work. */
function askersOf(run: Run, protocol: Protocol, item: WorkItem, hands: readonly Hand[]): readonly Hand[] {
  const rows = protocol.rows.filter((row) => expand(protocol, row.from).includes(item.state));
  const may = hands.filter(({ actor, proof }) =>
    rows.some((row) => mayTake(protocol, row.by, item.state, { actor, proof })),
  );
  const builders = (item.marks.builder ?? []).map((b) => actorOf(run.world, b));
  const far = (hand: Hand) => independence(hand.actor, builders, hand.proof !== undefined);
  const tone = (hand: Hand) => `${far(hand)} ${hand.actor.kind}`;
  const kinds = may.filter((hand, n) => may.findIndex((other) => tone(other) === tone(hand)) === n);
  return kinds.length > 0 ? kinds : [{ actor: ENGINE, proof: undefined }];
}
