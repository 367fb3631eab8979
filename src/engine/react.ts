import type { Moved, Noted } from '../kernel/event.ts';
import type { Policy } from '../kernel/protocol.ts';
import { type Draft, touch } from './draft.ts';
import { goalOf } from './goal-of.ts';
import { type Handle, loadById } from './handle.ts';
import type { Ports } from './ports.ts';
import { bodyOf } from './stored.ts';
import { listStream } from './world.ts';

/** Tells whoever the policies of a moved item name. Answers the items that learned something. */
export async function follow(
  ports: Ports,
  write: Draft,
  id: string,
  moves: readonly Moved[],
): Promise<readonly string[]> {
  const source = write.touched.get(id)?.handle;
  if (source === undefined) return [];
  const learned: string[] = [];
  for (const policy of source.protocol.policies) {
    if (!moves.some((move) => applies(policy, move)) || policy.note === '') continue;
    const note = noteOf(source, policy, write.at);
    if (policy.tell === 'list') {
      tellList(write, source, note);
      continue;
    }
    for (const target of await targetsOf(ports, source, policy.tell)) {
      const known = write.touched.get(target)?.handle ?? (await loadById(ports, target));
      touch(write, known, [note]);
      learned.push(target);
    }
  }
  return learned;
}

/** Adds a note to the document of an item's list. */
export function tellList(write: Draft, { item }: Handle, note: Noted): void {
  const bodies = [bodyOf(note, write.commandId)];
  write.documents.push({ stream: listStream(item.list), expected: 'any', bodies });
}

function applies({ enters, commands }: Policy, move: Moved): boolean {
  return (
    enters.includes('*') ||
    enters.includes(move.to) ||
    (move.command !== '' && commands.includes(move.command))
  );
}

/** What others learn of an item. An item whose place another has taken is no longer waited for. */
export function noteOf({ display, protocol, item }: Handle, policy: Policy, at: string): Noted {
  const marks = Object.fromEntries(policy.carry.map((mark) => [mark, item.marks[mark] ?? []]));
  const replaced = item.links.some((link) => link.kind === 'superseded-by');
  return {
    type: 'noted',
    at,
    by: 'engine',
    group: policy.note,
    member: display,
    state: replaced ? '' : item.state,
    category: replaced ? '' : (protocol.states[item.state]?.category ?? ''),
    asked: policy.asks === '' ? '' : (item.subjects[policy.asks]?.digest ?? ''),
    marks,
    moves: policy.moves,
  };
}

async function targetsOf(ports: Ports, source: Handle, tell: string): Promise<readonly string[]> {
  switch (tell) {
    case 'goal': {
      const goal = goalOf(source);
      return goal === '' ? [] : [goal];
    }
    case 'dependants':
      return (await ports.store.linksTo(source.id)).filter((l) => l.kind === 'depends-on').map((l) => l.from);
    default:
      return (await ports.store.linksFrom(source.id)).filter((l) => l.kind === tell).map((l) => l.to);
  }
}
