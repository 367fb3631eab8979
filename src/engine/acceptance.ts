import { sha256Hex } from '../attestation/digest.ts';
import { actorOf, type World } from '../kernel/context.ts';
import type { Facts } from '../kernel/event.ts';
import type { WorkItem } from '../kernel/work-item.ts';
import type { Caller } from './caller.ts';
import { EngineError } from './engine-error.ts';
import { isOutside } from './given.ts';
import type { Handle } from './handle.ts';
import type { Ports } from './ports.ts';

/** Acceptance examples that came with an item: which bytes, and who wrote them. What is in them is shown to nobody. */
export interface Acceptance {
  /** Hex SHA-256 of the bytes in the evidence store. */
  readonly sha256: string;
  readonly by: string;
  /** Id of the confirmation by which a person gave them, '' for an agent or an unproven person. */
  readonly proof: string;
}

const LARGEST = 256 * 1024;

/**
 * Keeps examples and answers the facts for the item's first event; nothing in them can change afterwards. Throws
 * BAD_INPUT for what the runner could not use.
 */
export async function keepAcceptance(ports: Ports, caller: Caller, bytes: Uint8Array): Promise<Facts> {
  if (bytes.length > LARGEST)
    throw new EngineError('BAD_INPUT', `the examples have ${bytes.length} bytes, at most ${LARGEST} fit`);
  const problems = await ports.runner.acceptanceProblems(bytes);
  if (problems.length > 0) {
    const told = problems.slice(0, 10).join('; ');
    throw new EngineError(
      'BAD_INPUT',
      `these are no acceptance examples: ${told}`,
      'see the format: countersign criteria format acceptance',
    );
  }
  if (caller.proof !== undefined && caller.proof.digest !== sha256Hex(bytes))
    throw new EngineError('NO_CREDENTIAL', 'the confirmation was given for other examples');
  const given = { sha256: ports.evidence.put(bytes), by: caller.actor.id, proof: caller.proof?.id ?? '' };
  return { acceptance: given };
}

/** The examples of an item, undefined where it has none. */
export function acceptanceOf({ facts }: Pick<WorkItem, 'facts'>): Acceptance | undefined {
  const given = facts.acceptance;
  if (given === undefined || given === null || typeof given !== 'object' || Array.isArray(given))
    return undefined;
  const { sha256, by, proof } = given as unknown as Acceptance;
  return { sha256: String(sha256), by: String(by), proof: String(proof ?? '') };
}

/** Their bytes. Lost or changed ones are damage: an item that has examples is never judged without them. */
export function acceptanceBytes(
  ports: Pick<Ports, 'evidence'>,
  { display, item }: Handle,
): Buffer | undefined {
  const given = acceptanceOf(item);
  if (given === undefined) return undefined;
  const bytes = ports.evidence.get(given.sha256);
  if (bytes !== undefined) return bytes;
  const what = `the acceptance examples of ${display} are missing or were changed`;
  throw new EngineError('DAMAGED', what, 'restore them from a copy; see: countersign audit verify');
}

/**
 * Whether the author shares no lineage with a builder. A person counts only with the confirmation: without it nothing
 * shows that it was not the builder who typed.
 */
export function isAcceptanceIndependent(item: WorkItem, world: World): boolean {
  const given = acceptanceOf(item);
  if (given === undefined) return false;
  const author = actorOf(world, given.by);
  if (author.kind === 'system' || (author.kind === 'human' && given.proof === '')) return false;
  return isOutside(author, item, world);
}
