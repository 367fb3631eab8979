import { commandLine } from '../engine/command-line.ts';
import type { Handle } from '../engine/handle.ts';
import { ADD_TASK } from '../engine/more-work.ts';
import { type Given, type Step, stepsOn } from '../engine/steps.ts';
import type { Option } from '../kernel/guidance.ts';
import { type NamedStep, namedStep } from '../protocols/tools.ts';
import { asCalls } from './as-calls.ts';
import type { Offers } from './offers.ts';

/** A step as an agent takes it: a tool with its arguments, or what a person types at a terminal. */
export interface Call {
  /** `you`, the actors who may, or the roles that may. */
  readonly by: string;
  /** What has to be done before it. */
  readonly first?: string;
  readonly tool?: string;
  readonly arguments?: Arguments;
  /** The command line of it, for people and for what no tool does. */
  readonly run?: string;
}

interface Arguments {
  readonly [name: string]: string | boolean | readonly string[] | { readonly [name: string]: string };
}

/** Commands of a table that have a tool of their own; the others go through `item_move` where that is offered. */
const TOOLS: { readonly [command: string]: string } = {
  dispatch: 'item_dispatch',
  start: 'item_start',
  claim: 'item_claim',
  release: 'item_release',
  verify: 'item_verify',
  retry: 'item_retry',
  complete: 'item_complete',
  ack: 'item_ack',
  report: 'item_judge',
  review: 'item_judge',
  'sign-off': 'item_judge',
  supersede: 'item_follow_up',
  'follow-up': 'item_follow_up',
  show: 'item_show',
};

/** A word on a claim that a person gives at a terminal, whatever tools there are; a step may be called the same. */
const isPersons = ({ command, move }: Step) => command === 'approve' && !move;

/** The exact calls that may follow on an item. */
export const callsOn = (handle: Handle, options: readonly Option[], offered: Offers): readonly Call[] =>
  unique(stepsOn(handle, options).map((step) => callFor(step, offered)));

/** Each call once: two steps of a table may be one call. */
export function unique(calls: readonly Call[]): readonly Call[] {
  return [...new Map(calls.map((call) => [inText(call), call])).values()];
}

/** The exact call for a step: with the caller's own tools for what is theirs, else with those that some role is offered. */
export function callFor(step: Step, offered: Offers): Call {
  const { command, own, roles, before, person } = step;
  const first = before === '' ? {} : { first: asCalls(before, offered) };
  if (command === '') return { by: 'you', ...first };
  const run = `${commandLine(step)}${person && command === 'verify' ? ' --confirm' : ''}`;
  const noAgent = isPersons(step) || (roles.length > 0 && roles.every((role) => role === 'human'));
  if (noAgent || (person && roles.length === 0) || (person && command === 'verify'))
    return { by: PERSON, ...first, run };
  const call = command === ADD_TASK ? newTask(step, offered) : toolFor(step, offered);
  if (person) return { by: [PERSON, ...roles].join(', or '), ...first, ...call, run };
  const typed = own && call.tool !== undefined ? {} : { run };
  return { by: own ? 'you' : othersOf(step), ...first, ...call, ...typed };
}

function othersOf({ as, who, roles }: Step): string {
  if (as !== '') return as;
  return who.length > 0 ? who.join(', ') : roles.join(' or ');
}

const PERSON = 'a person at a terminal';

/** A task is opened by the tool of those who work at goals; elsewhere it is typed. */
const newTask = ({ item }: Step, { any }: Offers): Pick<Call, 'tool' | 'arguments'> =>
  any.has('create_goal') ? { tool: 'create_task', arguments: { title: 'TITLE', goal_id: item } } : {};

function toolFor(step: Step, offers: Offers): Pick<Call, 'tool' | 'arguments'> {
  const { command, item, protocol, to, takes, move, given } = step;
  const offered = step.own ? offers.own : offers.any;
  const named = namedStep(protocol, command);
  if (named !== undefined && (move || OF_EVERY.has(command)) && offered.has(named.tool)) {
    const state = takes.includes('to') && !('assign_to' in named.more) ? { to: 'STATE' } : {};
    const said = asNamed(named, given);
    return { tool: named.tool, arguments: { [named.item]: item, ...named.more, ...state, ...said } };
  }
  const tool = move ? '' : (TOOLS[command] ?? '');
  const more = { ...ARGUMENTS[command], ...(command === 'dispatch' ? { to: to.at(-1) ?? 'ACTOR' } : {}) };
  if (offered.has(tool)) return { tool, arguments: { item, ...more } };
  // New work is no step of the item: item_move takes none.
  if (!offered.has('item_move') || NEW_WORK.has(command)) return {};
  const { kind: _, ...rest } = more as Arguments;
  return { tool: 'item_move', arguments: { item, command, ...rest, ...asMoved(takes, given) } };
}

/** What was said already, under the names that the tool of a step has for it. */
function asNamed({ more, protocol }: NamedStep, given: Given): Arguments {
  const name = (of: string) => {
    if (of === 'to' && protocol === 'goal-task') return 'assign_to';
    if (of === 'task') return 'task_id';
    return of === 'evidence' && 'file' in more ? 'file' : of;
  };
  const value = (of: string, said: Given[string]) => {
    if (of === 'no_change') return true;
    return of === 'evidence' && 'file' in more ? (said[0] ?? '') : said;
  };
  const taken = Object.entries(given).filter(([of]) => of !== 'reason' || 'reason' in more);
  return Object.fromEntries(taken.map(([of, said]) => [name(of), value(of, said)]));
}

const NEW_WORK: ReadonlySet<string> = new Set(['follow-up', 'supersede']);

/** Commands that no protocol takes as a mere move, and that have a tool of its own all the same. */
const OF_EVERY: ReadonlySet<string> = new Set(['start', 'verify']);

/** What a step of any protocol has to be given, as item_move takes it; what was said already as it was said. */
function asMoved(takes: readonly string[], given: Given): Arguments {
  const files = given.evidence ?? (takes.includes('evidence') ? ['PATH'] : undefined);
  const names = [...new Set([...takes, ...Object.keys(given)])].filter((name) => !APART.has(name));
  const worded = (some: readonly string[]) =>
    Object.fromEntries(some.map((name) => [name, String(given[name] ?? name.toUpperCase())]));
  const others = names.filter((name) => !OF_MOVE.has(name));
  return {
    ...worded(names.filter((name) => OF_MOVE.has(name))),
    ...(files === undefined ? {} : { evidence: files }),
    ...(given.no_change === undefined ? {} : { no_change: true }),
    ...(others.length === 0 ? {} : { arguments: worded(others) }),
  };
}

const APART: ReadonlySet<string> = new Set(['evidence', 'no_change']);
const OF_MOVE: ReadonlySet<string> = new Set(['to', 'reason', 'commit']);

const ARGUMENTS: { readonly [command: string]: { readonly [name: string]: string | boolean } } = {
  report: { kind: 'quality', approve: true },
  review: { kind: 'review', approve: true },
  'sign-off': { kind: 'sign-off', approve: true },
  supersede: { title: 'TITLE' },
  'follow-up': { title: 'TITLE' },
};

/** A call in one line of text. */
export function inText({ by, first, tool, arguments: args, run }: Call): string {
  const does = tool === undefined ? (run ?? '') : `${tool} ${JSON.stringify(args)}`;
  const typed = tool !== undefined && run !== undefined ? `, or a person types: ${run}` : '';
  const before = first === undefined ? '' : does === '' ? first : `${first}; then `;
  return `next (${by}): ${before}${does}${typed}`;
}
