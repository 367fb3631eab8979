import { demandedLevel } from '../kernel/actor.ts';
import { latestEvidence } from '../kernel/freshness.ts';
import type { Guard } from '../kernel/guards/index.ts';
import { type Option, probesOf } from '../kernel/guidance.ts';
import { leavesOf } from '../kernel/leaves.ts';
import { expand } from '../kernel/protocol.ts';
import { targetsOf } from '../kernel/target.ts';
import type { Verdict } from '../kernel/verdict.ts';
import type { WorkItem } from '../kernel/work-item.ts';
import { isAsideOf } from './aside.ts';
import { gateOf, isAtGate } from './gates.ts';
import { givenUpFor } from './given-up.ts';
import type { Handle } from './handle.ts';
import { inWords } from './in-words.ts';
import { isGiven } from './own-word.ts';
import { isOnReview } from './phases/abort-way.ts';
import { taskNameOf } from './staged/task-name.ts';

/** Arguments of a step by the names of the table; `evidence` are files, and `no_change` stands for itself. */
export type Given = { readonly [name: string]: string | readonly string[] };

/** A step that leads on from an item, before a face gives it the form of a command or a call. */
export interface Step {
  /** The item that it is taken on. */
  readonly item: string;
  /** The name of the task in stages that the item is, '' for any other. */
  readonly task: string;
  /** The protocol that the item follows, '' where it does not matter. */
  readonly protocol: string;
  /** A command of the table, or `ack`, `show`, `follow-up`; '' where `before` says all there is to do. */
  readonly command: string;
  /** Whom a dispatch may name, the likeliest last. */
  readonly to: readonly string[];
  /** The caller may take it. */
  readonly own: boolean;
  /** The one actor that the row asks for, '' where it asks for none. */
  readonly as: string;
  readonly roles: readonly string[];
  /** Actors who may take it, as far as they are known. */
  readonly who: readonly string[];
  /** Only a person who confirms it at a terminal may take it. */
  readonly person: boolean;
  /** What has to be done first, '' where nothing has. */
  readonly before: string;
  /** It is what was just refused: to be asked for again, in the same words. */
  readonly again: boolean;
  /** What came with it, where it lacked something else: to be said again. */
  readonly given: Given;
  /** Arguments that it takes, where it is a command of a table that has none of its own in the faces. */
  readonly takes: readonly string[];
  readonly move: boolean;
}

/** What was just refused: it is not proposed again without what it needs first. */
export interface Asked {
  /** '' when it is not known. */
  readonly command: string;
  readonly code: string;
  readonly missing: readonly Verdict[];
  readonly given: Given;
}

export const NOTHING_ASKED: Asked = { command: '', code: '', missing: [], given: {} };

/**
 * A step for each way on that is open: the caller's own, else those of others with their names. Where none is, what
 * has to be done first. Empty only where nothing can follow.
 */
export function stepsOn(
  handle: Handle,
  all: readonly Option[],
  asked: Asked = NOTHING_ASKED,
): readonly Step[] {
  const options = all.filter((o) => !isOfItself(o));
  const tried = lackingWords(handle, options, asked);
  if (tried !== undefined) return [tried];
  const ways = options.filter(
    (o) => !isAsideOf(handle, o) && !isBegun(handle, o) && !isEarly(handle, o) && !isLonger(options, o),
  );
  const barred = (o: Option) => o.command === asked.command && asked.missing.some(isPersonal);
  const mine = ways.filter((o) => o.mine && o.missing.length === 0 && !barred(o));
  // The words of a run and of a reviewer are theirs alone: nobody is shown how to say them in their name.
  const others = ALONE.has(handle.protocol.name)
    ? []
    : ways.filter((o) => !mine.includes(o) && isOpenToOthers(handle, o));
  // Whoever was refused a verdict is not led to another one.
  const same = mine.filter((o) => o.command === asked.command);
  const own = ALONE.has(handle.protocol.name) && asked.command !== '' ? same : mine;
  const shown = mine.length > 0 ? own : others;
  if (shown.length === 0) return firstNeeded(handle, options);
  const told = (o: Option) => {
    const own = o.mine && (mine.includes(o) || isEarned(handle, o));
    const before = mine.includes(o) && o.command === asked.command ? neededBefore(asked) : (o.first ?? '');
    return { ...stepOf(handle, options, o, own, asked), before };
  };
  const steps = [...waitedFor(handle, options, asked), ...shown.map(told)];
  // What was refused and can be done all the same comes first, with what it needs.
  return [
    ...steps.filter((s) => s.before !== ''),
    ...steps.filter((s) => s.before === ''),
    ...options.filter((o) => isEarned(handle, o)).map(told),
  ];
}

