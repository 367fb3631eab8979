import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { bringCommits, type LookedIn, NOWHERE } from './bring-commits.ts';
import { adaptersFor, type Ground, VERSION } from './compose.ts';
import { appliedOnce, type Request } from './engine/applied-once.ts';
import type { Composition, Credentials, HumanAnswer, HumanQuestion, Opened } from './engine/composition.ts';
import { readConfig } from './engine/config.ts';
import { delegating } from './engine/delegating.ts';
import { EngineError } from './engine/engine-error.ts';
import type { FilePort, GitPort } from './engine/ports.ts';
import type { SignedIn } from './engine/sign-in.ts';
import { folderMark } from './folder-mark.ts';
import { headOf } from './head-of.ts';
import { startFiles } from './installed.ts';
import { placesOf } from './open-store.ts';
import { filesOf, packsAlone, reachFrom, workingOf } from './visitor-files.ts';
import { locateRepository, type Repository } from './workspace/repository.ts';

/** A client, as its adapters are made. */
export interface Visitor {
  readonly who: SignedIn;
  readonly level: string;
  /** Where the client stands, '' where it has no folder of this repository. */
  readonly cwd: string;
  /** What its file system says of that folder, '' where it was not told. */
  readonly folder: string;
  /** Its HEAD, '' where it was not told. */
  readonly head: string;
  /** The commits that it speaks of, as it calls them. */
  readonly about: readonly string[];
  readonly files: ReadonlyMap<string, Buffer>;
  /** What the client's process could reach of the store, undefined where it did not try. */
  readonly reached: readonly string[] | undefined;
  readonly give: {
    readonly file: (path: string, content: Uint8Array) => void;
    readonly token: (actor: string, token: string) => void;
  };
  readonly ask: (question: HumanQuestion) => Promise<HumanAnswer>;
  /** The id under which the client may ask again; undefined for none. */
  readonly request: Request | undefined;
}

export interface Visit extends Composition {
  /** What keeps the answer of the request; undefined before the store was opened, and for a request without an id. */
  readonly once: () => ReturnType<typeof appliedOnce> | undefined;
}

/** What a server stands on, and its adapters for a folder, which are made once: what git was asked is not asked again. */
export interface Standing extends Omit<Ground, 'cwd'> {
  adapters(repo: Repository, cwd: string): Opened;
  /** Brings commits that a client speaks of. Answers the remote that could not be looked in, '' for none. */
  bring(git: Pick<GitPort, 'namedCommit'>, names: readonly string[]): Promise<string>;
}

const MOST_FOLDERS = 64;

export function standingOn(ground: Omit<Ground, 'cwd'>, lookedIn: LookedIn = NOWHERE): Standing {
  const made = new Map<string, Opened>();
  return {
    ...ground,
    adapters(repo, cwd) {
      const key = `${repo.gitDir}\n${cwd}`;
      const known = made.get(key) ?? adaptersFor({ ...ground, repo, cwd });
      if (made.size >= MOST_FOLDERS) made.clear();
      made.set(key, known);
      return known;
    },
    bring: (git, names) => bringCommits(lookedIn, ground.repo, git, names),
  };
}

