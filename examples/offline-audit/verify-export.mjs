#!/usr/bin/env node
// Judges an export or a proof pack of Countersign with nothing but the file and public keys.
// Written from docs/formats alone; with blocks.mjs beside it, it shares no code with the program that makes these files.
//   node verify-export.mjs FILE --key PUBLIC.pem [--key PUBLIC.pem …]
// Exit status: 0 clean, 1 broken, 2 cannot tell.
import { readFileSync, realpathSync } from 'node:fs';
import {
  among,
  dict,
  has,
  hex,
  isCount,
  isDigest,
  isObject,
  isOrdinal,
  isString,
  isText,
  linesOf,
  list,
  only,
  openEnvelope,
  openNote,
  parseCanonical,
  place,
  rootOf,
  toKey,
} from './blocks.mjs';

const EXPORT = 'https://countersign.dev/attestation/export/v1';
const VERDICT = 'https://countersign.dev/attestation/verdict/v1';

const isHeader = only({
  format: among('countersign-export/1'),
  'repository createdAt': isText,
  keys: list(only({ keyid: isDigest, publicPem: isText })),
  'events streams': isCount,
});
const isEvent = only({
  'position version': isOrdinal,
  stream: isText,
  hash: isDigest,
  'command body': isString,
});
const isSummary = only({ 'events streams': isCount, root: isDigest });
const isCheck = has({
  'id kind': isText,
  outcome: among('pass fail indeterminate'),
  explanation: isString,
  durationMs: isCount,
  output: only({ sha256: isDigest, bytes: isCount }),
  tests: (value) => value === null || has({ 'passed failed skipped': isCount })(value),
});
// What packs of older versions lack must be of its type where it is there.
const CHECK_MORE = {
  ...{ reason: isString, waivedBy: isString, waiverReason: isString },
  ...{ shows: list(isText), notes: list(isString) },
};
const VERDICT_MORE = { strength: isText, tier: isString };
const fits = (more) => (value) =>
  Object.entries(more).every(([name, test]) => !Object.hasOwn(value, name) || test(value[name]));

const isVerdict = has({
  'nonce startedAt endedAt protectionLevel': isText,
  'cause requestedBy policyDigest baseCommit': isString,
  item: has({ id: isText, 'display list title': isString }),
  attempt: isOrdinal,
  verdict: among('PASSED BLOCKED INDETERMINATE'),
  independence: among('automated sibling other-lineage human'),
  builders: list(isString),
  verifier: has({ role: isText, runnerVersion: isString }),
  criteria: has({ 'path digest': isString }),
  protocol: has({ 'name version': isText, digest: isString }),
  environment: dict(isString),
  checks: list((value) => isCheck(value) && fits(CHECK_MORE)(value)),
  members: list(isDigest),
});
function checkEvent({ position, stream, version, hash, command, body }, heads, last, tell) {
  const before = heads.get(stream) ?? { version: 0, hash: hex(Buffer.of(3), stream) };
  const link = hex(Buffer.of(2), Buffer.from(before.hash, 'hex'), place(stream, version), body);
  const parsed = parseCanonical(body)?.value;
  const follows = version === before.version + 1;
  tell(
    position !== last + 1 && `position ${last + 1} expected`,
    !follows && `version ${before.version + 1} expected`,
    follows && link !== hash && 'the hash does not follow from what is before it',
    !isObject(parsed) && 'the body is no canonical JSON object',
    isObject(parsed) && parsed.command !== command && 'the command is not that of the body',
  );
}

function checkNotes(notes, events, header, keys, report) {
  const heads = new Map();
  let [done, previous] = [0, '-'];
  /** Whether the first events of the file are those that a checkpoint covers. */
  const covers = (found) => {
    if (found.events < done || found.events > events.length) return false;
    for (; done < found.events; done += 1) heads.set(events[done].stream, events[done]);
    return found.streams === heads.size && found.root === rootOf(heads);
  };
  for (const [index, { line, note }] of notes.entries()) {
    const tell = report.at(line, `checkpoint ${index + 1}`);
    const found = openNote(note, keys);
    tell.doubt(found?.doubt);
    tell.broken(!found?.holds && 'malformed, or its signature does not hold');
    tell.broken(
      found && found.repository !== header.repository && 'of another repository',
      found && found.previous !== previous && 'does not follow the one before it',
      found && !covers(found) && `the first ${found.events} events are not those it covers`,
    );
    previous = hex(note);
  }
}

function checkTrailer({ line, offset, value }, bytes, events, keys, report) {
  const { statement, wrong, doubt } = openEnvelope(value, keys);
  const stated = statement?.predicateType === EXPORT && isSummary(statement.predicate) && statement.predicate;
  const heads = new Map(events.map((event) => [event.stream, event]));
  const tell = report.at(line, 'trailer');
  tell.doubt(doubt);
  if (!stated || statement.subject.length !== 1)
    return tell.broken(wrong ?? 'not the statement of an export');
  const before = hex(bytes.subarray(0, offset));
  return tell.broken(
    (stated.events !== events.length || stated.streams !== heads.size) && 'other numbers than were signed',
    stated.root !== rootOf(heads) && 'other heads than were signed',
    statement.subject[0].digest.sha256 !== before && 'other bytes than were signed',
  );
}

