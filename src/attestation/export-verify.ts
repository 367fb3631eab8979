import { sha256Hex } from './digest.ts';
import { checkCheckpoints, type PlacedNote } from './export-checkpoints.ts';
import { checkEvents, type EventCheck, replayRoots } from './export-events.ts';
import { type ExportHeader, readExportLine, readExportStatement, readHeader } from './export-format.ts';
import { type ExportFinding, type ExportReport, exportReport } from './export-report.ts';
import { type TrustedKey, trustedKeyFrom } from './key.ts';
import { endsWithNewline, type Line, linesOf } from './line.ts';
import { claimOf, verifyEnvelope } from './verify.ts';

/** What an offline look at an export found. Only 'clean' confirms anything. */
export interface ExportVerification {
  /** 'cannot-tell': no export, or nothing is wrong but that a signer is not trusted. */
  readonly status: 'clean' | 'broken' | 'cannot-tell';
  readonly findings: readonly ExportFinding[];
  /** Events and streams read, and the root over them: of the file as it is, whatever its status. */
  readonly events: number;
  readonly streams: number;
  readonly root: string;
}

/** Judges an export by docs/formats/export.md, with nothing but the file and keys. Throws BAD_KEY for a bad trusted key. */
export function verifyExport(bytes: Uint8Array, trusted: readonly TrustedKey[]): ExportVerification {
  const report = exportReport();
  const lines = linesOf(bytes);
  const first = lines.next();
  const read = first.done === true ? undefined : readHeader(first.value);
  if (read === undefined) {
    report.doubt(1, 'file', bytes.length === 0 ? 'the file is empty' : 'not an export: no header in line 1');
    return { status: 'cannot-tell', findings: report.findings(), events: 0, streams: 0, root: '' };
  }
  if ('flaw' in read) report.broken(1, 'header', read.flaw);
  const header = 'header' in read ? read.header : undefined;
  const body = readBody(lines, report);
  const named = header === undefined ? [] : checkHeaderKeys(header, report);
  const { history } = body.events;
  const total = replayRoots(history)(history.length) ?? { root: '', streams: 0 };
  if (header !== undefined) {
    checkCounts(header, history.length, total.streams, report);
    checkCheckpoints(body.notes, { repository: header.repository, history, trusted, named }, report);
  }
  checkEnd(bytes, body, report);
  if (body.trailer !== undefined) {
    checkTrailer(bytes, body.trailer, { events: history.length, ...total }, { trusted, named }, report);
  }
  return { status: report.status(), findings: report.findings(), events: history.length, ...total };
}

interface Trailer {
  readonly line: Line;
  readonly envelope: unknown;
}

interface Body {
  readonly events: EventCheck;
  readonly notes: readonly PlacedNote[];
  readonly trailer: Trailer | undefined;
  readonly lastLine: number;
}

/** Reads everything after the header: events, then checkpoints, then one trailer. */
function readBody(lines: Iterable<Line>, report: ExportReport): Body {
  const events = checkEvents(report);
  const notes: PlacedNote[] = [];
  let trailer: Trailer | undefined;
  let lastLine = 1;
  for (const line of lines) {
    lastLine = line.number;
    const after = `line ${line.number}, after ${events.last()}`;
    if (trailer !== undefined) report.broken(line.number, after, 'a line after the trailer');
    const read = readExportLine(line);
    if (read.kind === 'unreadable') report.broken(line.number, after, read.because);
    if (read.kind === 'event') {
      if (notes.length > 0) report.broken(line.number, after, 'an event after a checkpoint');
      events.add(line.number, read.event);
    }
    if (read.kind === 'checkpoint') notes.push({ line: line.number, note: read.note });
    if (read.kind === 'trailer') trailer = { line, envelope: read.envelope };
  }
  return { events, notes, trailer, lastLine };
}

function checkHeaderKeys({ keys }: ExportHeader, report: ExportReport): TrustedKey[] {
  return keys.filter((key) => {
    const sound = isSpelledOut(key);
    if (!sound) report.broken(1, 'header', `the key ${key.keyid} is not an ed25519 key under its own id`);
    return sound;
  });
}

function isSpelledOut(key: TrustedKey): boolean {
  try {
    const actual = trustedKeyFrom(key.publicPem);
    return actual.keyid === key.keyid && actual.publicPem === key.publicPem;
  } catch {
    return false;
  }
}

function checkCounts(header: ExportHeader, events: number, streams: number, report: ExportReport): void {
  if (header.events !== events) report.broken(1, 'header', `says ${header.events} events, found ${events}`);
  if (header.streams !== streams)
    report.broken(1, 'header', `says ${header.streams} streams, found ${streams}`);
}

function checkEnd(bytes: Uint8Array, { trailer, events, lastLine }: Body, report: ExportReport): void {
  if (!endsWithNewline(bytes)) report.broken(lastLine, `line ${lastLine}`, 'the last line is cut off');
  if (trailer === undefined)
    report.broken(lastLine, `after ${events.last()}`, 'no trailer: the file is cut off');
}

function checkTrailer(
  bytes: Uint8Array,
  { line, envelope }: Trailer,
  found: { readonly events: number; readonly streams: number; readonly root: string },
  keys: { readonly trusted: readonly TrustedKey[]; readonly named: readonly TrustedKey[] },
  report: ExportReport,
): void {
  const tell = (what: string) => report.broken(line.number, 'trailer', what);
  const result = verifyEnvelope(envelope, [...keys.trusted, ...keys.named]);
  if (!result.ok)
    report[result.code === 'unknown-key' ? 'doubt' : 'broken'](line.number, 'trailer', result.because);
  else if (!keys.trusted.some(({ keyid }) => keyid === result.keyid)) {
    report.doubt(line.number, 'trailer', `signed by key ${result.keyid}, which is not trusted`);
  }
  const statement = result.ok ? result.statement : claimOf(envelope);
  const stated = statement === undefined ? undefined : readExportStatement(statement);
  if (stated === undefined) {
    tell('the statement is not one about an export');
    return;
  }
  if (stated.events !== found.events) tell(`states ${stated.events} events, found ${found.events}`);
  if (stated.streams !== found.streams) tell(`states ${stated.streams} streams, found ${found.streams}`);
  if (stated.root !== found.root) tell('the heads of the streams are not those that were signed');
  if (stated.sha256 !== sha256Hex(bytes.subarray(0, line.offset)))
    tell('the bytes before it are not those that were signed');
}
