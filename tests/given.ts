import { expect } from 'vitest';
import type { Actor } from '../src/kernel/actor.ts';
import type { Command, Finding, Gathered, HumanProof } from '../src/kernel/command.ts';
import type { World } from '../src/kernel/context.ts';
import { type Decision, decide } from '../src/kernel/decide.ts';
import type { ItemEvent, Setting } from '../src/kernel/event.ts';
import { evolve } from '../src/kernel/evolve.ts';
import type { Protocol } from '../src/kernel/protocol.ts';
import { record } from '../src/kernel/record.ts';
import { settle } from '../src/kernel/settle.ts';
import { UNOPENED, type WorkItem } from '../src/kernel/work-item.ts';

export const NOW = '2026-01-05T10:00:00.000Z';
export const PROOF: HumanProof = {
  id: 'proof-1',
  digest: 'd',
  purpose: 'test',
  at: NOW,
  channel: 'terminal',
};

export const agent = (id: string, roles: readonly string[], ancestors: readonly string[] = []): Actor => ({
  id,
  kind: 'agent',
  roles,
  ancestors,
});
export const human = (id: string, roles: readonly string[] = []): Actor => ({
  id,
  kind: 'human',
  roles,
  ancestors: [],
});
export const ENGINE: Actor = { id: 'engine', kind: 'system', roles: ['engine'], ancestors: [] };

export interface When {
  readonly by: Actor;
  readonly at?: string;
  readonly proof?: boolean;
  readonly given?: Command['arguments'];
  /** What the probes that the rows name find; all in order when left out. */
  readonly probes?: { readonly [name: string]: Finding['status'] };
  readonly subjects?: Gathered['subjects'];
}

export function commandOf(
  name: string,
  { by, at = NOW, proof = by.kind === 'human', given = {} }: When,
): Command {
  return { id: 'c', name, actor: by, at, reason: '', arguments: given, proof: proof ? PROOF : undefined };
}

/** A story of one item: each step must be accepted, then `when` asks for the decision in question. */
export interface Story {
  readonly item: WorkItem;
  readonly events: readonly ItemEvent[];
  /** A command that must be accepted. */
  readonly does: (name: string, when: When) => Story;
  /** Evidence that must be accepted. */
  readonly finds: (kind: string, outcome: string, asker: Actor, by?: Actor) => Story;
  readonly moves: (event: ItemEvent) => Story;
  readonly when: (name: string, when: When) => Decision;
  readonly recording: (kind: string, outcome: string, asker: Actor, by?: Actor) => ReturnType<typeof record>;
}

/** Opens an item under the protocol, with the default settings but for those given. */
export function given(
  protocol: Protocol,
  roster: readonly Actor[],
  chosen: { readonly [name: string]: Setting } = {},
  groups: World['groups'] = {},
): Story {
  const defaults = Object.entries(protocol.settings).map(
    ([name, values]) => [name, values[0] ?? ''] as const,
  );
  const opened: ItemEvent = {
    type: 'opened',
    at: NOW,
    by: roster[0]?.id ?? '',
    protocol: { name: protocol.name, version: protocol.version, digest: '' },
    state: protocol.initial,
    number: 1,
    list: 'main',
    kind: 'code',
    title: 'Implement login screen',
    settings: { ...Object.fromEntries(defaults), ...chosen },
    legacy: false,
    facts: {},
  };
  return tell(protocol, { roster, groups }, evolve(protocol, UNOPENED, opened), [opened]);
}

function tell(protocol: Protocol, world: World, item: WorkItem, events: readonly ItemEvent[]): Story {
  const add = (more: readonly ItemEvent[]): Story => {
    const moved = more.reduce((i, e) => evolve(protocol, i, e), item);
    const settled = settle(protocol, moved, world, NOW);
    expect(settled.loop).toBe(false);
    return tell(protocol, world, settled.item, [...events, ...more, ...settled.events]);
  };
  const accepted = (decision: { readonly kind: string; readonly events?: readonly ItemEvent[] }): Story => {
    expect(decision).toMatchObject({ kind: 'accepted' });
    return add(decision.events ?? []);
  };
  const when = (name: string, given: When) => {
    const found = Object.fromEntries(
      protocol.probes.map(
        (p) => [p, { status: given.probes?.[p] ?? 'satisfied', because: p, fix: '' }] as const,
      ),
    );
    return decide(protocol, item, commandOf(name, given), world, {
      probes: found,
      subjects: given.subjects ?? {},
      facts: {},
    });
  };
  const recording = (kind: string, outcome: string, asker: Actor, by: Actor = ENGINE) => {
    const command = commandOf(kind, { by, proof: by.kind === 'human' || asker.kind === 'human' });
    return record(protocol, item, command, { kind, outcome, facts: {}, asker }, world);
  };
  return {
    item,
    events,
    when,
    recording,
    does: (name, given) => accepted(when(name, given)),
    finds: (kind, outcome, asker, by) => accepted(recording(kind, outcome, asker, by)),
    moves: (event) => add([event]),
  };
}

export const refusedWith = (code: string) => expect.objectContaining({ kind: 'refused', code });
export const acceptedInto = (to: string) =>
  expect.objectContaining({
    kind: 'accepted',
    events: expect.arrayContaining([expect.objectContaining({ type: 'moved', to })]),
  });
