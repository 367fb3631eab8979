import { commandLine } from '../engine/command-line.ts';
import type { Handle } from '../engine/handle.ts';
import { type Step, stepsOn } from '../engine/steps.ts';
import type { Option } from '../kernel/guidance.ts';

/** A step as an agent takes it: a tool with its arguments, or what a person types at a terminal. */
export interface Call {
  /** `you`, the actors who may, or the roles that may. */
  readonly by: string;
  /** What has to be done before it. */
  readonly first?: string;
  readonly tool?: string;
  readonly arguments?: { readonly [name: string]: string | boolean };
  /** The command line of it, for people and for what no tool does. */
  readonly run?: string;
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

/** What a person does at a terminal, whatever tools there are. */
const PERSONS = new Set(['approve']);

/** The exact calls that may follow on an item. */
export const callsOn = (
  handle: Handle,
  options: readonly Option[],
  offered: ReadonlySet<string>,
): readonly Call[] => stepsOn(handle, options).map((step) => callFor(step, offered));

/** The exact call for a step, with the tools that the profile offers to any role. */
export function callFor(step: Step, offered: ReadonlySet<string>): Call {
  const { command, own, roles, before, person } = step;
  const first = before === '' ? {} : { first: before };
  if (command === '') return { by: 'you', ...first };
  const run = `${commandLine(step)}${person && command === 'verify' ? ' --confirm' : ''}`;
  if (PERSONS.has(command) || (person && roles.length === 0) || (person && command === 'verify'))
    return { by: PERSON, ...first, run };
  const call = toolFor(step, offered);
  if (person) return { by: [PERSON, ...roles].join(', or '), ...first, ...call, run };
  const typed = own && call.tool !== undefined ? {} : { run };
  return { by: own ? 'you' : othersOf(step), ...first, ...call, ...typed };
}

function othersOf({ as, who, roles }: Step): string {
  if (as !== '') return as;
  return who.length > 0 ? who.join(', ') : roles.join(' or ');
}

const PERSON = 'a person at a terminal';

function toolFor(step: Step, offered: ReadonlySet<string>): Pick<Call, 'tool' | 'arguments'> {
  const { command, item, to } = step;
  const tool = TOOLS[command] ?? '';
  const more = { ...ARGUMENTS[command], ...(command === 'dispatch' ? { to: to.at(-1) ?? 'ACTOR' } : {}) };
  if (offered.has(tool)) return { tool, arguments: { item, ...more } };
  if (offered.has('item_move')) return { tool: 'item_move', arguments: { item, command, ...more } };
  return {};
}

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
