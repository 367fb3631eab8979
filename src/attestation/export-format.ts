import type { Envelope } from './envelope.ts';
import { type Line, parseCanonical } from './line.ts';
import { atLeast, exactly, isRecord, listOf, misfit, oneOf, type Shape } from './shape.ts';
import { type Statement, statementOf } from './statement.ts';

export const EXPORT_FORMAT = 'countersign-export/1';
export const EXPORT_TYPE = 'https://countersign.dev/attestation/export/v1';

/** The first line of an export. Aliases, not interfaces, so that they are assignable to Json. */
export type ExportHeader = {
  readonly format: typeof EXPORT_FORMAT;
  readonly repository: string;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  /** Every key that ever signed for this log. To be named here is not to be trusted. */
  readonly keys: readonly { readonly keyid: string; readonly publicPem: string }[];
  readonly events: number;
  readonly streams: number;
};

/** A stored event as it stands in an export. */
export type ExportEvent = {
  readonly position: number;
  readonly stream: string;
  readonly version: number;
  readonly hash: string;
  readonly command: string;
  readonly body: string;
};

/** What the trailer states of everything before it. */
export type ExportPredicate = { readonly events: number; readonly streams: number; readonly root: string };

/** What a line of an export turned out to be. */
export type ExportLine =
  | { readonly kind: 'event'; readonly event: ExportEvent }
  | { readonly kind: 'checkpoint'; readonly note: string }
  | { readonly kind: 'trailer'; readonly envelope: unknown }
  | { readonly kind: 'unreadable'; readonly because: string };

const HEADER: Shape = exactly({
  format: oneOf(EXPORT_FORMAT),
  repository: 'text',
  createdAt: 'text',
  keys: listOf(exactly({ keyid: 'sha256', publicPem: 'text' })),
  events: 'count',
  streams: 'count',
});

const EVENT: Shape = exactly({
  position: 'ordinal',
  stream: 'text',
  version: 'ordinal',
  hash: 'sha256',
  command: 'string',
  body: 'string',
});

const PREDICATE: Shape = exactly({ events: 'count', streams: 'count', root: 'sha256' });

/** The first line: a whole header, one with a flaw, or nothing that calls itself an export. */
export function readHeader(
  line: Line,
): { readonly header: ExportHeader } | { readonly flaw: string } | undefined {
  const parsed = parseCanonical(line.bytes);
  if (!parsed.ok || !isRecord(parsed.value) || parsed.value.format !== EXPORT_FORMAT) return undefined;
  const path = misfit(parsed.value, HEADER);
  if (path !== undefined) return { flaw: `the header is not whole: see ${path.slice(1)}` };
  return { header: parsed.value as unknown as ExportHeader };
}

/** Any line after the first. */
export function readExportLine(line: Line): ExportLine {
  const parsed = parseCanonical(line.bytes);
  if (!parsed.ok) return { kind: 'unreadable', because: parsed.because };
  const { value } = parsed;
  if (misfit(value, EVENT) === undefined) return { kind: 'event', event: value as ExportEvent };
  if (misfit(value, exactly({ checkpoint: 'string' })) === undefined) {
    return { kind: 'checkpoint', note: (value as { readonly checkpoint: string }).checkpoint };
  }
  if (misfit(value, exactly({ trailer: atLeast({}) })) === undefined) {
    return { kind: 'trailer', envelope: (value as { readonly trailer: Envelope }).trailer };
  }
  return { kind: 'unreadable', because: 'neither event, checkpoint nor trailer' };
}

/** The statement that closes an export: the digest of all bytes before the trailer line, and what they hold. */
export function exportStatement(sha256: string, predicate: ExportPredicate): Statement<ExportPredicate> {
  return statementOf([{ name: 'export', digest: { sha256 } }], EXPORT_TYPE, predicate);
}

/** The digest and the numbers of a trailer's statement, or undefined when it is another kind of statement. */
export function readExportStatement(
  statement: Statement,
): (ExportPredicate & { readonly sha256: string }) | undefined {
  const [subject] = statement.subject;
  const sha256 = subject?.digest.sha256;
  if (statement.predicateType !== EXPORT_TYPE || statement.subject.length !== 1) return undefined;
  if (sha256 === undefined || misfit(statement.predicate, PREDICATE) !== undefined) return undefined;
  return { ...(statement.predicate as ExportPredicate), sha256 };
}