/** The composition of one client of a server: its own credential and files, the server's store. */
export function visit(ground: Standing, visitor: Visitor): Visit {
  const { who, level, give, ask, request } = visitor;
  const { repo: own } = ground;
  const stands = standing(own, visitor);
  const repo = stands ?? own;
  const cwd = stands === undefined ? own.top : visitor.cwd;
  const base = ground.adapters(repo, cwd);
  const { head, about } = visitor;
  const isElsewhere = stands === undefined && (head !== '' || visitor.cwd !== '');
  const reach = reachFrom(repo, cwd);
  const files = filesOf(visitor.files, isElsewhere ? packsAlone(repo, reach) : reach, give.file);
  let missed = '';
  const git =
    stands === undefined && head !== '' ? headOf(base.ports.git, head, () => missed) : base.ports.git;
  const store = delegating(ground.store, { close: async () => {} });
  const readWorking = (path: string) => workingOf(files, path);
  const port: FilePort = { ...base.ports.files, readWorking };
  const ports = { ...base.ports, store, git, files: port, protectionLevel: level };
  const once = request === undefined ? undefined : appliedOnce(ports, request);
  const opened: Opened = {
    ...base,
    ports: once ?? ports,
    credentials: shown(base.credentials, who, give.token),
  };
  return {
    version: VERSION,
    program: startFiles(),
    locate: () => placesOf(repo),
    config: () => readConfig({ git }),
    files,
    protection: () => ({ level, served: true, reached: visitor.reached }),
    askPassphrase: async () => undefined,
    ask: async (question) => (who.kind === 'person' ? ask(question) : NOT_A_PERSON),
    async open() {
      if (stands === undefined) missed = await ground.bring(git, about);
      return opened;
    },
    stores: () => notServed('a store is moved on the machine of its server', 'countersign store, there'),
    create: () => notServed('a store is made on the machine of its server', 'countersign init, there'),
    once: () => once,
  };
}

/** What needs the machine of the store itself. */
function notServed(because: string, hint: string): never {
  throw new EngineError('NOT_SERVED', because, hint);
}

const NOT_A_PERSON: HumanAnswer = {
  ok: false,
  code: 'no-terminal',
  because: 'an agent is not asked',
  fix: 'A person runs the same command.',
};

/**
 * The working tree around a client's folder, where this repository knows it: what lies in a folder that a client names may be
 * anybody's, also a `.git` that leads here, and another machine may have a folder of the same path.
 */
function standing(own: Repository, { cwd, folder: mark }: Visitor): Repository | undefined {
  if (!isAbsolute(cwd) || (mark !== '' && folderMark(cwd) !== mark)) return undefined;
  try {
    const folder = realpathSync.native(cwd);
    const tops = [own.top, ...linkedTrees(own.commonDir)];
    for (let at = folder; ; at = dirname(at)) {
      if (tops.includes(at)) {
        const found = locateRepository(at, {});
        return found.commonDir === own.commonDir ? found : undefined;
      }
      // Another repository within a tree is none of ours.
      if (at === dirname(at) || existsSync(join(at, '.git'))) return undefined;
    }
  } catch {
    return undefined;
  }
}

/** Tops of the linked working trees that a repository has on record. */
function linkedTrees(commonDir: string): readonly string[] {
  const folder = join(commonDir, 'worktrees');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const pointer = join(folder, name, 'gitdir');
    if (!existsSync(pointer)) return [];
    const top = dirname(readFileSync(pointer, 'utf8').trim());
    return existsSync(top) ? [realpathSync.native(top)] : [];
  });
}

/** Only what the credential shows: no other token, and no person but the one who signed in. */
function shown(base: Credentials, who: SignedIn, give: (actor: string, token: string) => void): Credentials {
  return {
    ...base,
    here: false,
    read(actor) {
      if (who.kind === 'agent' && who.name === actor) return who.token;
      throw new EngineError('NO_CREDENTIAL', `whoever calls is ${who.name}, and not ${actor}`, ASK_AS(actor));
    },
    hand(actor, token) {
      give(actor, token);
      return 'the folder of the client';
    },
    vouch(person) {
      // Whoever reaches a socket of this user is this user, as on their own command line.
      if (who.kind === 'person' && (who.by === 'socket' || who.name === person)) return;
      throw new EngineError(
        'NO_CREDENTIAL',
        `whoever calls is ${who.name}, and not ${person}`,
        ASK_AS(person),
      );
    },
    keepPassphrase: () => notServed('a passphrase is kept on the machine of the server', 'do it there'),
  };
}

const ASK_AS = (name: string) => `${name} calls with a credential of its own`;
