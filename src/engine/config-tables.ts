import type { Protocol, StateDefinition } from '../kernel/protocol.ts';
import { BUILT_IN } from '../protocols/index.ts';
import { EngineError } from './engine-error.ts';

export type Allowances = { readonly [protocol: string]: { readonly [state: string]: number } };

const FILE = '.countersign/config.yaml';
/** Ten years: what is longer is no allowance. */
const MOST_MINUTES = 5_256_000;

/** Minutes for each state of a protocol. Throws BAD_CONFIG for a state that does not exist and for what is no time (LIFE-112). */
export function allowancesOf(value: unknown): Allowances {
  return mapOf(value, 'allowances', (states, protocol) => {
    const known = BUILT_IN[protocol]?.states;
    return mapOf(states, `allowances.${protocol}`, (minutes, state) => {
      if (known !== undefined && !Object.hasOwn(known, state))
        throw bad(`allowances.${protocol} has no state ${state}`, `it has: ${Object.keys(known).join(', ')}`);
      if (known?.[state] !== undefined && isTimeless(known[state]))
        throw bad(`allowances.${protocol}.${state}: nothing runs out in ${state}`, 'take the line out');
      if (typeof minutes !== 'number' || !(minutes > 0) || minutes > MOST_MINUTES)
        throw bad(`allowances.${protocol}.${state} must be a number of minutes greater than 0`, 'such as 30');
      return minutes;
    });
  });
}

/** What has ended waits for nobody, and a person is not hurried (LIFE-21, LIFE-25). */
const isTimeless = ({ final, owner }: StateDefinition): boolean => final || owner === 'human';

/** Allowances of protocols and states that there are not, in words; what ships with the engine was refused before. */
export function strangeAllowances(
  allowances: Allowances,
  protocols: readonly Pick<Protocol, 'name' | 'states'>[],
): readonly string[] {
  return Object.entries(allowances).flatMap(([name, states]) => {
    const protocol = protocols.find((p) => p.name === name);
    if (protocol === undefined) return [`allowances.${name}: there is no protocol ${name}`];
    return Object.keys(states)
      .filter((state) => !Object.hasOwn(protocol.states, state))
      .map((state) => `allowances.${name} has no state ${state}`);
  });
}

/** Allowances that can be meant and seldom are, in words: shorter than any work, or longer than anybody waits. */
export function oddAllowances(allowances: Allowances): readonly string[] {
  return Object.entries(allowances).flatMap(([protocol, states]) =>
    Object.entries(states)
      .filter(([, minutes]) => minutes < 1 || minutes > 30 * 24 * 60)
      .map(([state, minutes]) => `allowances.${protocol}.${state} is ${minutes} minutes: is that meant?`),
  );
}

/** Pairs of hats, as a list of lists or of 'one-other'. Throws BAD_CONFIG. */
export function hatsOf(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw bad('hats must be a list of pairs', 'such as: hats: [[builder, tester]]');
  return value.map((pair) => {
    const names: readonly unknown[] = Array.isArray(pair) ? pair : String(pair).split('-');
    if (names.length !== 2 || !names.every((name) => typeof name === 'string' && /^[a-z_]+$/.test(name)))
      throw bad('each pair of hats names two of them', 'such as: [builder, tester]');
    return names.join('-');
  });
}

function mapOf<T>(value: unknown, what: string, f: (value: unknown, key: string) => T) {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw bad(`${what} must be a table of keys`, 'see: countersign config');
  return Object.fromEntries(Object.entries(value).map(([key, v]) => [key, f(v, key)]));
}

const bad = (what: string, hint: string) => new EngineError('BAD_CONFIG', `${FILE}: ${what}`, hint);
