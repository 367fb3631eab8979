import { nearest } from '../kernel/nearest.ts';
import type { Protocol } from '../kernel/protocol.ts';
import { BUILT_IN } from '../protocols/index.ts';
import type { CriteriaCheck, ParsedCriteria, Ports } from './ports.ts';
import { everyProtocol } from './project-protocols.ts';
import { readRoster } from './roster.ts';

/** A check as far as it names roles: only a review does. */
interface Naming {
  readonly kind: string;
  readonly by?: readonly string[];
}

/**
 * Criteria as the runner reads them, with what only the engine can tell: a review by a role that nobody can ever hold,
 * or that no protocol lets review, would keep every item from being verified, and is a problem like any other.
 */
export async function readCriteria(
  ports: Pick<Ports, 'runner' | 'git'>,
  bytes: Uint8Array,
  path: string,
): Promise<ParsedCriteria> {
  const parsed = await ports.runner.criteria(bytes, path);
  if (parsed.problems.length > 0 || parsed.checks.every(({ by }) => by.length === 0)) return parsed;
  const protocols = await everyProtocol(ports);
  return { ...parsed, problems: reviewerProblems(parsed.checks, protocols) };
}

/** What is wrong with the roles of reviews, by place. The checks stand in the order of the file. */
export function reviewerProblems(
  checks: readonly Naming[],
  protocols: readonly Protocol[] = Object.values(BUILT_IN),
): readonly string[] {
  const all = protocols.flatMap(({ roles }) => roles);
  return checks.flatMap(({ kind, by = [] }, i) => {
    if (kind !== 'review' || by.length === 0) return [];
    const roles = reviewers(protocols);
    const unknown = by.filter((role) => role !== 'human' && !all.includes(role));
    const may = `a review is given by ${roles.join(', ')}`;
    const strange = unknown.map((role) => {
      const meant = nearest(role, roles);
      const help = meant === undefined ? may : `did you mean ${meant}?`;
      return `checks[${i}].by: no protocol knows the role ${role}; ${help}`;
    });
    if (strange.length > 0 || by.some((role) => roles.includes(role))) return strange;
    return [`checks[${i}].by: no protocol lets ${by.join(' or ')} review; ${may}`];
  });
}

/** Whoever some protocol lets say something of a claim in review. */
function reviewers(protocols: readonly Protocol[]): readonly string[] {
  const rows = protocols.flatMap((protocol) => protocol.evidence);
  return [...new Set(rows.filter(({ kind }) => kind === 'review').flatMap(({ by }) => by))];
}

/**
 * Owners of checks who are no actors here, by place. Only a remark: a roster may grow, and a check without anybody who
 * could waive it holds all the same.
 */
export async function ownerRemarks(
  ports: Pick<Ports, 'store'>,
  checks: readonly Pick<CriteriaCheck, 'id' | 'owner'>[],
): Promise<readonly string[]> {
  if (checks.every(({ owner }) => owner === '')) return [];
  const { roster } = await readRoster(ports);
  const names = [...roster.members.values()].filter((m) => !m.retired).map(({ id }) => id);
  return checks.flatMap(({ id, owner }, i) => {
    if (owner === '' || names.includes(owner)) return [];
    const meant = nearest(owner, names);
    const help = meant === undefined ? 'see: countersign actor list' : `did you mean ${meant}?`;
    return [`checks[${i}].owner: there is no actor ${owner} here who could waive ${id}; ${help}`];
  });
}
