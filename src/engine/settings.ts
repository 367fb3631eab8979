import type { Setting } from '../kernel/event.ts';
import { own } from '../kernel/own.ts';
import type { Protocol } from '../kernel/protocol.ts';
import { BUILT_IN } from '../protocols/index.ts';
import type { Allowances } from './config-tables.ts';
import { EngineError } from './engine-error.ts';

export type Settings = { readonly [name: string]: Setting };

/**
 * The settings that an item is opened with: the protocol's defaults, then the project's, then what was asked for.
 * They are pinned: no later change of a file or a variable has an effect on a running item.
 */
export function settingsFor(
  protocol: Protocol,
  project: Settings,
  asked: Settings,
  given: Settings = {},
): Settings {
  const foreign = Object.keys(asked).find((name) => !Object.hasOwn(protocol.settings, name));
  if (foreign !== undefined)
    throw new EngineError('BAD_INPUT', `the protocol ${protocol.name} has no setting ${foreign}`);
  const pinned: Record<string, Setting> = {};
  for (const [name, legal] of Object.entries(protocol.settings)) {
    const value = asked[name] ?? project[name] ?? legal[0];
    if (value === undefined || !legal.includes(value)) {
      const choices = legal.map(String).join(', ');
      throw new EngineError(
        'BAD_CONFIG',
        `${name} cannot be ${String(value)}`,
        `it takes one of: ${choices}`,
      );
    }
    pinned[name] = value;
  }
  return { ...pinned, ...given };
}

/** What a project pins beside the settings of the protocol: how long an item may stay where, and which hats clash. */
export function pinnedTables(
  protocol: Pick<Protocol, 'name'>,
  { allowances, hats }: { readonly allowances: Allowances; readonly hats: readonly string[] | undefined },
): Settings {
  const minutes = Object.entries(allowances[protocol.name] ?? {});
  return {
    ...Object.fromEntries(minutes.map(([state, n]) => [`allowance.${state}`, String(n)])),
    ...(hats === undefined ? {} : { hats: hats.join(' ') }),
  };
}

/** Every setting that a protocol of ours knows. */
export const settingNames = (): readonly string[] => [
  ...new Set(Object.values(BUILT_IN).flatMap((protocol) => Object.keys(protocol.settings))),
];

const INDEPENDENCE = ['automated', 'sibling', 'other-lineage', 'human'];
const OFF_ON = [false, true];

/** What a setting can be, from what demands less to what demands more. */
const STRICTER: { readonly [name: string]: readonly Setting[] } = {
  independence: INDEPENDENCE,
  quality_validation: OFF_ON,
  plan_file: OFF_ON,
  halt_on_block: OFF_ON,
  acknowledge: ['orchestrator', 'user'],
  undispatched: ['flag', 'refuse'],
};

/** What somebody asks for an item may only be stricter than the project demands. */
export function assertNotWeaker(project: Settings, asked: Settings): void {
  const { independence } = asked;
  if (independence !== undefined && !INDEPENDENCE.includes(String(independence)))
    throw new EngineError(
      'BAD_INPUT',
      `there is no independence ${independence}`,
      `known: ${INDEPENDENCE.join(', ')}`,
    );
  if (Object.entries(asked).some(([name, value]) => isWeaker(name, value, project[name])))
    throw new EngineError(
      'BAD_INPUT',
      'an item cannot ask for less than the project demands',
      'leave it out, or ask for more; what is demanded: countersign config show',
    );
}

/**
 * What new work keeps of what the item before it was judged by: where the project demands more by now, or its protocol
 * where the project says nothing, that holds instead, so that it is never asked for less than either.
 */
export function noWeaker(protocol: Pick<Protocol, 'settings'>, project: Settings, kept: Settings): Settings {
  const demanded = (name: string) => project[name] ?? protocol.settings[name]?.[0];
  return Object.fromEntries(
    Object.entries(kept).filter(([name, value]) => !isWeaker(name, value, demanded(name))),
  );
}

/** Where nothing tells which demands more, or nothing is demanded, no value is weaker. */
function isWeaker(name: string, value: Setting, demanded: Setting | undefined): boolean {
  const order = own(STRICTER, name);
  return order !== undefined && demanded !== undefined && order.indexOf(value) < order.indexOf(demanded);
}
