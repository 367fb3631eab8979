import { trustedKeyFrom } from '../../attestation/key.ts';
import type { RosterEvent } from '../../identity/roster-event.ts';
import type { ItemEvent, Noted, Opened } from '../../kernel/event.ts';
import type { StoredEvent } from '../../store/store.ts';
import { acceptanceOf } from '../acceptance.ts';
import type { EvidencePort } from '../ports.ts';
import { UNOPENED_ID } from '../refuse.ts';
import { type Body, readBody } from './body.ts';
import { placeOf } from './chains.ts';
import { type Directory, directory } from './directory.ts';
import { checkEvidence } from './evidence.ts';
import type { Findings } from './findings.ts';
import { checkLeases } from './leases.ts';
import { checkLinks, type LinkCheck } from './links.ts';
import { misplaced, partsOf } from './shapes.ts';
import { checkTold, type ToldCheck } from './told.ts';
import { type WorldHistory, worldHistory } from './world-history.ts';

/** What the events of a log mean, checked in one pass; what needs a whole item is judged afterwards. */
export interface ContentCheck {
  add(stored: StoredEvent): void;
  end(): void;
  readonly known: Directory;
  readonly world: WorldHistory;
  readonly links: LinkCheck;
}

interface Reading extends Pick<ContentCheck, 'known' | 'world' | 'links'> {
  readonly findings: Findings;
  readonly told: ToldCheck;
  readonly evidence: ReturnType<typeof checkEvidence>;
  readonly lease: ReturnType<typeof checkLeases>;
  /** Confirmations that were used and where, those on record, and items that refused something. */
  readonly used: Map<string, string>;
  readonly proofs: Set<string>;
  readonly refused: Map<string, string>;
}

export function checkContent(evidence: EvidencePort, findings: Findings): ContentCheck {
  const known = directory(findings);
  const reading: Reading = {
    findings,
    known,
    world: worldHistory(),
    links: checkLinks(known, findings),
    told: checkTold(known, findings),
    evidence: checkEvidence(evidence, findings),
    lease: checkLeases(findings),
    used: new Map(),
    proofs: new Set(),
    refused: new Map(),
  };
  const { world, links } = reading;
  return { known, world, links, add: (stored) => addEvent(reading, stored), end: () => end(reading) };
}

function addEvent(reading: Reading, stored: StoredEvent): void {
  const { findings } = reading;
  const where = placeOf(stored);
  const body = readBody(stored);
  if (typeof body === 'string') {
    findings.broken(where, body);
    return;
  }
  const misfit = misplaced(stored.stream, body.event);
  if (misfit !== undefined) {
    findings[misfit.kind](where, misfit.what);
    return;
  }
  try {
    read(reading, stored, body, where);
  } catch (error) {
    findings.broken(where, `it cannot be read: ${String(error)}`);
  }
}

/** By kind of stream; the shapes of all events were checked before. */
function read(reading: Reading, stored: StoredEvent, { event, command }: Body, where: string): void {
  const { kind, id } = partsOf(stored.stream);
  const note = event as unknown as Noted;
  switch (kind) {
    case 'item':
      readItem(reading, id, event as unknown as ItemEvent, command, where);
      break;
    case 'roster':
      reading.world.addRoster(stored.position, event as unknown as RosterEvent);
      checkKey(event, where, reading.findings);
      break;
    case 'list':
      reading.told.note(note, command, where);
      reading.world.addList(stored.position, id, note);
      break;
    case 'protocol':
      reading.known.adopt(id, event.protocol, where);
      break;
    case 'criteria':
      reading.used.set(String(event.proof), where);
      break;
    case 'proof':
      reading.proofs.add(id);
      if (event.id !== id || stored.version !== 1)
        reading.findings.broken(where, 'a confirmation is used once, under its own id');
      break;
    case 'drift':
      reading.evidence({ report: String(event.found) }, where);
      break;
    case 'lease':
      reading.lease(id, event, where);
      if (event.type === 'lease-released' && event.proof !== '') reading.used.set(String(event.proof), where);
      break;
    case 'request':
      if ((event.type === 'request-applied') !== (stored.version === 1) || stored.version > 2)
        reading.findings.broken(where, 'a request is applied once and answered once');
      break;
    case 'task':
    case 'tools':
    case 'ports':
      break;
    default:
      reading.refused.set(id, where);
  }
}

function readItem(reading: Reading, id: string, event: ItemEvent, command: string, where: string): void {
  const { links, told, evidence, used } = reading;
  if (event.type === 'opened') readOpening(reading, id, event, where);
  links.add(id, event, command, where);
  told.item(id, event, command);
  if (event.type === 'noted') told.note(event, command, where);
  if (event.type !== 'moved' && event.type !== 'recorded') return;
  evidence(event.facts, where);
  if (event.proof !== '') used.set(event.proof, where);
}

function readOpening({ known, evidence, used }: Reading, id: string, event: Opened, where: string): void {
  known.open(id, event, where);
  const given = acceptanceOf(event);
  if (given === undefined) return;
  evidence({ report: given.sha256 }, where);
  if (given.proof !== '') used.set(given.proof, where);
}

function end({ told, used, proofs, refused, known, findings }: Reading): void {
  told.end();
  for (const [id, where] of used)
    if (!proofs.has(id)) findings.broken(where, `the confirmation ${id} is not on record`);
  for (const [id, where] of refused)
    if (id !== UNOPENED_ID && !known.items.has(id))
      findings.broken(where, `there is no item/${id} that refused it`);
}

function checkKey(event: Body['event'], where: string, findings: Findings): void {
  if (event.type !== 'key-added') return;
  if (trustedKeyFrom(String(event.publicPem)).keyid !== event.keyid)
    findings.broken(where, 'the key does not have the id under which it was added');
}
