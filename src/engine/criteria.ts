import { sha256Hex } from '../attestation/digest.ts';
import type { HumanProof } from '../kernel/command.ts';
import { appending } from './appending.ts';
import type { Caller } from './caller.ts';
import { readCriteria } from './criteria-read.ts';
import { draft } from './draft.ts';
import { EngineError } from './engine-error.ts';
import { nowOf, type Ports } from './ports.ts';
import { useProof } from './proof.ts';
import { stillStands } from './standing.ts';
import { bodyOf, eventOf } from './stored.ts';

/** Criteria as they are at one commit. */
export interface FrozenCriteria {
  readonly path: string;
  readonly digest: string;
  readonly commit: string;
}

interface CriteriaAdopted extends FrozenCriteria {
  readonly type: 'criteria-adopted';
  readonly at: string;
  readonly by: string;
  readonly proof: string;
}

export const ADOPTIONS = 'criteria';

export const criteriaPath = (name: string) => `.countersign/criteria/${name}.yaml`;

/**
 * The criteria that a claim is judged by: those on the base commit, so that no change can bring its own; where it has
 * none, the set that a person adopted last. Undefined when there is neither.
 */
export async function criteriaFor(
  ports: Ports,
  name: string,
  base: string,
): Promise<FrozenCriteria | undefined> {
  const path = criteriaPath(name);
  const bytes = ports.git.readAt(base, path);
  if (bytes !== undefined) return { path, digest: sha256Hex(bytes), commit: base };
  const adopted = (await adoptions(ports, path)).at(-1);
  return adopted === undefined ? undefined : frozen(adopted);
}

/** What a person adopted after a claim, for a claim that froze nothing usable. */
export async function adoptedSince(
  ports: Ports,
  name: string,
  at: string,
): Promise<FrozenCriteria | undefined> {
  const latest = (await adoptions(ports, criteriaPath(name))).at(-1);
  return latest !== undefined && latest.at > at ? frozen(latest) : undefined;
}

const frozen = ({ path, digest, commit }: FrozenCriteria): FrozenCriteria => ({ path, digest, commit });

async function adoptions(ports: Ports, path: string): Promise<readonly CriteriaAdopted[]> {
  return (await ports.store.read(ADOPTIONS))
    .map((e) => eventOf<CriteriaAdopted>(e))
    .filter((a) => a.path === path);
}

/** Whether a person chose exactly these at a terminal, for everybody or for one item. */
export async function wasConfirmed(ports: Ports, { digest, commit }: FrozenCriteria): Promise<boolean> {
  const confirmed = (await ports.store.read(ADOPTIONS)).map((e) => eventOf<FrozenCriteria>(e));
  return confirmed.some((one) => one.digest === digest && one.commit === commit);
}

/** The text of frozen criteria. One that no longer has its digest is damage, never a substitute. */
export function criteriaText(ports: Ports, { path, digest, commit }: FrozenCriteria): Buffer {
  // What a person adopted is kept by its digest, also when its commit is long gone.
  const kept = () => ports.evidence.get(digest);
  const bytes = orKept(() => ports.git.readAt(commit, path), kept);
  if (bytes !== undefined && sha256Hex(bytes) === digest) return bytes;
  const copy = kept();
  if (copy !== undefined) return copy;
  const at = `${path} at ${commit.slice(0, 12)}`;
  throw new EngineError(
    'DAMAGED',
    `${at} is not what was frozen at the claim`,
    'restore the commit, or claim again',
  );
}

/** What git lacks is as good as gone where there is a copy of it. */
function orKept(read: () => Buffer | undefined, kept: () => Buffer | undefined): Buffer | undefined {
  try {
    return read();
  } catch (error) {
    const copy = (error as { code?: string }).code === 'MISSING_OBJECT' ? kept() : undefined;
    if (copy === undefined) throw error;
    return copy;
  }
}

/** What a person is shown and confirms before criteria are adopted. */
export function adoptionOf(
  ports: Ports,
  name: string,
  commit: string,
): FrozenCriteria & { readonly text: string } {
  const path = criteriaPath(name);
  const bytes = ports.git.readAt(commit, path);
  if (bytes === undefined) {
    throw new EngineError('NOT_FOUND', `there is no ${path} at ${commit}`, 'commit the criteria first');
  }
  return { path, digest: sha256Hex(bytes), commit, text: bytes.toString('utf8') };
}

/** Takes a first set of criteria from a later commit, by human authority. Throws NO_CREDENTIAL, BAD_INPUT. */
export async function adoptCriteria(ports: Ports, caller: Caller, criteria: FrozenCriteria): Promise<void> {
  const proof: HumanProof | undefined = caller.proof;
  if (proof === undefined || proof.digest !== criteria.digest) {
    throw new EngineError(
      'NO_CREDENTIAL',
      'Only a person may adopt criteria, at a terminal',
      'run it in a terminal',
    );
  }
  const parsed = await readCriteria(ports, criteriaText(ports, criteria), criteria.path);
  if (parsed.problems.length > 0)
    throw new EngineError('BAD_INPUT', `${criteria.path}: ${parsed.problems.join('; ')}`);
  await stillStands(ports, caller);
  const { path, digest, commit } = criteria;
  ports.evidence.put(criteriaText(ports, criteria));
  const at = nowOf(ports);
  const event: CriteriaAdopted = {
    type: 'criteria-adopted',
    path,
    digest,
    commit,
    at,
    by: caller.actor.id,
    proof: proof.id,
  };
  const write = draft(ports.newId(), at);
  useProof(write, proof);
  const append = { stream: ADOPTIONS, expected: 'any' as const, bodies: [bodyOf(event, write.commandId)] };
  const result = await ports.store.commit(appending(write.commandId, append, ...write.documents));
  if (result.kind === 'conflict') throw new EngineError('NO_CREDENTIAL', 'this confirmation was used before');
}
