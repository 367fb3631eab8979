import { adoptedSince, criteriaFor, criteriaText, type FrozenCriteria } from './criteria.ts';
import { readCriteria } from './criteria-read.ts';
import { EngineError } from './engine-error.ts';
import { claimStep } from './gates.ts';
import type { Handle } from './handle.ts';
import type { ParsedCriteria, Ports } from './ports.ts';

/** The criteria that a claim is judged by, read. */
export interface ReadCriteria {
  readonly criteria: FrozenCriteria;
  readonly text: Buffer;
  readonly parsed: ParsedCriteria;
}

/** The criteria frozen at the claim; those that a person adopted since where it froze none, or none that can be used. */
export async function criteriaOf(ports: Ports, { item }: Handle): Promise<ReadCriteria | undefined> {
  const claim = claimStep(item);
  const name = String(item.facts.criteria ?? 'default');
  const criteria = (claim?.facts.criteria ?? undefined) as FrozenCriteria | undefined;
  const frozen = criteria === undefined ? undefined : await readFrozen(ports, criteria);
  if (frozen?.parsed.problems.length === 0) return frozen;
  const adopted = await adoptedSince(ports, name, claim?.at ?? '');
  if (adopted !== undefined) return readFrozen(ports, adopted);
  if (frozen !== undefined) return frozen;
  const present = await criteriaFor(ports, name, String(claim?.facts.base ?? ''));
  return present === undefined ? undefined : readFrozen(ports, present);
}

/** The same, where nothing can be said without them. Throws NOT_FOUND, BAD_INPUT. */
export async function usableCriteria(ports: Ports, handle: Handle): Promise<ReadCriteria> {
  const found = await criteriaOf(ports, handle);
  if (found === undefined)
    throw new EngineError(
      'NOT_FOUND',
      `there are no criteria for ${handle.display}`,
      'countersign criteria list',
    );
  const { problems } = found.parsed;
  if (problems.length === 0) return found;
  throw new EngineError(
    'BAD_INPUT',
    `${found.criteria.path} cannot be used: ${problems.slice(0, 5).join('; ')}`,
  );
}

async function readFrozen(ports: Ports, criteria: FrozenCriteria): Promise<ReadCriteria> {
  const text = criteriaText(ports, criteria);
  return { criteria, text, parsed: await readCriteria(ports, text, criteria.path) };
}
