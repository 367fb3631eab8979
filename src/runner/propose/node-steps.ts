import {
  type BareCommand,
  bareCommand,
  nameOf,
  type ScriptCall,
  scriptCall,
  startable,
} from './node-command.ts';
import { type Packages, type TestCommand, testCommand } from './node-programs.ts';
import { commandsOf, type Word, wordOf } from './shell-words.ts';

/** One of the things that `npm test` does, in their order. */
export type Step =
  | { readonly is: 'tests'; readonly script: string; readonly command: TestCommand }
  /** Looks at the sources: a linter, a type check. `id` is what a check can be called. */
  | { readonly is: 'look'; readonly id: string; readonly words: readonly Word[] }
  /** Anything else: before tests it makes what they need, behind them it is a test without a report. */
  | { readonly is: 'other'; readonly id: string; readonly words: readonly Word[] }
  /** Tells about coverage, or asks the registry about packages: nothing that work can change. */
  | { readonly is: 'aside'; readonly text: string };

interface Scripts {
  readonly scripts: Readonly<Record<string, unknown>>;
  readonly packages: Packages;
  /** Those that are being read: a script that calls itself is not read again. */
  readonly open: readonly string[];
}

/** What running a script does, with the scripts before and after it; undefined where its line asks too much of a shell. */
export function stepsOf(
  name: string,
  scripts: Readonly<Record<string, unknown>>,
  packages: Packages,
): readonly Step[] | undefined {
  const at = { scripts, packages, open: [name] };
  const own = ofLine(name, String(scripts[name] ?? ''), [], at);
  return own && [...ofHook(`pre${name}`, at), ...own, ...ofHook(`post${name}`, at)];
}

/** `pretest` and its like. */
function ofHook(name: string, at: Scripts): readonly Step[] {
  const line = at.scripts[name];
  return typeof line === 'string' && line.trim() !== '' ? ofScript(name, [], [], at, npmRun(name)) : [];
}

const npmRun = (name: string) => ['npm', 'run', name].map(wordOf);

/** Said in one way, so that the same is seen to be the same. */
const asCalled = (bare: BareCommand, { name, more }: ScriptCall) =>
  bare.variables.length + more.length === 0 && bare.words[0]?.text === 'npm' ? npmRun(name) : startable(bare);

/** A script as it is called: its parts where these say more, else the call as a whole. */
function ofScript(
  name: string,
  more: readonly Word[],
  variables: readonly Word[],
  at: Scripts,
  call: readonly Word[],
): readonly Step[] {
  const inner = { ...at, open: [...at.open, name] };
  const own = ofLine(name, String(at.scripts[name]), more, inner, variables);
  const steps = own && [...ofHook(`pre${name}`, inner), ...own, ...ofHook(`post${name}`, inner)];
  if (steps?.some(({ is }) => is === 'tests')) return steps;
  if (LOOKS.test(name)) return [{ is: 'look', id: name, words: call }];
  if (steps === undefined) return [{ is: 'other', id: name, words: call }];
  const others = steps.filter(({ is }) => is === 'other').length;
  if (HOOK.test(name) && (others === 0 || steps.length > others || steps.length === 1)) return steps;
  if (others > 0) return [{ is: 'other', id: name, words: call }];
  return steps.some(({ is }) => is === 'look') ? [{ is: 'look', id: name, words: call }] : steps;
}

const HOOK = /^(?:pre|post)/;
const LOOKS =
  /^(?:lint|eslint|oxlint|biome|format|fmt|prettier|style|standard|typecheck|type-check|check-types|types|tsc|knip|spell)(?:[:-].*)?$/;

function ofLine(
  script: string,
  line: string,
  more: readonly Word[],
  at: Scripts,
  variables: readonly Word[] = [],
): readonly Step[] | undefined {
  const commands = commandsOf([line, ...more.map(({ raw }) => raw)].join(' '));
  return commands?.flatMap((command) => ofCommand(script, [...variables, ...command], at));
}

function ofCommand(script: string, command: readonly Word[], at: Scripts): readonly Step[] {
  const bare = bareCommand(command);
  const call = scriptCall(bare.words);
  if (call !== undefined && typeof at.scripts[call.name] === 'string' && !at.open.includes(call.name))
    return ofScript(call.name, call.more, bare.variables, at, asCalled(bare, call));
  const tests = testCommand(bare, at.packages);
  if (tests !== undefined) return [{ is: 'tests', script, command: tests }];
  const text = command.map(({ raw }) => raw).join(' ');
  if (isAside(bare)) return [{ is: 'aside', text }];
  const [first] = bare.words;
  const id = first === undefined ? script : nameOf(first);
  return [
    { is: isLinter(bare) ? 'look' : 'other', id: isLinter(bare) ? lookId(id) : id, words: startable(bare) },
  ];
}

const isAside = ({ words: [first, second] }: BareCommand): boolean =>
  first === undefined ||
  /^(?:nyc|c8|codecov|coveralls|aud|istanbul|audit-ci|echo|opener)$/.test(nameOf(first)) ||
  (/^(?:npm|yarn|pnpm)(?:@.*)?$/.test(first.text) && second?.text === 'audit');

const LINTERS =
  /^(?:eslint|oxlint|tslint|jshint|standard|semistandard|ts-standard|xo|prettier|biome|stylelint|knip|cspell|markdownlint|eclint)$/;

const isLinter = ({ words }: BareCommand): boolean =>
  words[0] !== undefined && (LINTERS.test(nameOf(words[0])) || isTypeCheck(words));

const isTypeCheck = ([first, ...rest]: readonly Word[]): boolean =>
  first !== undefined &&
  /^(?:tsc|vue-tsc)$/.test(nameOf(first)) &&
  rest.some(({ text }) => /^--noEmit$/i.test(text));

const lookId = (id: string) => (/^(?:vue-)?tsc$/.test(id) ? 'typecheck' : /^eslint$/.test(id) ? 'lint' : id);
