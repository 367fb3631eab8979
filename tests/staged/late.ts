import type { Said } from '../session.ts';
import type { Crew } from './crew.ts';
import { TASK } from './walk.ts';

/** The four questions, answered. */
export const ANSWERS = {
  expertise: 'authentication',
  requirement: 'tokens expire',
  overlooked: 'the entry did not name tokens',
  shows: 'the report of the architect',
};
export type Answers = Partial<Record<keyof typeof ANSWERS | 'risk' | 'reason', string>>;

/** Two agents of one domain. */
export const TESTERS = `staged:
  agents:
    architect: {domain: architecture}
    quality: {domain: quality}
    tester: {domain: tests}
    style: {domain: tests}
    security: {domain: security}
`;

/** Adds an agent late; '' leaves an answer out. */
export function addsTo(crew: Crew, agent: string, more: Answers = {}, command = 'add-agent'): Promise<Said> {
  const given = { ...ANSWERS, risk: 'MEDIUM', reason: 'one more module', ...more };
  const options = Object.entries(given).flatMap(([name, value]) =>
    value === '' ? [] : [`--${name}`, value],
  );
  return crew.go('task', command, TASK, '--agent', agent, ...options);
}

/** The rules that the audit of the task found broken. */
export async function auditOf(crew: Crew): Promise<readonly string[]> {
  const said = await crew.go('task', 'audit', TASK);
  return (said.data.findings as unknown as { rule: string }[]).map(({ rule }) => rule);
}
