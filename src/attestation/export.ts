import { createHash } from 'node:crypto';
import { AttestationError } from './attestation-error.ts';
import { canonicalize, type Json } from './canonical.ts';
import { EXPORT_FORMAT, type ExportEvent, type ExportHeader, exportStatement } from './export-format.ts';
import type { Signer } from './key.ts';
import { logRoot, type StreamHead } from './merkle.ts';
import { signStatement } from './sign.ts';

/** Makes an export line by line; each call gives the next line with its newline. Nothing but the heads is kept. */
export interface ExportWriter {
  header(): string;
  /** Events come in position order. */
  event(event: ExportEvent): string;
  /** After the events, oldest first. */
  checkpoint(note: string): string;
  /** Last. Throws BAD_INPUT when the events or streams written are not as many as the header said. */
  trailer(signer: Signer): string;
}

/** A writer for an offline copy of a log (docs/formats/export.md). */
export function exportWriter(head: Omit<ExportHeader, 'format'>): ExportWriter {
  const digest = createHash('sha256');
  const heads = new Map<string, StreamHead>();
  let events = 0;
  const line = (value: Json): string => {
    const text = `${canonicalize(value)}\n`;
    digest.update(text, 'utf8');
    return text;
  };
  return {
    header: () => line({ format: EXPORT_FORMAT, ...head }),
    event: ({ position, stream, version, hash, command, body }) => {
      events += 1;
      heads.set(stream, { stream, version, hash });
      return line({ position, stream, version, hash, command, body });
    },
    checkpoint: (note) => line({ checkpoint: note }),
    trailer: (signer) => {
      const streams = heads.size;
      if (events !== head.events || streams !== head.streams) {
        throw new AttestationError(
          'BAD_INPUT',
          `the header promised ${head.events} events, written: ${events}`,
        );
      }
      const statement = exportStatement(digest.digest('hex'), {
        events,
        streams,
        root: logRoot(heads.values()),
      });
      return `${canonicalize({ trailer: signStatement(statement, signer) })}\n`;
    },
  };
}

/** The whole export of a log that is at hand, line by line. */
export function* exportLines(
  head: Omit<ExportHeader, 'format'>,
  events: Iterable<ExportEvent>,
  checkpoints: Iterable<string>,
  signer: Signer,
): Generator<string> {
  const writer = exportWriter(head);
  yield writer.header();
  for (const event of events) yield writer.event(event);
  for (const note of checkpoints) yield writer.checkpoint(note);
  yield writer.trailer(signer);
}
