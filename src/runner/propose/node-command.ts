import { type Word, wordOf } from './shell-words.ts';

/** A command without what other programs put around it. */
export interface BareCommand {
  /** `NAME=value`, for this command alone. */
  readonly variables: readonly Word[];
  readonly words: readonly Word[];
}

/** Programs that others start, measure or surround. */
const STARTED = /^(?:_?mocha|ts-mocha|jest|vitest|tape|tap|node|tsx|npm|pnpm|yarn|npx|cross-env|env)$/;
const VARIABLE = /^[A-Za-z_]\w*=/;

/** The last part of a program's path, without its ending. */
export const nameOf = ({ text }: Word): string => text.replace(/^.*\//, '').replace(/\.[cm]?js$/, '');

/** Takes off variables, `cross-env`, `npx` and its like, and programs that only measure coverage. */
export function bareCommand(command: readonly Word[]): BareCommand {
  const variables: Word[] = [];
  let words = command;
  for (let rest = inside(words); rest !== undefined; rest = inside(words)) {
    const [first] = words;
    if (first !== undefined && VARIABLE.test(first.text)) variables.push(first);
    words = rest;
  }
  return { variables, words };
}

/** Without the first layer; undefined where there is none. */
function inside([first, ...rest]: readonly Word[]): readonly Word[] | undefined {
  if (first === undefined) return undefined;
  if (VARIABLE.test(first.text)) return rest;
  const name = nameOf(first);
  const [second] = rest;
  if (/^(?:npx|pnpx)$/.test(name)) return behindOptions(rest);
  if (/^(?:pnpm|yarn|npm)$/.test(name) && second?.text === 'exec') return behindOptions(rest.slice(1));
  if (/^(?:cross-env|env)$/.test(name) && second !== undefined && VARIABLE.test(second.text)) return rest;
  if (!/^(?:nyc|c8)$/.test(name)) return undefined;
  const at = rest.findIndex((word) => STARTED.test(nameOf(word)));
  return at < 0 ? undefined : rest.slice(at);
}

/** Behind options without a value, such as `--no-install`, `-y` and `--`. */
function behindOptions(words: readonly Word[]): readonly Word[] {
  const at = words.findIndex(({ text }) => !text.startsWith('-'));
  return at < 0 ? [] : words.slice(at);
}

/** The same words for a start: with the variables, and a program of a package by its path. */
export function startable({ variables, words }: BareCommand): readonly Word[] {
  const [first, ...rest] = words;
  if (first === undefined) return [];
  const program = first.text.includes('/') || SYSTEM.test(first.text) ? first : wordOf(bin(first.text));
  const set = variables.length === 0 ? [] : [wordOf('env'), ...variables];
  return [...set, program, ...rest];
}

/** What no package brings along. */
const SYSTEM =
  /^(?:node|npm|pnpm|yarn|npx|make|sh|bash|env|rm|mkdir|cp|mv|ln|touch|echo|cat|test|true|chmod|git|python3?|go|cargo)$/;

/** Where npm puts a package's program. */
export const bin = (name: string): string => `./node_modules/.bin/${name}`;

/** A script of package.json that a command runs, with the words that it hands to it. */
export interface ScriptCall {
  readonly name: string;
  readonly more: readonly Word[];
}

/** undefined for anything else, and for a script of another folder. */
export function scriptCall(words: readonly Word[]): ScriptCall | undefined {
  const [manager, ...all] = words;
  if (manager === undefined || !/^(?:npm|pnpm|yarn)$/.test(manager.text)) return undefined;
  const rest = all.filter(({ text }) => !/^(?:-s|-q|--silent|--quiet)$/.test(text));
  const runs = /^(?:run|run-script)$/.test(rest[0]?.text ?? '');
  const [name, dashes, ...more] = runs ? rest.slice(1) : rest;
  if (name === undefined || name.text.startsWith('-')) return undefined;
  if (!runs && manager.text === 'npm' && !/^(?:t|test)$/.test(name.text)) return undefined;
  if (dashes !== undefined && dashes.text !== '--')
    return manager.text === 'npm' ? undefined : { name: name.text, more: [dashes, ...more] };
  return { name: !runs && name.text === 't' ? 'test' : name.text, more };
}
