import { basename, resolve } from 'node:path';
import { displayId, numberOf } from '../../engine/display.ts';
import { isVerifierAgent } from '../../engine/harness/names.ts';
import { type Answer, deny, SILENT } from '../answer.ts';
import { bind, type Part } from '../bindings.ts';
import { type Guarded, guardedBy } from '../guarded.ts';
import { guardedAnswer } from '../guarded-answer.ts';
import type { Moment } from '../payload.ts';
import { onlyReads, programOf, type Simple, simpleCommands } from '../shell.ts';
import type { Surroundings } from '../surroundings.ts';

/** What a shell line would do to the store, the rules or the roles. */
export async function shellUse(
  { input, cwd, session, agent, agentType }: Moment,
  around: Surroundings,
): Promise<Answer> {
  const line = input.command;
  if (typeof line !== 'string') return SILENT;
  let folder = cwd || around.top;
  for (const simple of simpleCommands(line)) {
    const [program = '', ...rest] = programOf(simple.words);
    const ours = OURS.test(basename(program)) || simple.words.some((word) => word.includes(VARIABLE));
    const answer = ours
      ? await ownCommand(simple, { session, agent, agentType }, around)
      : touched(simple, folder, session, around);
    if (answer.kind !== 'silent') return answer;
    if (program === 'cd' && rest[0] !== undefined) folder = resolve(folder, rest[0]);
  }
  return SILENT;
}

const OURS = /^countersign(-hook)?(\.cjs)?$/;
const VARIABLE = 'COUNTERSIGN_ACTOR';

function touched(simple: Simple, folder: string, session: string, around: Surroundings): Answer {
  const kinds: (Guarded | undefined)[] = simple.writes.map((path) => guardedBy(path, folder, around));
  if (!onlyReads(simple)) {
    // `of=FILE` and code in quotes name paths inside a word.
    const words = simple.words.flatMap((word) => [word, ...word.split(/[\s'"=,;:()]+/)]);
    kinds.push(...words.filter((w) => w !== '').map((word) => guardedBy(word, folder, around)));
  }
  for (const kind of kinds) {
    const answer = kind === undefined ? SILENT : guardedAnswer(kind, session, around);
    if (answer.kind !== 'silent') return answer;
  }
  return SILENT;
}

const ITEM = /^[A-Za-z]+-\d+$/;
async function ownCommand(
  { words }: Simple,
  { session, agent, agentType }: Pick<Moment, 'session' | 'agent' | 'agentType'>,
  around: Surroundings,
): Promise<Answer> {
  const { actor, state } = around;
  if (words.some((word) => basename(word).startsWith('countersign-hook')))
    return deny('Hooks are called by the coding agent, not from a shell.');
  const named = words.flatMap((word, i) => {
    if (word === '--actor') return [words[i + 1] ?? ''];
    const [, given] = /^(?:--actor|COUNTERSIGN_ACTOR)=(.*)$/.exec(word) ?? [];
    // Named without a value, it is taken away.
    return given === undefined ? (word === VARIABLE ? [''] : []) : [given];
  });
  const other = named.find((name) => actor !== '' && name !== actor && !isVerifierAgent(agentType));
  if (other !== undefined)
    return deny(`This session works as ${actor}, not as ${other || 'a person'}. Have the other one do it.`);
  const at = words.findIndex((word) => ITEM.test(word));
  const number = numberOf(words[at] ?? '');
  if (number === undefined) return SILENT;
  const part = words.includes('move')
    ? await partOfMove(number, words[at + 1] ?? '', around)
    : PARTS[words.find((word) => Object.hasOwn(PARTS, word)) ?? ''];
  const item = displayId(number, /^goal-/i.test(words[at] ?? '') ? 'goal' : '');
  if (part !== undefined) bind(state, { item, part, session, agent });
  return SILENT;
}

const PARTS: { readonly [command: string]: Part } = { start: 'build', claim: 'build', verify: 'verify' };

/** What a step of the item's own protocol takes it for. */
async function partOfMove(
  number: number,
  command: string,
  { look }: Surroundings,
): Promise<Part | undefined> {
  const { protocolOf, partOf } = await import('../calls.ts');
  const protocol = await look((store) => protocolOf(store, number));
  return protocol === undefined ? undefined : partOf(protocol, command);
}
