import { basename } from 'node:path';
import { numberOf } from '../engine/display.ts';
import { programOf } from './shell-program.ts';
import type { Simple } from './simple.ts';

const PROGRAM = /^countersign(-hook[\w-]*)?(\.cjs)?$/;
const VARIABLE = 'COUNTERSIGN_ACTOR';

/** A command of ours in a shell line. */
export interface OwnCommand {
  /** `countersign-hook`, which only a coding agent calls. */
  readonly isHook: boolean;
  /** The command word, as `claim` or `uninstall`, '' where there is none. */
  readonly command: string;
  /** Of the item that it is about; undefined without one. */
  readonly number: number | undefined;
  readonly words: readonly string[];
}

/** undefined where the program is none of ours. */
export function ownCommand({ words }: Pick<Simple, 'words'>): OwnCommand | undefined {
  const [program = '', ...rest] = programOf(words);
  const name = basename(program);
  if (!PROGRAM.test(name)) return undefined;
  const plain = rest.filter((word, i) => !word.startsWith('-') && rest[i - 1] !== '--actor');
  const [first = '', ...more] = plain;
  // The goals have commands of their own, of which one is a step; the step of `move` is its second word.
  const [group, args] = first === 'goal' ? [more[0] ?? '', more.slice(1)] : [first, more];
  const at = refIn(args);
  const command = group === 'move' && at !== -1 ? (args[at + 1] ?? '') : group;
  return {
    isHook: name.startsWith('countersign-hook'),
    command: STEPS.has(first) || (first === 'goal' && group === 'verify') ? command : group,
    number: STEPS.has(first) || first === 'goal' ? numberOf(args[at] ?? '') : undefined,
    words: rest,
  };
}

const STEPS = new Set(['start', 'claim', 'verify', 'move']);

/** Where the item stands among the words: by its name, or else by its mere number. */
function refIn(words: readonly string[]): number {
  const named = words.findIndex((word) => /^[A-Za-z]+-\d+$/.test(word));
  return named === -1 ? words.findIndex((word) => /^\d+$/.test(word)) : named;
}

/**
 * The actors that a command is told to act as; '' for a person, whose machine it is: where the name is taken away, or the
 * whole environment.
 */
export function actorsNamed(words: readonly string[]): readonly string[] {
  const named = words.flatMap((word, i) => {
    if (word === '--actor') return [words[i + 1] ?? ''];
    const [, given] = /^(?:--actor|COUNTERSIGN_ACTOR)=(.*)$/.exec(word) ?? [];
    if (given !== undefined) return [given];
    // Named without a value, it is taken away.
    return /^(-u|--unset=)?COUNTERSIGN_ACTOR$/.test(word) ? [''] : [];
  });
  return isBare(words) && named.length === 0 ? [''] : named;
}

/** Started in an environment that holds nothing of the session's. */
function isBare(words: readonly string[]): boolean {
  return words.some((word, i) => {
    const bare = Object.hasOwn(EMPTIED, basename(word)) ? EMPTIED[basename(word)] : undefined;
    return bare !== undefined && words.slice(i + 1).some((option) => bare.test(option));
  });
}

/** Options that empty the environment of what is started, also among others and cut short. */
const EMPTIED: { readonly [program: string]: RegExp } = {
  env: /^(-|-[v0]*i[v0i]*|--i(?!gnore-signal)[a-z-]*)$/,
  exec: /^-[al]*c[acl]*$/,
};

/** Whether a command says who acts, whatever it runs. */
export const namesActor = ({ words }: Pick<Simple, 'words'>): boolean =>
  words.some((word) => word.includes(VARIABLE));
