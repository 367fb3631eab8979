/** What one client asked of an item, and when it was on its way, by a clock that all clients share. */
export interface Operation {
  readonly began: number;
  /** Infinity where no answer came: it may have been done at any time since, or never. */
  readonly ended: number;
  readonly asked:
    | { readonly kind: 'read' }
    | { readonly kind: 'append'; readonly expected: number; readonly command: string };
  readonly answer: Answer | undefined;
}

export type Answer =
  | { readonly kind: 'seen'; readonly version: number; readonly command: string }
  | { readonly kind: 'committed' }
  | { readonly kind: 'conflict'; readonly actual: number };

/** An item as the clients can see it: how long its stream is, and whose event is the last. */
interface Item {
  readonly version: number;
  readonly command: string;
}

/**
 * Whether there is an order of the operations, each at one moment between its beginning and its end, in which every
 * answer is right. The search of Wing and Gong ("Testing and Verifying Concurrent Objects", 1993), which never looks
 * twice at the same set of done operations with the same item. At most 30 operations.
 */
export function isLinearizable(history: readonly Operation[]): boolean {
  if (history.length > 30) throw new RangeError('a history of more than 30 operations');
  const answered = history.reduce(
    (mask, { answer }, n) => (answer === undefined ? mask : mask | (1 << n)),
    0,
  );
  const seen = new Set<string>();
  const search = (done: number, item: Item): boolean => {
    if ((done & answered) === answered) return true;
    const key = `${done} ${item.version} ${item.command}`;
    if (seen.has(key)) return false;
    seen.add(key);
    const first = firstEnd(history, done);
    return history.some((operation, n) => {
      if ((done & (1 << n)) !== 0 || operation.began > first) return false;
      const next = stepped(item, operation);
      return next !== undefined && search(done | (1 << n), next);
    });
  };
  return search(0, { version: 0, command: '' });
}

/** Nothing that began after this can have been before all that is left. */
function firstEnd(history: readonly Operation[], done: number): number {
  let first = Number.POSITIVE_INFINITY;
  for (const [n, { ended }] of history.entries()) if ((done & (1 << n)) === 0 && ended < first) first = ended;
  return first;
}

/** The item after the operation, undefined where its answer would have been wrong. */
function stepped(item: Item, { asked, answer }: Operation): Item | undefined {
  if (asked.kind === 'read') {
    const right =
      answer === undefined ||
      (answer.kind === 'seen' && answer.version === item.version && answer.command === item.command);
    return right ? item : undefined;
  }
  if (asked.expected === item.version) {
    const right = answer === undefined || answer.kind === 'committed';
    return right ? { version: item.version + 1, command: asked.command } : undefined;
  }
  const right = answer === undefined || (answer.kind === 'conflict' && answer.actual === item.version);
  return right ? item : undefined;
}
