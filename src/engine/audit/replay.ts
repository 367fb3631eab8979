import type { TrustedKey } from '../../attestation/key.ts';
import type { ItemEvent, Moved } from '../../kernel/event.ts';
import { evolve } from '../../kernel/evolve.ts';
import type { Protocol } from '../../kernel/protocol.ts';
import { UNOPENED, type WorkItem } from '../../kernel/work-item.ts';
import type { NewJob, StoredEvent } from '../../store/store.ts';
import { displayId } from '../display.ts';
import type { FilePort } from '../ports.ts';
import { eventOf } from '../stored.ts';
import { verificationJob } from '../work.ts';
import { placeOf } from './chains.ts';
import type { Findings } from './findings.ts';
import { packProblems } from './packs.ts';
import {
  brokenPromise,
  type Past,
  rejudgeHop,
  rejudgeMove,
  rejudgeOpening,
  rejudgeRecord,
} from './rejudge.ts';
import { judgeEnd } from './watched-ends.ts';
import type { WorldHistory } from './world-history.ts';

/** What the stream of an item is judged with. */
export interface Replay {
  readonly id: string;
  readonly protocol: Protocol;
  readonly world: WorldHistory;
  readonly runners: readonly TrustedKey[];
  readonly files: Pick<FilePort, 'read'>;
}

export interface ExpectedJob extends NewJob {
  readonly where: string;
}

/** What an item came to, and every verification job that it ever needed. */
export interface Replayed {
  readonly item: WorkItem;
  readonly jobs: readonly ExpectedJob[];
}

/** Folds a stream and judges each of its decisions again on what stood before it. */
export function replay(question: Replay, stored: readonly StoredEvent[], findings: Findings): Replayed {
  const { id, protocol, world } = question;
  const events = stored.map((event) => eventOf<ItemEvent>(event));
  const needed: ExpectedJob[] = [];
  let item = UNOPENED;
  let before = UNOPENED;
  for (const [index, event] of events.entries()) {
    const { position, where, ends } = placed(stored, index);
    // The move behind a hop was decided before the hop.
    if (!isHop(events[index - 1])) before = item;
    const list = event.type === 'opened' ? event.list : item.list;
    const past: Past = { protocol, item: before, world: world.at(position, protocol, list) };
    const after = evolve(protocol, item, event);
    for (const what of problemsOf(question, past, { item, after, event, next: events[index + 1] }))
      findings.broken(where, what);
    judgeEnd(findings, where, { protocol, item, event });
    item = after;
    const jobs = ends
      ? verificationJob({ id, display: displayId(item.number, protocol.name), protocol, item }, event.at)
      : [];
    needed.push(...jobs.map((job) => ({ ...job, where })));
  }
  // A job that is there stays as it is when the item is written again: the first of a key counts.
  const jobs = new Map(needed.toReversed().map((job) => [job.key, job]));
  return { item, jobs: [...jobs.values()] };
}

/** Where an event stands, and whether its command ends with it: jobs are made for what a whole command leaves. */
function placed(stored: readonly StoredEvent[], index: number) {
  const { position = 0, stream = '', version = 0, command = '' } = stored[index] ?? {};
  return {
    position,
    where: placeOf({ stream, version }),
    ends: stored[index + 1]?.command !== command,
  };
}

interface Happened {
  readonly item: WorkItem;
  readonly after: WorkItem;
  readonly event: ItemEvent;
  readonly next: ItemEvent | undefined;
}

function problemsOf(
  { id, runners, files }: Replay,
  past: Past,
  { item, after, event, next }: Happened,
): readonly string[] {
  const first = past.item.version === 0;
  if ((event.type === 'opened') !== first) return ['an item is opened once, by its first event'];
  switch (event.type) {
    case 'opened':
      return present(rejudgeOpening(past, event));
    case 'moved':
      if (isHop(event)) return present(rejudgeHop(past, event, next));
      return present(rejudgeMove(past, event), brokenPromise({ ...past, item: after }, event));
    case 'recorded':
      return [...present(rejudgeRecord(past, event)), ...packProblems(files, runners, { id, item, event })];
    default:
      return [];
  }
}

const present = (...problems: readonly (string | undefined)[]) =>
  problems.filter((what) => what !== undefined);

function isHop(event: ItemEvent | undefined): event is Moved {
  return event?.type === 'moved' && event.row === -1;
}
