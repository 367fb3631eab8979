import { applyCounts } from './counters.ts';
import type { ItemEvent, Moved, Noted, Opened, Recorded } from './event.ts';
import type { Evidence } from './evidence.ts';
import { own } from './own.ts';
import type { Protocol, Row } from './protocol.ts';
import { type Subject, UNOPENED, type WorkItem } from './work-item.ts';

/** The state of an item is the fold of its events, and nothing else. Total: no event makes it throw. */
export function evolve(protocol: Protocol, item: WorkItem, event: ItemEvent): WorkItem {
  const next = { ...item, version: item.version + 1, updatedAt: event.at };
  switch (event.type) {
    case 'opened':
      return opened(protocol, event);
    case 'moved':
      return moved(protocol, next, event);
    case 'recorded':
      return recorded(protocol, next, event);
    case 'subject-moved':
      return { ...next, subjects: moveSubject(next, event.subject, event.digest) };
    case 'noted':
      return noted(next, event);
    case 'elapsed':
      return { ...next, elapsed: [...next.elapsed, event.percent] };
    case 'linked':
      return { ...next, links: [...next.links, event] };
  }
}

/** Folds a whole stream. */
export function fold(protocol: Protocol, events: readonly ItemEvent[]): WorkItem {
  return events.reduce((item, event) => evolve(protocol, item, event), UNOPENED);
}

function opened(protocol: Protocol, e: Opened): WorkItem {
  const subjects = Object.fromEntries(
    Object.keys(protocol.subjects).map((s) => [s, { digest: '', generation: 0 }]),
  );
  const { protocol: ref, state, number, list, kind, title, settings, legacy, facts } = e;
  const common = { number, list, kind, title, settings, legacy, facts, subjects };
  return {
    ...UNOPENED,
    ...common,
    protocol: ref,
    state,
    previous: state,
    enteredAt: e.at,
    updatedAt: e.at,
    openedAt: e.at,
    openedBy: e.by,
    version: 1,
  };
}

function moveSubject(item: WorkItem, name: string, digest: string): WorkItem['subjects'] {
  const old = own<Subject>(item.subjects, name) ?? { digest: '', generation: 0 };
  return { ...item.subjects, [name]: { digest, generation: old.generation + 1 } };
}

function addMark(marks: WorkItem['marks'], mark: string, ids: readonly string[]): WorkItem['marks'] {
  return { ...marks, [mark]: [...new Set([...(own(marks, mark) ?? []), ...ids])].sort() };
}

/** The actors that an argument names. */
const namesIn = (argument: string): readonly string[] => argument.split(',').map((name) => name.trim());

function moved(protocol: Protocol, item: WorkItem, e: Moved): WorkItem {
  const row = protocol.rows[e.row];
  const staying = e.from === e.to;
  const escalated = protocol.states[e.from]?.category === 'ESCALATED';
  const step = {
    command: e.command,
    from: e.from,
    to: e.to,
    by: e.by,
    at: e.at,
    attempt: item.attempt,
    reason: e.reason,
    arguments: e.arguments,
    facts: e.facts,
    override: row?.override ?? false,
  };
  const next: WorkItem = {
    ...item,
    state: e.to,
    previous: escalated || staying ? item.previous : e.from,
    enteredAt: staying ? item.enteredAt : e.at,
    elapsed: staying ? item.elapsed : [],
    steps: [...item.steps, step],
  };
  return row === undefined ? next : applyRow(protocol, next, row, e, item.previous);
}

function applyRow(protocol: Protocol, item: WorkItem, row: Row, e: Moved, previous: string): WorkItem {
  let next: WorkItem = {
    ...item,
    counters: applyCounts(protocol.counters, item.counters, row.counts, e.origin, previous),
  };
  if (row.attempt) next = newAttempt(next);
  next = forget(next, row.forgets);
  for (const name of row.moves) next = { ...next, subjects: moveSubject(next, name, e.subjects[name] ?? '') };
  if (row.as !== '') next = { ...next, marks: addMark(next.marks, row.as, [e.by]) };
  for (const [mark, argument] of Object.entries(row.names)) {
    next = { ...next, marks: addMark(next.marks, mark, namesIn(own(e.arguments, argument) ?? '')) };
  }
  for (const record of row.records) next = withRecord(next, record, e);
  return next;
}

/** Every subject moves on, so that no evidence of the old attempt is fresh; the marks stay. */
function newAttempt(item: WorkItem): WorkItem {
  let next: WorkItem = { ...item, attempt: item.attempt + 1 };
  for (const name of Object.keys(item.subjects)) next = { ...next, subjects: moveSubject(next, name, '') };
  return next;
}

function forget(item: WorkItem, names: readonly string[]): WorkItem {
  if (names.length === 0) return item;
  const keep = <T>(record: { readonly [key: string]: T }) =>
    Object.fromEntries(Object.entries(record).filter(([key]) => !names.includes(key)));
  // Dropped evidence stays on record; it is out of date from here on.
  const evidence = item.evidence.map((e) => (names.includes(e.kind) ? { ...e, generation: -1 } : e));
  return { ...item, marks: keep(item.marks), members: keep(item.members), evidence };
}

function withRecord(item: WorkItem, record: string, e: Moved): WorkItem {
  const [kind = '', outcome = '', on = ''] = record.split(':');
  const found = evidenceOn(item, on, {
    kind,
    outcome,
    by: e.by,
    requestedBy: e.by,
    at: e.at,
    facts: e.facts,
  });
  return { ...item, evidence: [...item.evidence, found] };
}

type Given = Pick<Evidence, 'kind' | 'outcome' | 'by' | 'requestedBy' | 'at' | 'facts'>;

function evidenceOn(item: WorkItem, on: string, given: Given): Evidence {
  const subject = own(item.subjects, on) ?? { digest: '', generation: 0 };
  return { ...given, on, ...subject, attempt: item.attempt, independence: 'automated' };
}

function recorded(protocol: Protocol, item: WorkItem, e: Recorded): WorkItem {
  const row = protocol.evidence[e.row];
  const { kind, outcome, by, requestedBy, at, facts, independence } = e;
  const found = {
    ...evidenceOn(item, row?.on ?? '', { kind, outcome, by, requestedBy, at, facts }),
    independence,
  };
  const marks = row === undefined || row.as === '' ? item.marks : addMark(item.marks, row.as, [by]);
  return { ...item, marks, evidence: [...item.evidence, found] };
}

function noted(item: WorkItem, e: Noted): WorkItem {
  const { [e.member]: _, ...others } = own(item.members, e.group) ?? {};
  const group =
    e.state === ''
      ? others
      : { ...others, [e.member]: { state: e.state, category: e.category, asked: e.asked } };
  let next: WorkItem = { ...item, members: { ...item.members, [e.group]: group } };
  for (const [mark, ids] of Object.entries(e.marks))
    next = { ...next, marks: addMark(next.marks, mark, ids) };
  for (const name of e.moves) next = { ...next, subjects: moveSubject(next, name, e.asked) };
  return next;
}
