import { basename, join, resolve } from 'node:path';
import { isVerifierAgent } from '../../engine/harness/names.ts';
import { type Answer, deny, SILENT } from '../answer.ts';
import { isAtWork } from '../bindings.ts';
import { type Guarded, guardedBy, guardedWith } from '../guarded.ts';
import { guardedAnswer } from '../guarded-answer.ts';
import { actorsNamed, namesActor, type OwnCommand, ownCommand } from '../own-command.ts';
import type { Moment } from '../payload.ts';
import { simpleCommands, takesCode } from '../shell.ts';
import { mayShow, movesOurRefs, onlyReads, programOf } from '../shell-program.ts';
import type { Simple } from '../simple.ts';
import type { Surroundings } from '../surroundings.ts';

/** How many different words of a line are looked at: past that, a session that works on an item has to put it simpler. */
const MOST_WORDS = 4000;

/** What a shell line would do to the store, the rules or the roles. */
export async function shellUse(moment: Moment, around: Surroundings): Promise<Answer> {
  const { input, cwd } = moment;
  const line = input.command;
  if (typeof line !== 'string') return SILENT;
  const seen = new Set<string>();
  let folder = cwd || around.top;
  for (const simple of simpleCommands(line)) {
    const answer = await answerTo(simple, { moment, folder, line }, seen, around);
    if (answer.kind !== 'silent') return answer;
    const [program, to] = programOf(simple.words);
    if ((program === 'cd' || program === 'pushd') && to !== undefined)
      folder = resolve(folder, expanded(to, folder, around));
  }
  return SILENT;
}

/** Files first: that a command is ours, or names who works here, excuses nothing that it writes to. */
async function answerTo(
  simple: Simple,
  where: Where,
  seen: Set<string>,
  around: Surroundings,
): Promise<Answer> {
  const own = ownCommand(simple);
  const { session } = where.moment;
  if (own === undefined && movesOurRefs(simple)) return guardedAnswer('store', session, around);
  const looked = own === undefined ? lookedAt(simple) : writtenBy(simple, own);
  const touching = touched(looked, where.folder, seen, session, around);
  if (touching.kind !== 'silent' || (own === undefined && !namesActor(simple))) return touching;
  return ours(simple, own, where, around);
}

/** What our own program writes where it is told to: what its output goes to, and its file options. */
function writtenBy({ writes }: Simple, { words }: OwnCommand): readonly Looked[] {
  const named = words.flatMap((word, n) => {
    const [option = '', value] = word.split(/=(.*)/s);
    return OUTPUTS.has(option) ? [value ?? words[n + 1] ?? ''] : [];
  });
  return [...writes, ...named].map((path) => ({ how: 'written', path }));
}

const OUTPUTS: ReadonlySet<string> = new Set(['--output', '-o']);

function touched(
  looked: readonly Looked[],
  folder: string,
  seen: Set<string>,
  session: string,
  around: Surroundings,
): Answer {
  for (const { how, path: written } of looked) {
    const path = expanded(written, folder, around);
    const key = `${how} ${folder} ${path}`;
    if (path === '' || seen.has(key)) continue;
    if (seen.size >= MOST_WORDS) return tooLong(session, around);
    seen.add(key);
    const kind = how === 'whole' ? guardedWith(path, folder, around) : guardedBy(path, folder, around);
    if (kind === undefined || (how === 'read' && !SECRET.has(kind))) continue;
    const answer = guardedAnswer(kind, session, around);
    if (answer.kind !== 'silent') return answer;
  }
  return SILENT;
}

interface Looked {
  /** Read, written, or taken with everything below it. */
  readonly how: 'read' | 'written' | 'whole';
  readonly path: string;
}

/** Paths that a command names, as far as it can do something to them. */
function lookedAt(simple: Simple): readonly Looked[] {
  const as = (how: Looked['how'], paths: readonly string[]) => paths.map((path) => ({ how, path }));
  const writes = as('written', simple.writes);
  if (!onlyReads(simple)) return [...writes, ...as('whole', moved(simple)), ...as('written', pieces(simple))];
  return mayShow(simple) ? [...writes, ...as('read', simple.words)] : writes;
}

