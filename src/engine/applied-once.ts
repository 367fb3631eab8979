import { sha256Hex } from '../attestation/digest.ts';
import type { Commit, CommitResult } from '../store/store.ts';
import { appending } from './appending.ts';
import { delegating } from './delegating.ts';
import { EngineError } from './engine-error.ts';
import { nowOf, type Ports } from './ports.ts';
import { bodyOf, eventOf } from './stored.ts';

/** A request that a client may send again: who sent it, the id that it chose, and a digest of what it asked. */
export interface Request {
  readonly actor: string;
  readonly id: string;
  readonly digest: string;
}

/** The first write of a request, in the same commit. */
export interface RequestApplied {
  readonly type: 'request-applied';
  readonly at: string;
  readonly by: string;
  readonly digest: string;
}

/** What it was answered, for whoever did not hear it. */
export interface RequestAnswered {
  readonly type: 'request-answered';
  readonly at: string;
  readonly by: string;
  readonly answer: string;
}

type RequestEvent = RequestApplied | RequestAnswered;

/** Answers that are longer are not kept. */
const LONGEST_ANSWER = 200_000;

const streamOf = ({ actor, id }: Request) => `request/${sha256Hex(`${actor}\n${id}`)}`;

export type Earlier = { readonly kind: 'new' } | { readonly kind: 'answered'; readonly answer: string };

/**
 * What became of a request of this id before. Throws CONFLICT where it wrote something and its answer is lost, and where
 * the id was used for something else.
 */
export async function earlier(ports: Pick<Ports, 'store'>, request: Request): Promise<Earlier> {
  const events = (await ports.store.read(streamOf(request))).map((event) => eventOf<RequestEvent>(event));
  const applied = events.find((event): event is RequestApplied => event.type === 'request-applied');
  if (applied === undefined) return { kind: 'new' };
  if (applied.digest !== request.digest)
    throw new EngineError('CONFLICT', `the request id ${request.id} was used for something else`, NEW_ID);
  const answered = events.find((event): event is RequestAnswered => event.type === 'request-answered');
  if (answered !== undefined) return { kind: 'answered', answer: answered.answer };
  throw appliedBefore(applied.at);
}

/** The store of one request: its first write says so in the same commit, and a second request of the id writes nothing. */
export function appliedOnce(ports: Ports, request: Request): Ports & { readonly wrote: () => boolean } {
  const stream = streamOf(request);
  let wrote = false;
  const commit = async (asked: Commit): Promise<CommitResult> => {
    if (wrote) return ports.store.commit(asked);
    const event: RequestApplied = {
      type: 'request-applied',
      at: nowOf(ports),
      by: request.actor,
      digest: request.digest,
    };
    const mark = { stream, expected: 0, bodies: [bodyOf(event, asked.commandId)] };
    const result = await ports.store.commit({ ...asked, appends: [...asked.appends, mark] });
    if (result.kind === 'conflict' && result.stream === stream) throw appliedBefore('');
    if (result.kind === 'committed' || result.kind === 'duplicate') wrote = true;
    return result;
  };
  return { ...ports, store: delegating(ports.store, { commit }), wrote: () => wrote };
}

/** Keeps the answer beside it, where the request wrote anything. */
export async function keepAnswer(
  ports: Ports & { readonly wrote: () => boolean },
  request: Request,
  answer: string,
): Promise<void> {
  if (!ports.wrote() || answer.length > LONGEST_ANSWER) return;
  const commandId = ports.newId();
  const event: RequestAnswered = {
    type: 'request-answered',
    at: nowOf(ports),
    by: request.actor,
    answer,
  };
  const append = { stream: streamOf(request), expected: 1, bodies: [bodyOf(event, commandId)] };
  await ports.store.commit(appending(commandId, append));
}

const NEW_ID = 'send it under an id of its own';

const appliedBefore = (at: string) =>
  new EngineError(
    'CONFLICT',
    `this request was applied before${at === '' ? '' : `, at ${at}`}, and its answer is lost: nothing was done again`,
    'see what it came to: countersign next',
  );
