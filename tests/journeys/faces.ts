import { runCli } from '../../src/cli/cli.ts';
import type { Composition, Opened } from '../../src/engine/composition.ts';
import { numberOf } from '../../src/engine/display.ts';
import { type RefusalEvent, refusalStream } from '../../src/engine/refuse.ts';
import { eventOf } from '../../src/engine/stored.ts';
import type { Profile } from '../../src/mcp/profile.ts';
import { type Talk, talk } from '../mcp/in-memory.ts';
import type { Said, Session } from '../session.ts';

/** What a face answered to something that was tried, and what the store holds after it. */
export interface Told {
  readonly code: string;
  readonly message: string;
  readonly missing: unknown;
  readonly state: string;
  readonly recorded: unknown;
}

/** The command line and the server, on one store that stays open: thousands of questions in a minute. */
export interface Faces {
  say(actor: string, ...words: readonly string[]): Promise<Said>;
  /** The same as a person who types the code that the terminal shows. */
  confirm(...words: readonly string[]): Promise<Said>;
  /** A command that must succeed; answers the item. */
  must(actor: string, ...words: readonly string[]): Promise<string>;
  call(actor: string, tool: string, input: Record<string, unknown>): ReturnType<Talk['call']>;
  state(id: string): Promise<string>;
  told(id: string, error: Partial<Told> | undefined): Promise<Told>;
  close(): Promise<void>;
}

/** `actors`: who calls through the server, each offered every tool of the profile. */
export async function facesOf(s: Session, actors: readonly string[], profile: Profile): Promise<Faces> {
  const opened = await s.composition.open();
  const { store } = opened.ports;
  const end = store.close.bind(store);
  Object.assign(store, { close: async () => {} });
  let proofs = 0;
  const kept: Composition = {
    ...s.composition,
    open: async (): Promise<Opened> => opened,
    ask: async ({ digest, purpose }) => {
      proofs += 1;
      const proof = { id: `proof-${proofs}`, digest, purpose, at: s.now(), channel: 'terminal' as const };
      return { ok: true, proof };
    },
  };
  const talks = new Map<string, Talk>();
  for (const actor of actors) talks.set(actor, await talk(s, actor, profile, true));
  const say = (actor: string, ...words: readonly string[]) => spoken(kept, s, actor, words);
  const row = async (id: string) => store.itemByNumber(numberOf(id) ?? 0);
  const lastRefusal = async (id: string) => {
    const stored = (await store.read(refusalStream((await row(id))?.id ?? ''))).at(-1);
    return stored === undefined ? undefined : eventOf<RefusalEvent>(stored);
  };
  const state = async (id: string) => (await row(id))?.state ?? '';
  return {
    say,
    state,
    confirm: (...words) => say('', ...words),
    async must(actor, ...words) {
      const said = await say(actor, ...words);
      if (said.code === 0) return said.data.id;
      throw new Error(`${actor} ${words.join(' ')}: exit ${said.code}, ${said.out}${said.err}`);
    },
    call: (actor, tool, input) => (talks.get(actor) as Talk).call(tool, input),
    async told(id, error) {
      const last = error === undefined ? undefined : await lastRefusal(id);
      return {
        code: error?.code ?? 'done',
        message: String(plain(error?.message ?? '', id)),
        missing: plain(error?.missing, id),
        state: await state(id),
        recorded: last === undefined ? '' : plain({ ...last, at: '' }, id),
      };
    },
    async close() {
      for (const { close } of talks.values()) await close();
      await end();
    },
  };
}

async function spoken(
  composition: Composition,
  { env }: Session,
  actor: string,
  words: readonly string[],
): Promise<Said> {
  const written = { out: '', err: '' };
  const around = {
    ...{ env, interactive: false, color: false, signal: new AbortController().signal },
    out: (piece: string) => {
      written.out += piece;
    },
    err: (piece: string) => {
      written.err += piece;
    },
  };
  const line = [...(actor === '' ? [] : ['--actor', actor]), '--json', ...words];
  const code = await runCli(line, composition, around);
  return { code, ...written, ...(JSON.parse(written.out) as Pick<Said, 'data' | 'error'>) };
}

/** Ids, commits and times are each item's own. */
export const plain = (value: unknown, id: string): unknown =>
  JSON.parse(
    JSON.stringify(value ?? [])
      .replaceAll(new RegExp(`\\b(T|GOAL|TASK)-${numberOf(id)}\\b`, 'g'), 'ITEM')
      .replace(/\b(T|GOAL)-\d+\b/g, 'OTHER')
      .replace(/[0-9a-f]{12,64}/g, 'HEX')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'),
  );

/** One thing that is tried: how it is typed, and how it is called. */
export interface Tried {
  readonly line: (id: string) => readonly string[];
  readonly tool: string;
  readonly input: (id: string) => Record<string, unknown>;
}

/** The items of one state, each used for as long as what is tried on it is refused. */
export function itemsIn(bring: () => Promise<string>) {
  let id = '';
  return {
    async next(): Promise<string> {
      if (id === '') id = await bring();
      return id;
    },
    /** A word that is taken changes the item as well, even where its state stays. */
    used(told: Told): Told {
      if (told.code === 'done') id = '';
      return told;
    },
  };
}

/**
 * Tries everything as everybody, once on the command line and once through the server, on items in the same state.
 * Answers every pair of answers, and what was done.
 */
export async function compared(
  faces: Faces,
  bring: () => Promise<string>,
  actors: readonly string[],
  tried: Readonly<Record<string, Tried>>,
) {
  const [typed, called] = [itemsIn(bring), itemsIn(bring)];
  const pairs: (readonly [string, Told, Told])[] = [];
  for (const actor of actors) {
    for (const [name, { line, tool, input }] of Object.entries(tried)) {
      const one = await typed.next();
      const { code, error } = await faces.say(actor, ...line(one));
      const byLine = typed.used(await faces.told(one, code === 0 ? undefined : (error as Partial<Told>)));
      const other = await called.next();
      const answer = await faces.call(actor, tool, input(other));
      const byTool = called.used(await faces.told(other, answer.isError ? answer.data : undefined));
      pairs.push([`${name} by ${actor}`, byLine, byTool]);
    }
  }
  return { pairs, done: pairs.flatMap(([what, { code }]) => (code === 'done' ? [what] : [])) };
}
