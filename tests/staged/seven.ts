import type { Crew } from './crew.ts';
import { reach, TASK } from './walk.ts';

/** In the order of their names, as the engine keeps them. */
export const SEVEN = [
  'architect',
  'performance',
  'quality',
  'security',
  'style',
  'tester',
  'usability',
] as const;

/** A fresh task in REQUIREMENTS, with these agents. */
export async function gatherWith(crew: Crew, agents: readonly string[] = SEVEN): Promise<void> {
  for (const agent of ['performance', 'usability']) await crew.session.register(agent, ['stakeholder']);
  await reach(crew, 'CLASSIFIED');
  for (const words of [
    ['assess', TASK, '--risk', 'MEDIUM', '--agents', agents.join(','), '--reason', 'src/dates.js'],
    ['worktrees', TASK],
    ['document', TASK],
    ['gather', TASK],
  ]) {
    const said = await crew.go('task', ...words);
    if (said.code !== 0) throw new Error(`${words.join(' ')}: ${said.out}${said.err}`);
  }
}

/** Calls agents, all before any of them answers. */
export async function calls(crew: Crew, agents: readonly string[]): Promise<void> {
  for (const agent of agents) {
    const said = await crew.go('task', 'invoke', TASK, '--agent', agent);
    if (said.code !== 0) throw new Error(`${agent}: ${said.out}${said.err}`);
  }
}

/** Each agent writes its report and says that it is complete. */
export async function reportsOf(crew: Crew, agents: readonly string[]): Promise<void> {
  for (const agent of agents) {
    const said = await crew.reports(agent);
    if (said.code !== 0) throw new Error(`${agent}: ${said.out}${said.err}`);
  }
}
