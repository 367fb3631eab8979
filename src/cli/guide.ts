import type { Handle } from '../engine/handle.ts';
import { demandedLevel } from '../kernel/actor.ts';
import type { Guard } from '../kernel/guards/index.ts';
import type { Option } from '../kernel/guidance.ts';
import { expand } from '../kernel/protocol.ts';
import type { Verdict } from '../kernel/verdict.ts';
import { inWords } from './in-words.ts';
import { asTyped, type Output } from './print.ts';

/** What was just refused: it is not proposed again without what it needs first. */
export interface Asked {
  /** '' when it is not known. */
  readonly command: string;
  readonly code: string;
  readonly missing: readonly Verdict[];
  /** Further words of the command, as they have to be typed again; '' for none. */
  readonly words: string;
}

const NOTHING: Asked = { command: '', code: '', missing: [], words: '' };

/**
 * The exact command for each way on that is open: the caller's own, else those of others with their names. Where
 * none is, what has to be done first. Empty only where nothing can follow.
 */
export function nextLines(
  handle: Handle,
  options: readonly Option[],
  caller: Pick<Output, 'as'>,
  asked: Asked = NOTHING,
): readonly string[] {
  const ways = options.filter((o) => !ASIDE.has(o.command) && !isBegun(handle, o));
  const barred = (o: Option) => o.command === asked.command && asked.missing.some(isPersonal);
  const mine = ways.filter((o) => o.mine && o.missing.length === 0 && !barred(o));
  const others = ways.filter((o) => !mine.includes(o) && isOpenToOthers(handle, o));
  const shown = mine.length > 0 ? mine : others;
  if (shown.length === 0) return firstNeeded(handle, options, caller);
  const before = (o: Option) => (mine.includes(o) && o.command === asked.command ? neededBefore(asked) : '');
  // What was refused and can be done all the same comes first, with what it needs.
  const ordered = [...shown.filter((o) => before(o) !== ''), ...shown.filter((o) => before(o) === '')];
  const told = (o: Option, own: boolean) => line(handle, options, o, own, caller, asked);
  const lines = ordered.map((o) => `${before(o)}${told(o, mine.includes(o))}`);
  const earned = options.filter((o) => isEarned(handle, o));
  return [...new Set([...lines, ...earned.map((o) => told(o, o.mine))])];
}

/** The same, as lines below an answer. */
export const nextText = (
  handle: Handle,
  options: readonly Option[],
  caller: Pick<Output, 'as'>,
): readonly string[] => nextLines(handle, options, caller).map((way) => `next: ${way}`);

/** Ways out, not steps on. */
const ASIDE = new Set(['block', 'release']);

/** A way back that a gate guards is open for a reason, such as checks that could not be run: it stands last. */
const isEarned = (handle: Handle, option: Option) =>
  option.command === 'release' && option.missing.length === 0 && guardsOf(handle, option).length > 0;

const isBegun = ({ item }: Handle, { command }: Option) =>
  command === 'start' && item.steps.some((s) => s.command === 'start' && s.attempt === item.attempt);

/** True for what another actor would not lack: it is about who acts. */
const isPersonal = ({ guard }: Verdict) => guard.split(' or ').some((g) => g === 'apart' || g === 'same');

function isOpenToOthers(handle: Handle, option: Option): boolean {
  if (!option.missing.every(isPersonal)) return false;
  return !option.missing.some((v) => v.guard === 'same') || named(handle, option).length > 0;
}

function line(
  handle: Handle,
  options: readonly Option[],
  option: Option,
  mine: boolean,
  caller: Pick<Output, 'as'>,
  asked: Asked,
): string {
  const again = option.command === asked.command && asked.words !== '' ? ` ${asked.words}` : '';
  const exact = `${commandLine(handle, options, option)}${again}`;
  const weak = option.command === asked.command && asked.missing.some((v) => v.guard === 'independent');
  if (option.command === 'verify' && (weak || demandedLevel(handle.item.settings.independence) === 'human'))
    return `${exact} --confirm  [${PERSON}]`;
  if (mine) return asTyped(caller, exact);
  const [assigned] = option.missing.some((v) => v.guard === 'same') ? named(handle, option) : [];
  if (assigned !== undefined) return exact.replace('countersign ', `countersign --actor ${assigned} `);
  const holders = option.who;
  return `${exact}  [${option.roles.join(' or ')}${holders.length > 0 ? ` (${few(holders)})` : ''}]`;
}

