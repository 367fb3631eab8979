import type { Caller } from '../caller.ts';
import type { Opened } from '../composition.ts';
import { EngineError } from '../engine-error.ts';
import type { NotDone } from '../execute.ts';
import { type Handle, loadById, loadItem } from '../handle.ts';
import { STEP, type StepOutcome, step } from '../step.ts';
import { attend } from './attend.ts';
import { lastLinked, linkedTo } from './links.ts';
import { placeOf } from './run-name.ts';
import { startRecorded } from './start-recorded.ts';
import { phaseNamed } from './task-phases.ts';

/** A step of a phase, a review or a run as somebody asks for it. */
export interface PhaseAction {
  readonly command: string;
  readonly reason: string;
  readonly arguments: { readonly [name: string]: string };
}

/** Takes a step of a phase, and brings on what it set off: whoever waits for a process gets one (PHASE-93, PHASE-96). */
export async function phaseStep(
  opened: Opened,
  caller: Caller,
  ref: string,
  action: PhaseAction,
  confirms?: (handle: Handle) => string,
): Promise<StepOutcome> {
  const { id } = await phaseNamed(opened.ports, ref);
  return stepOn(opened, caller, id, action, confirms);
}

/** The same on any item of a task in phases. */
export async function stepOn(
  opened: Opened,
  caller: Caller,
  id: string,
  { command, reason, arguments: given }: PhaseAction,
  confirms?: (handle: Handle) => string,
): Promise<StepOutcome> {
  const outcome = await step(
    opened.ports,
    caller,
    { ...STEP, ref: id, command, reason, arguments: given },
    confirms,
  );
  if (outcome.kind === 'done') await attend(opened);
  return outcome;
}

/** Gives up the review of a phase where those who are missing do not answer (PHASE-39, PHASE-81, CH-07). */
export async function abortReview(
  opened: Opened,
  caller: Caller,
  ref: string,
  reason: string,
): Promise<StepOutcome> {
  const phase = await phaseNamed(opened.ports, ref);
  // Who is dead or silent by now is found before it is judged.
  await attend(opened);
  const review = lastLinked(phase, 'review');
  if (review === '')
    throw new EngineError(
      'BAD_INPUT',
      `${phase.display} has no review`,
      `see where it stands: countersign phase status ${phase.display}`,
    );
  return stepOn(opened, caller, review, { command: 'abort', reason, arguments: {} });
}

/** A verdict as a reviewer gives it. */
export interface GivenVerdict {
  readonly review: string;
  readonly verdict: string;
  readonly findings: string;
  readonly summary: string;
}

/** Words for a verdict, as seeds and people say them (CX-08). */
const WORDS: { readonly [word: string]: string } = {
  ...{ approve: 'approve', approved: 'approve', pass: 'approve' },
  ...{
    changes: 'changes',
    request_changes: 'changes',
    changes_requested: 'changes',
    needs_revision: 'changes',
  },
  ...{ reject: 'reject', rejected: 'reject', fail: 'reject' },
};

/**
 * The one verdict of a reviewer. Whose it is, is known by the credential: there is no name to give (PHASE-101). Somebody who
 * is none of the review's reviewers is refused by the first one's own table. Throws NOT_FOUND, BAD_INPUT.
 */
export async function giveVerdict(opened: Opened, caller: Caller, given: GivenVerdict): Promise<StepOutcome> {
  const { ports } = opened;
  const command = Object.hasOwn(WORDS, given.verdict) ? WORDS[given.verdict] : undefined;
  if (command === undefined)
    throw new EngineError(
      'BAD_INPUT',
      `there is no verdict ${given.verdict}`,
      'say approve, request_changes or reject',
    );
  const review = await reviewNamed(opened, given.review);
  const reviewers = await Promise.all(linkedTo(review, 'reviewers').map((id) => loadById(ports, id)));
  const isOwn = ({ display, item }: Handle) =>
    (item.marks.agent ?? []).includes(caller.actor.id) || placeOf(caller.actor.id) === display;
  const found = reviewers.find(isOwn) ?? reviewers[0];
  const own = found === undefined || !isOwn(found) ? found : await startRecorded(opened, found);
  if (own === undefined) throw new EngineError('BAD_INPUT', `${review.display} has no reviewers yet`);
  return stepOn(opened, caller, own.id, {
    command,
    reason: given.summary,
    arguments: { findings: given.findings },
  });
}

/** A review by its own name, or the last one of a phase. Throws NOT_FOUND, BAD_INPUT. */
export async function reviewNamed({ ports }: Pick<Opened, 'ports'>, ref: string): Promise<Handle> {
  const handle = await loadItem(ports, ref);
  if (handle.protocol.name === 'review') return handle;
  if (handle.protocol.name === 'reviewer') return loadById(ports, lastLinked(handle, 'review'));
  const phase = await phaseNamed(ports, ref);
  const last = lastLinked(phase, 'review');
  if (last !== '') return loadById(ports, last);
  throw new EngineError(
    'BAD_INPUT',
    `${phase.display} has not been reviewed`,
    `see where it stands: countersign phase status ${phase.display}`,
  );
}

/** The code of a refusal: the seed's own where its text has one (PHASE-97 to PHASE-99, CX-15, CH-23). */
export function refusalCode({ because, code }: Pick<NotDone, 'because' | 'code'>): string {
  if (because.startsWith('BLOCKED:')) return 'ACTION_BLOCKED';
  if (because.startsWith('PHASE_NOT_APPROVED:')) return 'PHASE_NOT_APPROVED';
  return code.toUpperCase().replaceAll('-', '_');
}
