import type { Ports } from '../ports.ts';
import { agentNamed, RISKS, type Risk, type RiskRule, type StagedSettings } from './settings.ts';

export interface Assessed {
  readonly risk: Risk;
  readonly agents: readonly string[];
  /** One line for each path: the rule that counts for it. */
  readonly reasons: readonly string[];
}

/**
 * The risk of a task by the paths that it will touch: the gravest of the rules that match, with the agents of all of
 * them; the first rule that matches a path counts for it (PROTO-18, CP-39). No path at all is MEDIUM.
 */
export async function assess(
  { runner }: Pick<Ports, 'runner'>,
  settings: Pick<StagedSettings, 'rules' | 'agents'>,
  paths: readonly string[],
): Promise<Assessed> {
  const found = new Set<Risk>();
  const agents = new Set<string>();
  const reasons: string[] = [];
  for (const path of paths) {
    const known = await matching(runner, settings.rules, path);
    if (known === undefined) continue;
    found.add(known.rule.risk);
    for (const agent of known.rule.agents) agents.add(agentNamed(settings.agents, agent));
    reasons.push(`${path} matches ${known.pattern}: ${known.rule.risk}`);
  }
  const risk = RISKS.find((known) => found.has(known)) ?? 'MEDIUM';
  return { risk, agents: [...agents], reasons };
}

async function matching(runner: Ports['runner'], rules: readonly RiskRule[], path: string) {
  for (const rule of rules)
    for (const pattern of rule.patterns) if (await runner.matches(path, pattern)) return { rule, pattern };
  return undefined;
}
