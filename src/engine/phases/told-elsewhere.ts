import type { Actor } from '../../kernel/actor.ts';
import type { Message } from '../message.ts';
import type { Ports } from '../ports.ts';

/** Protocols of what runs on a machine. */
const RUNS: ReadonlySet<string> = new Set(['agent-run', 'reviewer']);

/** As `lookElsewhere`, for those whom it concerns, where anything runs at all: most projects have nothing to look at. */
export async function toldElsewhere(
  ports: Ports,
  { roles }: Pick<Actor, 'roles'>,
): Promise<readonly Message[]> {
  if (!roles.includes('orchestrator')) return [];
  const tallies = await ports.store.tally(undefined);
  if (!tallies.some(({ protocol, category }) => RUNS.has(protocol) && category !== 'CLOSED')) return [];
  return (await import('./look-elsewhere.ts')).lookElsewhere(ports);
}
