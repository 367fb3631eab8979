import type { ItemEvent, Noted } from '../../kernel/event.ts';
import type { Directory } from './directory.ts';
import type { Findings } from './findings.ts';

/** Holds what items and lists were told of an item against what that item was at the time. */
export interface ToldCheck {
  item(id: string, event: ItemEvent, command: string): void;
  note(event: Noted, command: string, where: string): void;
  /** Call when the last event was seen. */
  end(): void;
}

interface Stand {
  readonly state: string;
  readonly command: string;
  /** States entered by that command; a policy may have told of any of them. */
  readonly during: readonly string[];
}

/** Most commands whose ids are remembered, to see one that stands in two places. */
const REMEMBERED = 10_000;

export function checkTold(known: Directory, findings: Findings): ToldCheck {
  const stands = new Map<string, Stand>();
  const commands = new Set<string>();
  let waiting: { readonly event: Noted; readonly where: string }[] = [];
  let present = '';

  const judge = ({ member, state, category }: Noted): string | undefined => {
    const item = known.named(member);
    const stand = item === undefined ? undefined : stands.get(item.id);
    if (item === undefined || stand === undefined) return `tells of ${member}, which does not exist`;
    if (state === '') return undefined;
    const was = stand.state === state || (stand.command === present && stand.during.includes(state));
    if (!was) return `tells that ${member} was ${state}, its own log says ${stand.state}`;
    const proper = known.protocol(item.digest)?.states[state]?.category ?? '';
    return category === proper ? undefined : `counts ${member} as ${category} instead of ${proper}`;
  };
  const flush = () => {
    for (const { event, where } of waiting) {
      const what = judge(event);
      if (what !== undefined) findings.broken(where, what);
    }
    waiting = [];
  };
  const enter = (command: string, where: string) => {
    if (command === present) return;
    flush();
    present = command;
    if (commands.has(command)) findings.broken(where, 'the events of one command do not stand together');
    if (commands.size >= REMEMBERED) commands.clear();
    commands.add(command);
  };
  return {
    item(id, event, command) {
      enter(command, `item/${id}`);
      const state = event.type === 'opened' ? event.state : event.type === 'moved' ? event.to : undefined;
      if (state === undefined) return;
      const before = stands.get(id);
      const during = before?.command === command ? [...before.during, state] : [state];
      stands.set(id, { state, command, during });
    },
    note(event, command, where) {
      enter(command, where);
      waiting.push({ event, where });
    },
    end: flush,
  };
}
