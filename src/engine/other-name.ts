import type { RefusalCode } from '../kernel/decide.ts';
import { unsatisfied } from '../kernel/verdict.ts';
import type { Caller } from './caller.ts';
import { type NotDone, refusal } from './execute.ts';
import { loadItem } from './handle.ts';
import { nowOf, type Ports } from './ports.ts';
import { recordUnopened } from './refuse.ts';
import { readWorld } from './world.ts';

/** Names are given for compatibility only: who calls is what the credential says (CX-17). */
const isOwn = ({ actor }: Caller, name: string): boolean => ['', actor.id].includes(name.replace(/^@/, ''));

const becauseOf = ({ actor }: Caller, name: string) => `this call is made as ${actor.id}, not as ${name}`;
const FIX = 'leave the name out; whoever is named calls with a credential of their own';

/** The refusal of a call that names somebody else, recorded; undefined for the caller's own name and for none. */
export async function otherName(
  ports: Ports,
  caller: Caller,
  { name, ref, command }: { readonly name: string; readonly ref: string; readonly command: string },
): Promise<NotDone | undefined> {
  if (isOwn(caller, name)) return undefined;
  const why = { because: becauseOf(caller, name), guard: 'credential', fix: FIX };
  return refuseBefore(ports, caller, { ref, command, code: 'wrong-role', ...why });
}

/** The same where there is no item yet: what is to be told, recorded; undefined for the caller's own name and for none. */
export async function otherCreator(
  ports: Ports,
  caller: Caller,
  { name, command }: { readonly name: string; readonly command: string },
): Promise<Pick<NotDone, 'code' | 'because' | 'verdicts'> | undefined> {
  if (isOwn(caller, name)) return undefined;
  const because = becauseOf(caller, name);
  const refused = {
    code: 'wrong-role',
    because,
    verdicts: [unsatisfied('credential', because, FIX)],
  } as const;
  await recordUnopened(ports, { name: command, actor: caller.actor, at: nowOf(ports) }, refused);
  return refused;
}

export interface Before {
  readonly ref: string;
  /** What was asked for. */
  readonly command: string;
  readonly code: RefusalCode;
  readonly guard: string;
  readonly because: string;
  readonly fix: string;
}

/** Refuses what is refused whatever the table says, and writes the attempt down. */
export async function refuseBefore(ports: Ports, caller: Caller, before: Before): Promise<NotDone> {
  const { ref, command, code, guard, because, fix } = before;
  const handle = await loadItem(ports, ref);
  const { world } = await readWorld(ports, handle.protocol, handle.item.list);
  const { actor, proof } = caller;
  const asked = { id: '', name: command, actor, at: nowOf(ports), reason: '', arguments: {}, proof };
  const verdicts = [unsatisfied(guard, because, fix)];
  return refusal(ports, handle, asked, world, { code, because, verdicts });
}
