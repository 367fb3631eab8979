import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, ended } from '../ended.ts';
import type { Desk } from '../workshop.ts';

/** The document that a command prints. */
export interface Told {
  readonly code: number;
  readonly data: { readonly [key: string]: unknown };
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly missing?: readonly { readonly guard: string; readonly because: string }[];
  };
  readonly said: string;
}

/** What a story is told with: commands in anybody's name, and a note of everything that was tried against the rules. */
export interface Table {
  readonly desk: Desk;
  /** A command that has to succeed: else the story could not be told. */
  must(as: string, ...words: readonly string[]): Promise<Told>;
  say(as: string, ...words: readonly string[]): Promise<Told>;
  /** A command against the rules: the product has to refuse it. */
  tries(as: string, ...words: readonly string[]): Promise<void>;
  /** The same by somebody whose state folder holds one token alone, under the names that are given. */
  triesFrom(holder: Holder, as: string, ...words: readonly string[]): Promise<void>;
  /** Something that the rules forbid has happened, or has not; `reason` is why not. */
  kept(is: boolean, reason: string): void;
  /** Breaks the story off where it is not as it says. */
  given(is: boolean, what: string): void;
  /** Registers an agent and keeps its token, as a person or, with `by`, as an agent. */
  registers(by: string, name: string, ...words: readonly string[]): Promise<void>;
  tokenOf(name: string): string;
  file(name: string, text: string): string;
}

/** A state folder with tokens by name. */
export interface Holder {
  readonly name: string;
  readonly tokens: { readonly [actor: string]: string };
}

/** What came of everything that was tried. */
export interface Noted {
  readonly broken: string[];
  readonly refusals: (readonly string[])[];
}

export function tableOn(desk: Desk, bin: string, noted: Noted): Table {
  const note = (told: Told, words: readonly string[]) => {
    if (told.code === 0) noted.broken.push(words.join(' '));
    else if (told.error.code === '') throw new Error(`${words.join(' ')}: ${told.said}`);
    else noted.refusals.push(codesOf(told));
  };
  const say: Table['say'] = async (as, ...words) => toldBy(await desk.cli(as, ...words));
  const must: Table['must'] = async (as, ...words) => {
    const told = await say(as, ...words);
    if (told.code !== 0) throw new Error(`${as} ${words.join(' ')}: ${told.code} ${told.said}`);
    return told;
  };
  return {
    ...{ desk, say, must },
    async tries(as, ...words) {
      note(await say(as, ...words), [as, ...words]);
    },
    async triesFrom(holder, as, ...words) {
      const home = join(desk.root, holder.name);
      layTokens(desk, home, holder.tokens);
      const env = { ...desk.env, XDG_STATE_HOME: home };
      const line = [bin, '--actor', as, '--json', ...words];
      note(toldBy(await ended(process.execPath, line, desk.top, env)), [as, ...words]);
    },
    kept(is, reason) {
      if (is) noted.refusals.push([reason]);
      else noted.broken.push(reason);
    },
    given(is, what) {
      if (!is) throw new Error(`it is not so: ${what}`);
    },
    async registers(by, name, ...words) {
      await must(by, 'actor', 'add', name, ...words);
      await must(by, 'token', 'issue', name);
    },
    tokenOf: (name) => readFileSync(join(tokens(desk), name), 'utf8').trim(),
    file(name, text) {
      const path = join(desk.root, name);
      writeFileSync(path, text);
      return path;
    },
  };
}

function toldBy({ code, out, err }: Ended): Told {
  const none = { data: {}, error: { code: '', message: '' } };
  try {
    return { ...none, ...(JSON.parse(out) as object), code, said: `${out}${err}` };
  } catch {
    return { ...none, code, said: `${out}${err}` };
  }
}

/** The code of a refusal, the guards that stayed closed, and the words that some of them begin with. */
function codesOf({ error }: Told): readonly string[] {
  const [word = ''] = /^(BLOCKED|PHASE_NOT_APPROVED)(?=:)/.exec(error.message) ?? [];
  const guards = (error.missing ?? []).map(({ guard }) => guard);
  return [...new Set([error.code, word, ...guards])].filter((one) => one !== '');
}

/** As the product lays it out: for one user alone. */
function layTokens(desk: Desk, home: string, tokens: Holder['tokens']): void {
  const [repository = ''] = readdirSync(join(String(desk.env.XDG_STATE_HOME), 'countersign'));
  const folder = join(home, 'countersign', repository, 'tokens');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [actor, token] of Object.entries(tokens))
    writeFileSync(join(folder, actor), `${token}\n`, { mode: 0o600 });
}

const tokens = (desk: Desk) => join(placeIn(String(desk.env.XDG_STATE_HOME)), 'tokens');

function placeIn(home: string): string {
  const [repository = ''] = readdirSync(join(home, 'countersign'));
  return join(home, 'countersign', repository);
}
