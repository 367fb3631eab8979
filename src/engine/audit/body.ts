import { canonicalize } from '../../attestation/canonical.ts';
import type { Json } from '../../kernel/event.ts';
import type { StoredEvent } from '../../store/store.ts';

/** A stored body, read: its envelope and the members of the event, flat as the folds take them. */
export interface Body {
  readonly type: string;
  readonly at: string;
  readonly by: string;
  readonly command: string;
  /** type, at, by and the data, as `eventOf` gives them. */
  readonly event: { readonly [member: string]: unknown };
}

/** The body of an event, or why it is none: not canonical JSON, other members, another command than the row's. */
export function readBody(stored: Pick<StoredEvent, 'body' | 'command'>): Body | string {
  let value: unknown;
  try {
    value = JSON.parse(stored.body);
    if (!isCanonicalText(value as Json, stored.body)) return 'the body is not canonical JSON';
  } catch {
    return 'the body is not canonical JSON';
  }
  if (!isObject(value) || Object.keys(value).join() !== 'at,by,command,data,type')
    return 'the body does not have exactly the members at, by, command, data and type';
  const { at, by, command, data, type } = value;
  if (typeof type !== 'string' || typeof at !== 'string' || typeof by !== 'string' || !isObject(data))
    return 'a member of the body has another type';
  if (command !== stored.command) return 'the command is not the one in the body';
  return { type, at, by, command: stored.command, event: { type, at, by, ...data } };
}

/**
 * Whether the text is the canonical spelling of the value. Most texts show it by a cheaper comparison: written
 * again as they were read they are the same, and their keys are in order.
 */
function isCanonicalText(value: Json, text: string): boolean {
  const plain = JSON.stringify(value) === text && inOrder(value, 0);
  // An escaped half of a surrogate pair survives that comparison and has no canonical form.
  return (plain && !text.includes('\\ud')) || canonicalize(value) === text;
}

const SHALLOW = 64;

function inOrder(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth > SHALLOW) return false;
  if (Array.isArray(value)) return value.every((element) => inOrder(element, depth + 1));
  let last = '';
  for (const [key, member] of Object.entries(value)) {
    if (key < last || !inOrder(member, depth + 1)) return false;
    last = key;
  }
  return true;
}

export function isObject(value: unknown): value is { readonly [member: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Sort = 'string' | 'number' | 'boolean' | 'object' | 'list';
/** With a question mark, what may be left out. */
type Kind = Sort | `${Sort}?`;

/** The first member that is missing or of another type, undefined when all fit. */
export function misfitOf(
  event: { readonly [member: string]: unknown },
  shape: { readonly [member: string]: Kind },
): string | undefined {
  return Object.entries(shape).find(([member, kind]) => !fits(event[member], kind))?.[0];
}

const fits = (value: unknown, kind: Kind): boolean =>
  kindOf(value) === kind.replace('?', '') || (kind.endsWith('?') && value === undefined);

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  return value === null ? 'null' : typeof value;
}