/** A step of a task in stages that waits for something which others bring: once more, when it is there. */
function waitedFor(handle: Handle, options: readonly Option[], asked: Asked): readonly Step[] {
  const before = neededBefore(asked);
  const tried = options.find((o) => o.mine && o.command === asked.command && o.missing.length > 0);
  if (handle.protocol.name !== 'staged' || before === '' || tried === undefined) return [];
  return [{ ...stepOf(handle, options, tried, true, asked), before }];
}

const ALONE: ReadonlySet<string> = new Set(['reviewer', 'agent-run']);

/** What policies and the engine do is nobody's to be asked for. */
const isOfItself = ({ roles }: Option) =>
  roles.length > 0 && roles.every((role) => role === 'policy' || role === 'engine');

/** The step that was tried without something that it takes: the same again, with what it lacked. */
function lackingWords(handle: Handle, options: readonly Option[], asked: Asked): Step | undefined {
  if (asked.code !== 'bad-arguments') return undefined;
  const same = options.filter((o) => o.mine && o.command === asked.command && !isLonger(options, o));
  const option = same.find((o) => o.missing.length === 0) ?? same[0];
  if (option === undefined) return undefined;
  const step = stepOf(handle, options, option, true, asked);
  const row = rowOf(handle, option);
  const targets = row === undefined ? [] : targetsOf(handle.protocol, row, handle.item);
  const isSaid = ([name, value]: [string, string | readonly string[]]) =>
    typeof value !== 'string' ||
    (value.trim() !== '' && (name !== 'to' || targets.length < 2 || targets.includes(value)));
  return { ...step, given: Object.fromEntries(Object.entries(asked.given).filter(isSaid)) };
}

/** One way on as a step, whoever takes it. */
export function stepOf(
  handle: Handle,
  options: readonly Option[],
  option: Option,
  own = option.mine,
  asked: Asked = NOTHING_ASKED,
): Step {
  const { roles, who, missing } = option;
  const again = option.command === asked.command;
  // The pass of a gate is asked for as what it is: a verification. A word on a claim may be called like a step.
  const isRow = rowOf(handle, option) !== undefined || isOnReview(handle, option.command);
  const command = isRow && gateOf(handle)?.pass === option.command ? 'verify' : option.command;
  const move = (isRow || isGiven(handle, command)) && isMove(handle, command);
  // Where nothing was run yet, no verdict is too weak.
  const weak = again && asked.missing.some((v) => v.guard === 'independent' && v.fix !== '');
  const [as = ''] = missing.some((v) => v.guard === 'same') ? named(handle, option) : [];
  return {
    ...{
      item: handle.display,
      task: taskNameOf(handle),
      protocol: handle.protocol.name,
      command,
      own,
      as,
      roles,
      who,
      again,
      before: '',
      given: {},
      move,
    },
    takes: move ? takesOf(handle, option) : [],
    to: command === 'dispatch' ? (options.find((o) => o.command === 'claim')?.who ?? []) : [],
    person:
      (command === 'verify' && (weak || demandedLevel(handle.item.settings.independence) === 'human')) ||
      (own && option.asPerson === true && !move && CONFIRMED.has(command)),
  };
}

/** Commands that ask a person at the terminal only where they are told to; others ask by themselves. */
const CONFIRMED: ReadonlySet<string> = new Set(['verify', 'complete', 'report', 'supersede']);

/** What has to be said with a command: its arguments, and where it may lead to several states, which. */
const takesOf = ({ protocol, item }: Handle, { command, to, takes }: Option): readonly string[] => {
  const row = protocol.rows.find((r) => r.command === command && r.to === to);
  if (row === undefined) return takes;
  const open = targetsOf(protocol, row, item).length > 1 && !takes.includes('to');
  const files = row.requires.flatMap(probesOf).some((probe) => OF_FILES.has(probe));
  return [...takes, ...(open ? ['to'] : []), ...(files ? ['evidence'] : [])];
};

/** What is looked for in files that have to be named. */
const OF_FILES: ReadonlySet<string> = new Set(['self-checks', 'new-approach']);

/** Commands of a table that have a command of their own in every face, whatever the protocol. */
const OWN_WORD: ReadonlySet<string> = new Set(['start', 'ack', 'show', 'follow-up', 'verify']);

/** The same command with less to say leads to the same: what may be added is not proposed. */
export const isLonger = (options: readonly Option[], { command, to, takes }: Option) =>
  options.some((o) => o.command === command && o.to === to && o.takes.length < takes.length);

/** A way back that a gate guards is open for a reason, such as checks that could not be run: it stands last. */
const isEarned = (handle: Handle, option: Option) =>
  option.command === 'release' && option.missing.length === 0 && guardsOf(handle, option).length > 0;

/** Nothing is left of a step that was taken, and to give work to somebody else is a way out of what goes on. */
export function isBegun({ protocol, item }: Handle, { command, to }: Option): boolean {
  if (command === 'start')
    return (
      item.state !== 'assigned' && item.steps.some((s) => s.command === 'start' && s.attempt === item.attempt)
    );
  if (to !== '@same') return false;
  // Where no agent is at work any more, another one leads on; but not to what was mended already.
  if (protocol.name === 'phase' && command === 'deploy')
    return isBuilt(item.members.agents ?? {}) || latestEvidence(item, 'fixes') !== undefined;
  return command === 'assign' || item.steps.at(-1)?.command === command;
}

