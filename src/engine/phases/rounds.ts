import type { Step } from '../../kernel/work-item.ts';
import { type Handle, loadById } from '../handle.ts';
import type { Ports } from '../ports.ts';
import type { Finding } from './findings.ts';
import { linkedTo } from './links.ts';

/** A review with its reviewers, as they stand. */
export interface Round {
  readonly review: Handle;
  readonly reviewers: readonly Handle[];
  readonly findings: readonly Finding[];
}

const VERDICTS: readonly string[] = ['approve', 'changes', 'reject'];

/** The step in which a reviewer gave its verdict; undefined before. */
export const verdictOf = ({ item }: Pick<Handle, 'item'>): Step | undefined =>
  VERDICTS.includes(item.state)
    ? item.steps.findLast(({ command }) => VERDICTS.includes(command))
    : undefined;

/** What a reviewer found. */
export const findingsOf = (reviewer: Pick<Handle, 'item'>): readonly Finding[] =>
  (verdictOf(reviewer)?.facts.findings ?? []) as unknown as readonly Finding[];

/** Every review of a phase, the oldest first. */
export async function roundsOf(ports: Pick<Ports, 'store'>, phase: Handle): Promise<readonly Round[]> {
  return Promise.all(linkedTo(phase, 'review').map((id) => roundOf(ports, id)));
}

export async function roundOf(ports: Pick<Ports, 'store'>, id: string): Promise<Round> {
  const review = await loadById(ports, id);
  const reviewers = await Promise.all(linkedTo(review, 'reviewers').map((one) => loadById(ports, one)));
  return { review, reviewers, findings: reviewers.flatMap(findingsOf) };
}

/** The rounds whose reviewers came to an outcome, the oldest first. */
export const judgedRounds = async (ports: Pick<Ports, 'store'>, phase: Handle): Promise<readonly Round[]> =>
  (await roundsOf(ports, phase)).filter(({ review }) => isJudged(review));

/** Those of a phase's rounds that came to an outcome before one of them, the oldest first. */
export function judgedBefore(rounds: readonly Round[], review: string): readonly Round[] {
  const at = rounds.findIndex((round) => round.review.id === review);
  return (at < 0 ? rounds : rounds.slice(0, at)).filter((round) => isJudged(round.review));
}

/** The commit that a round is about, '' before it has one. */
export const workOf = ({ review }: Pick<Round, 'review'>): string => review.item.subjects.work?.digest ?? '';

/** Whether a review still waits for its reviewers. */
export const isOpen = ({ item }: Pick<Handle, 'item'>): boolean =>
  ['idle', 'spawning', 'open'].includes(item.state);

/** Whether a review ended with an outcome of its reviewers. */
export const isJudged = ({ item }: Pick<Handle, 'item'>): boolean =>
  ['approved', 'rejected', 'changes'].includes(item.state);
