import { INDEPENDENCE } from '../../kernel/actor.ts';
import type { RefusalCode } from '../../kernel/decide.ts';
import { expand, type Protocol } from '../../kernel/protocol.ts';
import type { NotDone } from '../execute.ts';
import type { Counts, FamilyName } from './counts.ts';

type Labels = { readonly [label: string]: string };

const CODES: { readonly [code in NotDone['code']]: true } & { readonly [code in RefusalCode]: true } = {
  'unknown-command': true,
  'no-transition': true,
  'wrong-role': true,
  'bad-arguments': true,
  'gate-closed': true,
  conflict: true,
  'proof-used': true,
};

/** The combinations of labels that each family can have here, by the protocols that are followed and those who act in them. */
export function labelsThatCanBe(counts: Counts): { readonly [family in FamilyName]: readonly Labels[] } {
  const protocols = [...counts.seen.protocols.values()];
  const actors = [...counts.seen.actors.values()];
  const each = protocols.map(({ name }) => ({ protocol: name }));
  const claimers = [...counts.claims.values()].map(({ labels }) => labels);
  const refused = [...counts.refusals.values()].map(({ labels }) => labels.agent ?? '');
  const agents = [...new Set([...actors.map(({ agent }) => agent), ...refused])];
  const states = protocols.flatMap((protocol) =>
    leftStates(protocol).map((state) => ({ protocol: protocol.name, state })),
  );
  return {
    ...{ claims: claimers, passed: claimers, refusedClaims: claimers, inconclusive: claimers },
    ...{ rejectedAfter: each, misses: each, completions: each, reworkRounds: each },
    failures: protocols.flatMap((protocol) => failing(protocol, actors)),
    refusals: agents.flatMap((agent) => Object.keys(CODES).map((code) => ({ code, agent }))),
    independence: protocols.flatMap(({ name }) => INDEPENDENCE.map((level) => ({ protocol: name, level }))),
    ...{ minutesInState: states, staysInState: states },
  };
}

/** States that an item can leave. */
const leftStates = ({ states }: Protocol): readonly string[] =>
  Object.keys(states).filter((state) => states[state]?.final !== true);

/** Whoever acts under a protocol may fail in the states in which it counts failures. */
function failing(protocol: Protocol, actors: readonly Labels[]): readonly Labels[] {
  const rows = protocol.rows.filter(({ command }) => command === 'fail');
  const states = [...new Set(rows.flatMap(({ from }) => expand(protocol, from)))];
  const here = actors.filter((actor) => actor.protocol === protocol.name);
  return states.flatMap((state) => here.map(({ agent = '' }) => ({ state, agent })));
}
