import { POLICY } from '../kernel/actor.ts';
import type { World } from '../kernel/context.ts';
import { decide } from '../kernel/decide.ts';
import type { Moved, Noted } from '../kernel/event.ts';
import type { Policy } from '../kernel/protocol.ts';
import { unasked } from '../kernel/standing.ts';
import { causeOf } from './cause-of.ts';
import { type Draft, touch } from './draft.ts';
import { EngineError } from './engine-error.ts';
import { goalOf } from './goal-of.ts';
import { type Handle, loadById } from './handle.ts';
import { noteOf } from './note-of.ts';
import { linkedTo } from './phases/links.ts';
import type { Ports } from './ports.ts';
import { bodyOf } from './stored.ts';
import { listStream } from './world.ts';

/** Tells whoever the policies of a moved item name, and sends them what those say. Answers the items that were written. */
export async function follow(
  ports: Ports,
  write: Draft,
  id: string,
  moves: readonly Moved[],
  world: World,
): Promise<readonly string[]> {
  const source = write.touched.get(id)?.handle;
  if (source === undefined) return [];
  const learned: string[] = [];
  for (const policy of source.protocol.policies) {
    if (!moves.some((move) => applies(policy, move))) continue;
    const note = noteOf(source, policy, write.at);
    if (policy.tell === 'list') {
      tellList(write, source, note);
      continue;
    }
    for (const target of await targetsOf(ports, write, source, policy)) {
      const known = write.touched.get(target)?.handle ?? (await loadById(ports, target));
      const told = policy.note === '' ? known : touch(write, known, [newsTo(known, note)]);
      if (policy.send !== '') send(write, told, policy.send, world);
      learned.push(target);
    }
  }
  return learned;
}

/** Work that is still what it was has not moved: no verdict on it goes stale by being told of it again. */
function newsTo({ item }: Handle, note: Noted): Noted {
  if (note.asked === '') return note;
  return { ...note, moves: note.moves.filter((name) => item.subjects[name]?.digest !== note.asked) };
}

/** Takes a command of the table in the name of a policy. Throws where the table has no such way: then nothing is written. */
export function send(write: Draft, handle: Handle, name: string, world: World): void {
  const { protocol, item, display } = handle;
  const command = { ...unasked(write.at), name, actor: POLICY, reason: causeOf(write) };
  const decision = decide(protocol, item, command, world);
  if (decision.kind === 'refused')
    throw new EngineError(
      'UNKNOWN_PROTOCOL',
      `a policy sends ${name} to ${display}, which refuses it: ${decision.because}`,
    );
  touch(write, handle, decision.events);
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

async function targetsOf(
  ports: Ports,
  write: Draft,
  source: Handle,
  { tell, send: sent }: Policy,
): Promise<readonly string[]> {
  if (sent === 'open' || sent === 'summon')
    return (await import('./phases/openings.ts')).openFor(ports, write, source);
  switch (tell) {
    case 'goal': {
      const goal = goalOf(source);
      return goal === '' ? [] : [goal];
    }
    case 'phases': {
      const { phasesOf } = await import('./phases/task-phases.ts');
      return (await phasesOf(ports, source)).map(({ id }) => id);
    }
    case 'whole':
      return linkedTo(source, 'part-of').slice(-1);
    case 'dependants':
      return (await ports.store.linksTo(source.id)).filter((l) => l.kind === 'depends-on').map((l) => l.from);
    case 'task':
    case 'first':
    case 'next':
    case 'phase':
    case 'deployed':
    case 'review':
      return linkedTo(source, tell).slice(-1);
    default:
      return (await ports.store.linksFrom(source.id)).filter((l) => l.kind === tell).map((l) => l.to);
  }
}
