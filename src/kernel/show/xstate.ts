import type { Json } from '../event.ts';
import type { Protocol, Row } from '../protocol.ts';
import { type Arrow, arrowsOf } from './arrows.ts';
import { describe, effectsOf } from './describe.ts';

type Config = { readonly [key: string]: Json };

/**
 * The protocol as the configuration of an XState v5 machine, plain JSON: commands are events in upper case, gates
 * are named guards (`row-3`), rows without a command are `always`. It shows the table; it does not decide.
 */
export function xstateOf(protocol: Protocol): Config {
  const arrows = arrowsOf(protocol);
  const states = Object.entries(protocol.states).map(
    ([state, { category, meaning, owner, success, final, allowance }]) => {
      const leaving = arrows.filter((arrow) => arrow.from === state);
      const commands = [...new Set(leaving.map(({ row }) => row.command))].filter(
        (command) => command !== '',
      );
      const on = commands.map((command) => [
        eventOf(command),
        leaving.filter((a) => a.row.command === command).map(transition),
      ]);
      const always = leaving.filter(({ row }) => row.command === '').map(transition);
      return [
        state,
        {
          ...(final && leaving.length === 0 ? { type: 'final' } : {}),
          ...(on.length === 0 ? {} : { on: Object.fromEntries(on) }),
          ...(always.length === 0 ? {} : { always }),
          meta: { category, meaning, owner, success, allowance },
        },
      ];
    },
  );
  const { name, version, meaning, initial } = protocol;
  return { id: name, version, description: meaning, initial, states: Object.fromEntries(states) };
}

const eventOf = (command: string) => command.toUpperCase().replaceAll('-', '_');

function transition({ to, from, row, index }: Arrow): Config {
  return {
    target: to,
    // A row that stays is a real transition here: its effects happen.
    ...(to === from ? { reenter: true } : {}),
    ...(row.requires.length === 0 ? {} : { guard: `row-${index + 1}` }),
    meta: metaOf(row),
  };
}

const metaOf = (row: Row): Config => ({
  by: row.by,
  requires: row.requires.map(describe),
  effects: effectsOf(row),
  override: row.override,
});
