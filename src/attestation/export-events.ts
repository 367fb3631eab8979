import type { Json } from './canonical.ts';
import { breakBetween, type ChainHead, genesis } from './chain.ts';
import type { ExportEvent } from './export-format.ts';
import type { ExportReport } from './export-report.ts';
import { isCanonical } from './line.ts';
import { logRoot, type StreamHead } from './merkle.ts';
import { isRecord } from './shape.ts';

/** The events of an export, checked one after the other. */
export interface EventCheck {
  add(line: number, event: ExportEvent): void;
  /** Heads in the order of the file, one for each event. */
  readonly history: readonly StreamHead[];
  /** The last event read, as stream@version; 'the header' before the first. */
  last(): string;
}

/** Chain, version, position, canonical body and command of every event. */
export function checkEvents(report: ExportReport): EventCheck {
  const heads = new Map<string, ChainHead>();
  const history: StreamHead[] = [];
  let position = 0;
  let last = 'the header';
  return {
    history,
    last: () => last,
    add: (line, event) => {
      const where = `${event.stream}@${event.version}`;
      const head = heads.get(event.stream) ?? { version: 0, hash: genesis(event.stream) };
      const problems = [
        event.position === position + 1 ? undefined : `position ${position + 1} should stand here`,
        breakBetween(event.stream, head, event),
        problemOfBody(event),
      ];
      for (const what of problems) if (what !== undefined) report.broken(line, where, what);
      // What the file says is taken as the new head, so that one edit is reported once and not down the whole stream.
      heads.set(event.stream, event);
      history.push({ stream: event.stream, version: event.version, hash: event.hash });
      position = event.position;
      last = where;
    },
  };
}

function problemOfBody({ body, command }: ExportEvent): string | undefined {
  try {
    const value: Json = JSON.parse(body);
    if (!isRecord(value) || !isCanonical(value, body)) return 'the body is not a canonical JSON object';
    return value.command === command ? undefined : 'the command is not the one in the body';
  } catch {
    return 'the body is not JSON';
  }
}

/** Roots and stream counts after the first n events, for n that never gets smaller. */
export function replayRoots(history: readonly StreamHead[]) {
  const heads = new Map<string, StreamHead>();
  let done = 0;
  return (events: number): { readonly root: string; readonly streams: number } | undefined => {
    if (events < done || events > history.length) return undefined;
    for (const head of history.slice(done, events)) heads.set(head.stream, head);
    done = events;
    return { root: logRoot(heads.values()), streams: heads.size };
  };
}
