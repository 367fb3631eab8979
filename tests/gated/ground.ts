import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Desk, openDesk, type Program, type Told } from '../cli/program.ts';
import { runIn } from '../fixtures/scratch-repo.ts';

/** A desk with a store, and a bare repository behind a gate that it pushes to. */
export interface Ground {
  readonly desk: Desk;
  /** The bare repository. */
  readonly server: string;
  /** The public key of the desk's runner, and the two halves of a person's. */
  readonly keys: { readonly runner: string; readonly person: string; readonly personPublic: string };
  git(...args: readonly string[]): string;
  /** Pushes, whatever comes of it. */
  push(...args: readonly string[]): Told;
  pushWith(env: NodeJS.ProcessEnv, ...args: readonly string[]): Told;
  /** What stands at a ref of the server, '' for nothing. */
  at(ref: string): string;
  /** Has HEAD verified for a new item, and answers its name; the pack goes nowhere. */
  verified(): string;
  /** Makes a branch from a commit with these files, and has it verified. Answers item and commit. */
  change(branch: string, from: string, files: Readonly<Record<string, string>>): Work;
  /** Everything as it was when the gate was armed. */
  reset(): void;
  remove(): void;
}

export interface Work {
  readonly item: string;
  readonly commit: string;
}

/** The desk's main branch is on the server, and the gate is armed for it. */
export function openGround(program: Program, files: Readonly<Record<string, string>> = {}): Ground {
  const desk = openDesk(program, { 'work.txt': 'done\n', ...files });
  const server = join(desk.repo.root, 'a server.git');
  runIn(desk.repo.root, ['init', '-q', '--bare', '-b', 'main', server]);
  const git = (...args: readonly string[]) => desk.repo.git(...args);
  git('remote', 'add', 'origin', `file://${server}`);
  git('push', '-q', 'origin', 'main');
  const keys = keysOf(desk);
  const armed = desk.runIn(server, [
    'gate-push',
    '--install',
    '--key',
    keys.runner,
    '--override-key',
    keys.personPublic,
  ]);
  if (armed.code !== 0) throw new Error(armed.err);
  return groundOf(desk, server, keys);
}

function groundOf(desk: Desk, server: string, keys: Ground['keys']): Ground {
  const { repo } = desk;
  const git = (...args: readonly string[]) => repo.git(...args);
  const kept = repo.keep();
  const pushWith = (env: NodeJS.ProcessEnv, ...args: readonly string[]): Told => {
    const base = { PATH: process.env.PATH, HOME: repo.root, GIT_CONFIG_NOSYSTEM: '1' };
    const options = { cwd: repo.top, env: { ...base, ...env }, encoding: 'utf8' as const };
    const { status, stdout, stderr } = spawnSync('git', ['push', ...args], options);
    return { code: status, out: stdout, err: stderr };
  };
  const verified = () => {
    const item = String(told(desk.say('add', `Work ${git('rev-parse', '--short', 'HEAD')}`)).data.id);
    told(desk.say('claim', item));
    told(desk.say('verify', item));
    return item;
  };
  return {
    desk,
    server,
    keys,
    git,
    pushWith,
    push: (...args) => pushWith({}, ...args),
    at: (ref) => runIn(server, ['for-each-ref', '--format=%(objectname)', ref]),
    verified,
    change(branch, from, files) {
      git('checkout', '-q', '-b', branch, from);
      const commit = repo.commit(files, branch);
      return { item: verified(), commit };
    },
    reset: () => kept.restore(),
    remove() {
      kept.remove();
      desk.remove();
    },
  };
}

/** The push was refused by us, for this reason. */
export function expectRefused(said: Told, because: RegExp): void {
  expect(said.err).toMatch(because);
  expect(said.err).toContain('pre-receive hook declined');
  expect(said.code).not.toBe(0);
}

function told<T extends Told>(said: T): T {
  if (said.code === 0) return said;
  throw new Error(`exit ${said.code}: ${said.out}${said.err}`);
}

function keysOf({ repo, say }: Desk) {
  const path = (name: string, text: string) => {
    writeFileSync(join(repo.root, name), text, { mode: 0o600 });
    return join(repo.root, name);
  };
  const [key] = say('audit', 'keys', '--purpose', 'runner').data as unknown as { publicPem: string }[];
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    runner: path('runner.pem', key?.publicPem ?? ''),
    person: path('person.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    personPublic: path('person.pub', publicKey.export({ type: 'spki', format: 'pem' }).toString()),
  };
}

/** The private key with which the desk's runner signs, as somebody of the same user can read it. */
export function runnerKey({ state }: Desk): string {
  const folder = join(state, 'countersign');
  const [place = ''] = readdirSync(folder);
  return readFileSync(join(folder, place, 'keys', 'runner.pem'), 'utf8');
}
