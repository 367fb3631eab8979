import { ENGINE } from '../../kernel/actor.ts';
import type { Caller } from '../caller.ts';
import { shortTitle } from '../display.ts';
import type { Draft } from '../draft.ts';
import type { Handle } from '../handle.ts';
import { NEW_ITEM, type NewItem } from '../new-item.ts';
import { openInto, planOf } from '../opening.ts';
import type { Ports } from '../ports.ts';
import { lastLinked, link } from './links.ts';
import { pinnedOf } from './settings.ts';

/** The engine as whoever opens what nobody asked for. */
const ITSELF: Caller = { actor: ENGINE, proof: undefined, token: undefined };

/**
 * Opens what a policy sends its first command to: the review of a phase, or the reviewers of a review. Each round has a
 * review of its own with a frozen set of reviewers (PHASE-93, PHASE-96, PHASE-114). Answers the ids.
 */
export async function openFor(ports: Ports, write: Draft, source: Handle): Promise<readonly string[]> {
  if (source.protocol.name === 'phase') return [await openReview(ports, write, source)];
  const { reviewers, reviewer_agents: agents } = pinnedOf(source);
  const opened: string[] = [];
  for (let n = 1; n <= reviewers; n++) {
    const agent = agents[(n - 1) % agents.length] ?? '';
    opened.push(await openReviewer(ports, write, source, { n, agent }));
  }
  return opened;
}

async function openReview(ports: Ports, write: Draft, phase: Handle): Promise<string> {
  const opened = await openOne(ports, write, {
    ...NEW_ITEM,
    list: phase.item.list,
    title: `Review of ${phase.display}: ${shortTitle(phase.item.title)}`,
    protocol: 'review',
    settings: { policy: pinnedOf(phase).policy },
    facts: { phases: phase.item.facts.phases ?? {} },
  });
  link(write, opened, 'phase', phase.id);
  link(write, phase, 'review', opened.id);
  return opened.id;
}

async function openReviewer(
  ports: Ports,
  write: Draft,
  review: Handle,
  { n, agent }: { readonly n: number; readonly agent: string },
): Promise<string> {
  const opened = await openOne(ports, write, {
    ...NEW_ITEM,
    list: review.item.list,
    title: `Reviewer ${n} of ${review.display}`,
    protocol: 'reviewer',
    facts: { phases: review.item.facts.phases ?? {}, phase: lastLinked(review, 'phase'), agent },
  });
  link(write, opened, 'review', review.id);
  link(write, review, 'reviewers', opened.id);
  return opened.id;
}

async function openOne(ports: Ports, write: Draft, item: NewItem): Promise<Handle> {
  const [opened] = await openInto(ports, ITSELF, write, await planOf(ports, [item]));
  if (opened === undefined) throw new Error('an item that was opened is not there');
  return opened;
}
