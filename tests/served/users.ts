import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Program } from '../cli/program.ts';

/** A user of this machine that has a folder of its own, and starts programs as itself. */
export interface User {
  readonly uid: number;
  readonly home: string;
  run(cwd: string, file: string, words: readonly string[], input?: string): Ran;
  countersign(cwd: string, ...words: readonly string[]): Ran;
  start(cwd: string, ...words: readonly string[]): ReturnType<typeof spawn>;
}

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Whether this process may start programs as somebody else. */
export const isRoot = process.getuid?.() === 0;

/** A folder below which several users have their homes, with a copy of the program that all of them can start. */
export function machine(program: Program) {
  const root = mkdtempSync(join(tmpdir(), 'countersign-users-'));
  chmodSync(root, 0o755);
  const bin = join(root, 'program/dist/bin');
  cpSync(dirname(program.path), bin, { recursive: true });
  const native = 'node_modules/better-sqlite3';
  cpSync(native, join(root, 'program', native), {
    recursive: true,
    dereference: true,
    filter: (path) => !/\/(deps|src|obj\.target)$/.test(path),
  });
  const start = join(bin, 'countersign.cjs');
  open(root);
  return {
    root,
    user(uid: number): User {
      const home = join(root, `user-${uid}`);
      mkdirSync(home, { mode: 0o755 });
      chownSync(home, uid, uid);
      const env = {
        PATH: process.env.PATH,
        HOME: home,
        GIT_AUTHOR_NAME: `u${uid}`,
        GIT_AUTHOR_EMAIL: `u${uid}@localhost`,
        GIT_COMMITTER_NAME: `u${uid}`,
        GIT_COMMITTER_EMAIL: `u${uid}@localhost`,
      };
      const as = (cwd: string) => ({ cwd, env, uid, gid: uid });
      const run: User['run'] = (cwd, file, words, input = '') => {
        const { status, stdout, stderr } = spawnSync(file, words, { ...as(cwd), input, encoding: 'utf8' });
        return { code: status, out: stdout, err: stderr };
      };
      return {
        uid,
        home,
        run,
        countersign: (cwd, ...words) => run(cwd, process.execPath, [start, ...words]),
        start: (cwd, ...words) =>
          spawn(process.execPath, [start, ...words], { ...as(cwd), stdio: ['ignore', 'pipe', 'pipe'] }),
      };
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Everybody may read what is below, and nobody else may write it. */
function open(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      chmodSync(path, 0o755);
      open(path);
    } else if (!entry.isSymbolicLink()) chmodSync(path, 0o755);
  }
}