/** Sorts the lines after the header into events, checkpoints and the trailer, checking each event on the way. */
function readBody(lines, report) {
  const [events, notes, heads] = [[], [], new Map()];
  let trailer;
  for (const { number, offset, value } of lines) {
    const last = events.at(-1);
    const after = last === undefined ? 'the header' : `${last.stream}@${last.version}`;
    const tell = report.at(number, `line ${number}, after ${after}`);
    tell.broken(trailer !== undefined && 'after the trailer');
    if (isEvent(value)) {
      tell.broken(notes.length > 0 && 'an event after a checkpoint');
      checkEvent(
        value,
        heads,
        last?.position ?? 0,
        report.at(number, `${value.stream}@${value.version}`).broken,
      );
      heads.set(value.stream, value);
      events.push(value);
    } else if (only({ checkpoint: isString })(value)) notes.push({ line: number, note: value.checkpoint });
    else if (only({ trailer: isObject })(value)) trailer = { line: number, offset, value: value.trailer };
    else tell.broken('not a line of an export');
  }
  return { events, notes, trailer, streams: heads.size };
}

function checkExport([{ value: header }, ...lines], bytes, trusted, report) {
  const named = isHeader(header) ? header.keys.map((key) => ({ ...key, ...toKey(key.publicPem) })) : [];
  const genuine = named.filter(({ id, keyid, pem, publicPem }) => id === keyid && pem === publicPem);
  const keys = [...trusted, ...genuine];
  const { events, notes, trailer, streams } = readBody(lines, report);
  report
    .at(1, 'header')
    .broken(
      !isHeader(header) && 'not whole',
      genuine.length !== named.length && 'a key is not ed25519 under its own id',
      (header.events !== events.length || header.streams !== streams) && 'other numbers than in the file',
    );
  checkNotes(notes, events, header, keys, report);
  if (trailer !== undefined) checkTrailer(trailer, bytes, events, keys, report);
  else report.at(lines.length + 1, `line ${lines.length + 1}`).broken('no trailer: cut off');
}

function checkPack(lines, trusted, report) {
  const opened = lines.map(({ value }) => openEnvelope(value, trusted));
  const isSeal = ({ statement, doubt }) => doubt === undefined && statement?.predicateType === VERDICT;
  for (const [index, { statement, wrong, doubt }] of opened.entries()) {
    const tell = report.at(index + 1, `line ${index + 1}`);
    tell.doubt(doubt);
    tell.broken(doubt === undefined && !statement && (wrong ?? 'the payload is no statement'));
    tell.broken(index < lines.length - 1 && isSeal(opened[index]) && 'a verdict before the end');
  }
  const last = opened.at(-1);
  if (last.doubt !== undefined || last.statement === undefined) return;
  const { predicate } = last.statement;
  const whole = isSeal(last) && isVerdict(predicate) && fits(VERDICT_MORE)(predicate);
  const members = whole ? predicate.members : [];
  const before = lines.slice(0, -1).map(({ bytes }) => hex(bytes));
  const first = [...before, ...members].findIndex((_, at) => before[at] !== members[at]);
  report.at(lines.length, `line ${lines.length}`).broken(!whole && 'no whole verdict');
  report
    .at(first + 1, `line ${first + 1}`)
    .broken(whole && first >= 0 && 'not the line that the verdict lists');
}

/** Judges a file. `pems` are trusted public keys. Answers {status: 0 | 1 | 2, findings: [{line, where, what}]}. */
export function verifyFile(file, pems) {
  const trusted = pems.map((pem) => ({ ...toKey(pem), trusted: true }));
  if (trusted.some(({ id }) => id === undefined)) throw new Error('a --key is not an ed25519 public key');
  const [bytes, broken, doubts] = [Buffer.from(file), [], []];
  const add = (findings, line, where, whats) => {
    for (const what of whats) if (what) findings.push({ line, where, what });
  };
  const at = (line, where) => ({
    broken: (...whats) => add(broken, line, where, whats),
    doubt: (id) => add(doubts, line, where, [id && `signed by key ${id}, which is not trusted`]),
  });
  const lines = linesOf(bytes);
  const isPack = lines.some(({ value }) => isObject(value) && Object.hasOwn(value, 'payloadType'));
  if (lines[0]?.value?.format === 'countersign-export/1') checkExport(lines, bytes, trusted, { at });
  else if (isPack) checkPack(lines, trusted, { at });
  else
    return { status: 2, findings: [{ line: 1, where: 'file', what: 'neither an export nor a proof pack' }] };
  at(lines.length, `line ${lines.length}`).broken(bytes.at(-1) !== 10 && 'the last line is cut off');
  const findings = [...broken, ...doubts].sort((a, b) => a.line - b.line);
  return { status: broken.length > 0 ? 1 : doubts.length > 0 ? 2 : 0, findings };
}

/** Several keys may stand in one file, as `countersign audit keys` prints them. */
const PEMS = /-----BEGIN [^-]+-----[^-]*-----END [^-]+-----/g;

function main([file, ...rest]) {
  try {
    const paths = rest.filter((_, index) => rest[index - 1] === '--key');
    if (!file || rest.length !== 2 * paths.length) throw new Error('usage: FILE --key PUBLIC.pem [--key …]');
    const pems = paths
      .map((path) => readFileSync(path, 'utf8'))
      .flatMap((text) => text.match(PEMS) ?? [text]);
    const { status, findings } = verifyFile(readFileSync(file), pems);
    for (const { line, where, what } of findings) console.log(`line ${line}: ${where}: ${what}`);
    console.log(['clean', 'broken', 'cannot tell'][status]);
    return status;
  } catch (error) {
    console.error(`cannot tell: ${error.message}`);
    return 2;
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === import.meta.filename) {
  process.exitCode = main(process.argv.slice(2));
}