const PERSON = 'a person at a terminal';
const few = (names: readonly string[]) => `${names.slice(0, 4).join(', ')}${names.length > 4 ? ', …' : ''}`;

/** A command of a table as people type it. */
export function commandLine({ display }: Handle, options: readonly Option[], { command }: Option): string {
  switch (command) {
    case 'dispatch': {
      const who = options.find((o) => o.command === 'claim')?.who ?? [];
      if (who.length === 1) return `countersign dispatch ${display} --to ${who[0]}`;
      if (who.length > 1)
        return `countersign dispatch ${display} --to ${who.at(-1)}  [or ${few(who.slice(0, -1))}]`;
      return `countersign dispatch ${display} --to ACTOR`;
    }
    case 'report':
      return `countersign report ${display} --approve`;
    case 'review':
      return `countersign review ${display} --approve`;
    case 'supersede':
    case 'follow-up':
      return `countersign follow-up ${display} "TITLE"`;
    default:
      return `countersign ${command} ${display}`;
  }
}

/** Holders who are the one that the row asks for; nobody where it asks for nobody. */
function named(handle: Handle, option: Option): readonly string[] {
  const marks = guardsOf(handle, option).flatMap((g) => (g.guard === 'same' ? [g.as] : []));
  return marks.flatMap((mark) => handle.item.marks[mark] ?? []).filter((id) => option.who.includes(id));
}

function guardsOf({ protocol, item }: Handle, { command, to }: Option): readonly Guard[] {
  if (command === 'report') return protocol.evidence.find((e) => e.kind === 'quality')?.requires ?? [];
  const row = protocol.rows.find(
    (r) => r.command === command && r.to === to && expand(protocol, r.from).includes(item.state),
  );
  return row?.requires ?? [];
}

function neededBefore({ code, missing }: Asked): string {
  if (code === 'conflict') return 'wait until that has ended, then ';
  const fixes = missing
    .map((v) => v.fix)
    .filter((fix) => fix !== '' && !fix.startsWith('a proof-pack asked'));
  return code === 'gate-closed' && fixes.length > 0 ? `${[...new Set(fixes)].join(', and ')}; then ` : '';
}

/** No way is open: the step that opens one. */
function firstNeeded(
  handle: Handle,
  options: readonly Option[],
  caller: Pick<Output, 'as'>,
): readonly string[] {
  const { display, item } = handle;
  if (item.state === 'blocked' && options.some(lacksReview))
    return [`${ackLine(display)}  [${mayAck(item)}]`];
  const successor = item.links.find((l) => l.kind === 'superseded-by')?.to;
  if (successor !== undefined) return [asTyped(caller, `countersign show ${successor}`)];
  const release = options.find((o) => o.command === 'release' && o.missing.length === 0);
  if (release !== undefined) return [line(handle, options, release, release.mine, caller, NOTHING)];
  const missing = options.filter((o) => !ASIDE.has(o.command)).flatMap((o) => o.missing);
  const awaited = missing.flatMap((v) => /^look at ([^,\s]+)/.exec(v.fix)?.[1] ?? []);
  if (awaited.length > 0)
    return [...new Set(awaited)].map((ref) => asTyped(caller, `countersign show ${ref}`));
  return [...new Set(missing.map((v) => inWords(handle, v.fix)).filter((fix) => fix !== ''))];
}

const lacksReview = ({ command, missing }: Option) =>
  command === 'retry' && missing.some((v) => v.because.includes('failure-review'));

const mayAck = ({ settings }: Handle['item']) =>
  settings.acknowledge === 'orchestrator' ? `${PERSON}, or workflow-orchestrator` : PERSON;

/** The first step out of a block. */
export const ackLine = (display: string): string => `countersign ack ${display}`;

/** The two steps out of a block. */
export const displayCommands = (display: string): string =>
  `${ackLine(display)}, then countersign retry ${display}`;
