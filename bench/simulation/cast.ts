/** Who plays, with their roles; `of` = whose child it is. The person is `ada`. */
export interface Part {
  readonly roles: readonly string[];
  readonly of: string;
}

const MAKES = ['specialist', 'fullstack-developer', 'builder'];
const JUDGES = ['verification-agent', 'quality-validator', 'quality-monitor', 'verifier', 'reviewer'];
const part = (roles: readonly string[], of = ''): Part => ({ roles, of });

export const PERSON = 'ada';

/**
 * Ben and his two children could do everything, and are one pair of eyes: that they are kept apart from their own work is
 * for the engine to see to. Vera and carl are of other lineages.
 */
export const CAST: { readonly [name: string]: Part } = {
  olga: part([
    'workflow-orchestrator',
    'build-orchestrator',
    'plan-manager',
    'cto',
    'git-manager',
    'orchestrator',
  ]),
  lin: part(['lead']),
  ben: part([...MAKES, ...JUDGES, 'workflow-orchestrator', 'git-manager']),
  bea: part([...MAKES, ...JUDGES], 'ben'),
  bob: part([...MAKES, ...JUDGES], 'ben'),
  carl: part([...MAKES, 'reviewer', 'solution-validator']),
  vera: part([...JUDGES, 'solution-validator']),
  coord: part(['coordinator']),
  rival: part(['coordinator']),
  architect: part(['stakeholder']),
  quality: part(['stakeholder']),
};

export const STAKEHOLDERS = ['architect', 'quality'] as const;

/** Those of whom the lineage is, the oldest first, by who is whose child. */
export function lineageOf(name: string, parents: ReadonlyMap<string, string>): readonly string[] {
  const line: string[] = [];
  for (let one = name; one !== '' && !line.includes(one); one = parents.get(one) ?? '') line.unshift(one);
  return line;
}
