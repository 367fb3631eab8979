import type { Caller } from '../caller.ts';
import { EngineError } from '../engine-error.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { type Round, roundsOf, verdictOf } from './rounds.ts';
import { isReviewer } from './status.ts';
import { phaseNamed, runsOf, taskOf } from './task-phases.ts';

const APPROVED: readonly string[] = ['APPROVED', 'COMPLETED'];

/**
 * What a phase leaves to the next: a function of the log, so that it cannot be edited (PHASE-52, PHASE-111). Throws BAD_INPUT
 * before it is approved (CH-16).
 */
export async function handoverOf(ports: Ports, phase: Handle): Promise<string> {
  const { item, display } = phase;
  if (!APPROVED.includes(item.state))
    throw new EngineError(
      'BAD_INPUT',
      `PHASE_NOT_APPROVED: ${display} is ${item.state}; there is a handover when its reviewers have approved it`,
      `see where it stands: countersign phase status ${display}`,
    );
  const [task, runs, rounds] = await Promise.all([
    taskOf(ports, phase),
    runsOf(ports, phase),
    roundsOf(ports, phase),
  ]);
  const commit = item.subjects.commit?.digest ?? '';
  const base = String(item.facts.base ?? '');
  const changed = commit === '' || commit === base ? [] : ports.workspace.changed(base, commit);
  const forced = item.steps.findLast(({ command }) => command === 'force-approve');
  return [
    `# Handover of ${display}: ${item.title}`,
    '',
    `Phase ${item.facts.order} of ${item.facts.of} of ${task.display}, ${task.item.title}.`,
    '',
    ...(item.facts.comes_to === '' ? [] : ['## What it had to come to', '', String(item.facts.comes_to), '']),
    '## Commit',
    '',
    commit,
    '',
    ...section('Files that differ from where the task began', changed),
    ...section('Work', runs.map(workLine)),
    ...section('Reviews', rounds.flatMap(roundLines)),
    ...(forced === undefined
      ? []
      : [
          `**Approved by force** by ${forced.by} at ${forced.at}, without a verdict of reviewers: ${forced.reason}`,
          '',
        ]),
  ].join('\n');
}

/** The same for somebody who asks. It holds what builders say of their work: that is not for those who judge it. */
export async function handoverFor(
  ports: Ports,
  { actor }: Pick<Caller, 'actor'>,
  ref: string,
): Promise<string> {
  if (isReviewer(actor))
    throw new EngineError(
      'NO_CREDENTIAL',
      `${actor.id} reviews: what builders say of their work is not for its eyes`,
      'judge the commit that is checked out',
    );
  return handoverOf(ports, await phaseNamed(ports, ref));
}

const section = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : [`## ${title}`, '', ...lines.map((line) => `- ${line}`), ''];

function workLine({ display, item }: Handle): string {
  const said = item.steps.findLast(({ command }) => command === 'complete' || command === 'report');
  return `${display} (${item.state})${said === undefined || said.reason === '' ? '' : `: ${said.reason}`}`;
}

function roundLines({ review, reviewers, findings }: Round): readonly string[] {
  const words = reviewers.map((one) => {
    const verdict = verdictOf(one);
    return `${one.display} ${verdict === undefined ? 'gave none' : verdict.command}`;
  });
  return [
    `${review.display}: ${review.item.state} (${words.join(', ')})`,
    ...findings.map(
      ({ id, severity, title, path, counts }) =>
        `${id} [${severity}${counts ? '' : ', aside'}] ${title}${path === '' ? '' : ` (${path})`}`,
    ),
  ];
}
