import { commandLine, few } from '../engine/command-line.ts';
import type { Handle } from '../engine/handle.ts';
import { type Step, stepsOn } from '../engine/steps.ts';
import type { Option } from '../kernel/guidance.ts';
import { asTyped, type Output } from './print.ts';

/** The exact command for each step on. */
export const nextLines = (
  handle: Handle,
  options: readonly Option[],
  caller: Pick<Output, 'as'>,
): readonly string[] => linesOf(stepsOn(handle, options), caller);

/** The same for steps that are known. `words` have to be typed again with what was just refused. */
export const linesOf = (
  steps: readonly Step[],
  caller: Pick<Output, 'as'>,
  words = '',
): readonly string[] => [...new Set(steps.map((step) => line(step, caller, words)))];

/** The same, as lines below an answer. */
export const nextText = (
  handle: Handle,
  options: readonly Option[],
  caller: Pick<Output, 'as'>,
): readonly string[] => nextLines(handle, options, caller).map((way) => `next: ${way}`);

function line(step: Step, caller: Pick<Output, 'as'>, words: string): string {
  const { command, own, as, roles, who, person, before, again } = step;
  if (command === '') return before;
  const first = before === '' ? '' : `${before}; then `;
  const exact = `${commandLine(step)}${again && words !== '' ? ` ${words}` : ''}`;
  if (command === 'ack') return `${exact}  [${[PERSON, ...roles].join(', or ')}]`;
  if (person) return `${first}${exact} --confirm  [${PERSON}]`;
  if (own) return `${first}${asTyped(caller, exact)}`;
  if (as !== '') return exact.replace('countersign ', `countersign --actor ${as} `);
  return `${exact}  [${roles.join(' or ')}${who.length > 0 ? ` (${few(who)})` : ''}]`;
}

const PERSON = 'a person at a terminal';

/** The first step out of a block. */
export const ackLine = (display: string): string => `countersign ack ${display}`;
