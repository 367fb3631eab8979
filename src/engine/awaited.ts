import type { World } from '../kernel/context.ts';
import { isMereWord, NO_CHANGE } from '../runner/no-change.ts';
import { isAcceptanceIndependent } from './acceptance.ts';
import { claimFacts } from './claim-facts.ts';
import { isAtGate } from './gates.ts';
import { givenOn } from './given.ts';
import type { Handle } from './handle.ts';
import { criteriaOf, type ReadCriteria } from './judged-by.ts';
import type { CriteriaCheck, Given, Ports } from './ports.ts';

/** A word that the criteria wait for before the claim can pass. */
export interface Awaited {
  readonly kind: Given['kind'];
  /** Id of the check that asks for it. */
  readonly check: string;
  readonly because: string;
  /** The exact command by which it is given. */
  readonly command: string;
}

/** What is still to be said about a claim: sign-offs, reviews, approvals. Nothing for what is not claimed. */
export async function awaitedBy(ports: Ports, handle: Handle, world: World): Promise<readonly Awaited[]> {
  if (!isAtGate(handle)) return [];
  const read = await criteriaOf(ports, handle);
  if (read === undefined || read.parsed.problems.length > 0) return [];
  const given = givenOn(handle.item, world).filter((g) => g.outside || g.human);
  const tree = String(claimFacts(handle).tree ?? '');
  const { checks } = read.parsed;
  const { kind } = handle.item;
  const noChange = claimFacts(handle).no_change === true;
  const examples = isAcceptanceIndependent(handle.item, world);
  const asked = isMereWord({ kind, noChange, examples, checks }) ? [...checks, NOTHING_DONE] : checks;
  const words = asked.flatMap((check) => wordFor(handle.display, check, tree, given));
  return [...words, ...(await signOffFor(ports, handle, read, given))];
}

/** The runner asks for it by itself where nobody outside looks at a claim that nothing had to be changed. */
const NOTHING_DONE: CriteriaCheck = { id: NO_CHANGE, kind: 'review', owner: '', by: [], count: 1 };

function wordFor(
  display: string,
  check: CriteriaCheck,
  tree: string,
  given: readonly Given[],
): readonly Awaited[] {
  if (check.kind === 'review') {
    const fits = ({ role, human }: Given) =>
      check.by.length === 0 || check.by.includes(role) || (human && check.by.includes('human'));
    const lacking = check.count - saying(given, 'review', tree).filter(fits).length;
    if (lacking <= 0) return [];
    const from = check.by.length === 0 ? '' : ` by ${check.by.join(' or ')}`;
    const because = `${lacking} more ${lacking === 1 ? 'review' : 'reviews'}${from} must approve`;
    return [{ kind: 'review', check: check.id, because, command: `countersign review ${display} --approve` }];
  }
  if (check.kind !== 'approval' || saying(given, 'approval', tree).some((g) => g.human)) return [];
  const because = 'a person must approve the tree';
  return [{ kind: 'approval', check: check.id, because, command: `countersign approve ${display}` }];
}

/** One sign-off answers for everything that the criteria protect. */
async function signOffFor(
  ports: Ports,
  handle: Handle,
  read: ReadCriteria,
  given: readonly Given[],
): Promise<readonly Awaited[]> {
  const check = read.parsed.checks.find((c) => c.kind === 'diff');
  if (check === undefined) return [];
  const { digest, paths } = await protectedBy(ports, handle, read);
  if (paths.length === 0 || saying(given, 'sign-off', digest).length > 0) return [];
  const because = `protected paths changed (${few(paths)}): somebody outside the lineage signs them off`;
  return [{ kind: 'sign-off', check: check.id, because, command: `countersign sign-off ${handle.display}` }];
}

const saying = (given: readonly Given[], kind: Given['kind'], digest: string) =>
  given.filter((g) => g.kind === kind && g.digest === digest && g.outcome === 'approve');

const few = (paths: readonly string[]) => `${paths.slice(0, 3).join(', ')}${paths.length > 3 ? ', …' : ''}`;

/** What the claim changed of what its criteria protect. */
export function protectedBy(ports: Ports, handle: Handle, { criteria, text }: ReadCriteria) {
  const { commit, base } = claimFacts(handle);
  return ports.runner.protectedChanges({
    commit: String(commit ?? ''),
    base: String(base ?? ''),
    criteria: text,
    criteriaPath: criteria.path,
    kind: handle.item.kind,
  });
}