/** What may not even be read. */
const SECRET: ReadonlySet<Guarded> = new Set(['credentials']);

const tooLong = (session: string, { state }: Surroundings): Answer =>
  isAtWork(state, session)
    ? deny(
        'Countersign cannot look at so long a line while you work on an item. Put it into a file, or into several lines.',
      )
    : SILENT;

/** Words of a command, and what stands inside of them: `of=FILE`, and paths in code. */
function pieces(simple: Simple): readonly string[] {
  const { words, fed } = simple;
  const isCode = takesCode(simple);
  const parts = (word: string) => [word, ...word.split(/[\s'"=,;:()]+/)];
  return [
    ...words.flatMap((word) => (isCode || !/\s/.test(word) ? parts(word) : [word])),
    ...(isCode ? fed.flatMap(parts) : []),
  ];
}

const REMOVERS = new Set(['rm', 'rmdir', 'unlink', 'shred', 'trash']);
const MOVERS = new Set(['mv', 'cp', 'ln', 'install', 'rsync']);

/** Paths that go, or come, with everything below them. */
function moved({ words }: Simple): readonly string[] {
  const [program = '', ...rest] = programOf(words);
  const [name, second] = [basename(program), rest[0] ?? ''];
  const paths = rest.filter((word) => !word.startsWith('-'));
  const isGit = name === 'git' && (second === 'rm' || second === 'mv');
  const verb = isGit ? second : name;
  const own = isGit ? paths.slice(1) : paths;
  if (REMOVERS.has(verb)) return own;
  if (!MOVERS.has(verb)) return [];
  const to = own.at(-1) ?? '';
  const from = own.slice(0, -1);
  const made = from.filter((path) => !/(^|\/)\.{0,2}$/.test(path)).map((path) => join(to, basename(path)));
  return verb === 'mv' ? [...from, ...made] : made;
}

/** A word with the variables that the session's shells have as well; `folder`: where they stand by then. */
export const expanded = (word: string, folder: string, { env }: Pick<Surroundings, 'env'>): string =>
  word.replace(/\$(?:(\w+)|\{(\w+)\})/g, (all, plain, braced) => {
    const name = plain ?? braced;
    return name === 'PWD' ? folder : (env[name] ?? all);
  });

interface Where {
  readonly moment: Moment;
  readonly folder: string;
  readonly line: string;
}

async function ours(
  { words }: Simple,
  own: OwnCommand | undefined,
  { moment, folder, line }: Where,
  around: Surroundings,
): Promise<Answer> {
  const { session, agent, agentType } = moment;
  if (own?.isHook) return deny('Hooks are called by the coding agent, not from a shell.');
  const { actor } = around;
  const other = actorsNamed(words).find(
    (name) => actor !== '' && name !== actor && !isVerifierAgent(agentType),
  );
  if (other !== undefined)
    return deny(`This session works as ${actor}, not as ${other || 'a person'}. Have the other one do it.`);
  if (own === undefined) return SILENT;
  if (changesHooks(own)) return guardedAnswer('hooks', session, around);
  if (changesCriteria(own)) return guardedAnswer('criteria', session, around);
  const number = own.number ?? (words.includes('xargs') ? numberIn(line) : undefined);
  if (number === undefined || !around.serves(folder)) return SILENT;
  const { takeUp } = await import('../take-up.ts');
  await takeUp(number, own.command, { session, agent }, around);
  return SILENT;
}

/** What xargs is given comes from elsewhere in the line. */
const numberIn = (line: string): number | undefined => {
  const [, number] = /\b(?:T|TASK|GOAL)-0*([1-9]\d{0,14})\b/.exec(line) ?? [];
  return number === undefined ? undefined : Number(number);
};

/** Our own way to write criteria anew that are there already. */
const changesCriteria = ({ command, words }: OwnCommand): boolean =>
  command === 'criteria' && words.includes('init') && words.includes('--force');

/** Our own way to take the hooks out, or to write them anew. */
const changesHooks = ({ command, words }: OwnCommand): boolean =>
  command === 'uninstall' || (command === 'init' && words.some((word) => /^--with(=|$)/.test(word)));
