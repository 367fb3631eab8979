import type { Handle } from '../engine/handle.ts';
import { packsOf } from '../engine/proof-verify.ts';
import type { Link } from './reply.ts';

/** Where resources of this server begin. */
export const SCHEME = 'countersign://';
export const itemUri = (display: string) => `${SCHEME}item/${display}`;
export const proofUri = (display: string) => `${SCHEME}proof/${display}`;

export const goalUri = (display: string) => `${SCHEME}goal/${display}`;

/** Every transition of an item, its times, and what was tried. */
export const historyLink = (display: string): Link => ({
  uri: `${SCHEME}history/${display}`,
  name: `${display} history`,
  description: 'Every transition, its times, and what was tried',
});

/** What is too long for an answer: the whole item, and the proof packs of an item that was verified. */
export function linksOf(handle: Handle): readonly Link[] {
  const { display } = handle;
  const whole = { uri: itemUri(display), name: display, description: 'The whole item, with every attempt' };
  if (packsOf(handle).length === 0) return [whole];
  const description = 'The signed proof pack of its latest verification';
  return [whole, { uri: proofUri(display), name: `${display} proof`, description }];
}