const isBuilt = (agents: WorkItem['members'][string]): boolean =>
  Object.values(agents).some(({ state }) => ['starting', 'running', 'completed'].includes(state));

/** The pass of a gate before which nothing was claimed yet: what claims it comes first. */
const isEarly = (handle: Handle, { command }: Option) =>
  gateOf(handle)?.pass === command && !isAtGate(handle);

/** True for what another actor would not lack: it is about who acts. */
const isPersonal = ({ guard }: Verdict) =>
  guard.split(' or ').some((g) => g === 'apart' || g === 'same' || g === 'hats');

function isOpenToOthers(handle: Handle, option: Option): boolean {
  if (!option.missing.every(isPersonal)) return false;
  return !option.missing.some((v) => v.guard === 'same') || named(handle, option).length > 0;
}

/** Holders who are the one that the row asks for; nobody where it asks for nobody. */
function named(handle: Handle, option: Option): readonly string[] {
  const marks = leavesOf(guardsOf(handle, option)).flatMap((g) => (g.guard === 'same' ? [g.as] : []));
  return marks.flatMap((mark) => handle.item.marks[mark] ?? []).filter((id) => option.who.includes(id));
}

function guardsOf(handle: Handle, option: Option): readonly Guard[] {
  if (option.command === 'report')
    return handle.protocol.evidence.find((e) => e.kind === 'quality')?.requires ?? [];
  return rowOf(handle, option)?.requires ?? [];
}

/** The row of the table that a way on is, undefined for a word that somebody gives. */
const rowOf = ({ protocol, item }: Handle, { command, to }: Option) =>
  protocol.rows.find(
    (r) => r.command === command && r.to === to && expand(protocol, r.from).includes(item.state),
  );

const isMove = ({ protocol }: Handle, command: string) =>
  protocol.name !== 'two-phase' && !OWN_WORD.has(command);

function neededBefore({ code, missing }: Asked): string {
  if (code === 'conflict') return 'wait until that has ended';
  const fixes = missing.map((v) => v.fix).filter((fix) => fix !== '' && !fix.startsWith('a proof-pack '));
  return code === 'gate-closed' ? [...new Set(fixes)].join(', and ') : '';
}

/** No way is open: the step that opens one. */
function firstNeeded(handle: Handle, options: readonly Option[]): readonly Step[] {
  const { item } = handle;
  if (item.state === 'blocked' && options.some(lacksReview)) return [ackStep(handle)];
  const successor = item.links.find((l) => l.kind === 'superseded-by')?.to;
  if (successor !== undefined) return [look(successor)];
  const release = options.find((o) => o.command === 'release' && o.missing.length === 0);
  if (release !== undefined) return [stepOf(handle, options, release)];
  const missing = options.filter((o) => !isAsideOf(handle, o)).flatMap((o) => o.missing);
  const gone = missing.some(({ guard }) => guard === 'members') ? givenUpFor(handle) : [];
  if (gone.length > 0) return gone.map((name) => inPlaceOf(name, handle));
  const awaited = missing.flatMap((v) => /^look at ([^,\s]+)/.exec(v.fix)?.[1] ?? []);
  if (awaited.length > 0) return [...new Set(awaited)].map(look);
  const fixes = missing.map((v) => inWords(handle, v.fix)).filter((fix) => fix !== '');
  return [...new Set(fixes)].map((fix) => firstDone(handle, fix));
}

const lacksReview = ({ command, missing }: Option) =>
  command === 'retry' && missing.some((v) => v.because.includes('failure-review'));

const PLAIN: Step = {
  ...{ item: '', task: '', protocol: '', command: '', to: [], own: true, as: '', roles: [], who: [] },
  ...{ person: false, before: '', again: false, given: {}, takes: [], move: false },
};

/** What has to be done before anything else. */
export const firstDone = ({ display }: Handle, before: string): Step => ({ ...PLAIN, item: display, before });

/** Whoever may open work under the protocol of what was given up, or a person. */
const inPlaceOf = (item: string, { openers = {} }: Handle): Step => ({
  ...PLAIN,
  ...{ item, command: 'follow-up', own: false, roles: [...(openers[item] ?? []), 'human'] },
});

const look = (item: string): Step => ({ ...PLAIN, item, command: 'show' });

/** The first step out of a block: a person's, unless it was left to the orchestrator. */
export function ackStep({ display, item }: Handle): Step {
  const roles = item.settings.acknowledge === 'orchestrator' ? ['workflow-orchestrator'] : [];
  return { ...PLAIN, item: display, command: 'ack', own: false, person: true, roles };
}
