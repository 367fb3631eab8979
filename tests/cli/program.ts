import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Scratch, scratch } from '../fixtures/scratch-repo.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** The start file as it is shipped, in a throw-away folder. */
export interface Program {
  readonly path: string;
  remove(): void;
}

/** Built once for all files of a run, which share it; by whoever needs it first. */
export function buildProgram(): Program {
  const { COUNTERSIGN_TEST_RUN: run = '' } = process.env;
  if (run === '') return built(mkdtempSync(join(tmpdir(), 'countersign-program-')));
  const folder = join(run, 'program');
  if (!existsSync(folder)) share(built(mkdtempSync(join(run, 'program-'))), folder);
  return programIn(folder, () => {});
}

/** Another file may have been quicker. */
function share({ folder, remove }: Program & { readonly folder: string }, at: string): void {
  try {
    renameSync(folder, at);
  } catch (error) {
    if (!existsSync(at)) throw error;
    remove();
  }
}

const programIn = (folder: string, remove: () => void) => ({
  folder,
  path: join(folder, 'dist/bin/countersign.cjs'),
  remove,
});

function built(folder: string) {
  // As in the package: the program two folders below it, the pages beside.
  const directory = join(folder, 'dist/bin');
  const script = `import { bundle } from './scripts/bundle.mjs';
await bundle({ entry: 'src/main.ts', directory: ${JSON.stringify(directory)}, version: '0.0.0-test' });`;
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT });
  for (const name of ['node_modules', 'docs']) symlinkSync(join(ROOT, name), join(folder, name));
  return programIn(folder, () => rmSync(folder, { recursive: true }));
}

export interface Told {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The one JSON document of an answer. */
export interface Said extends Told {
  readonly ok: boolean;
  readonly data: { readonly [key: string]: unknown };
  readonly error: { readonly [key: string]: unknown; readonly code: string; readonly message: string };
}

/** A repository, in a path with a space, with a state folder of its own; commands run as real processes. */
export interface Desk {
  readonly repo: Scratch;
  readonly state: string;
  run(...words: readonly string[]): Told;
  runIn(cwd: string, words: readonly string[], env?: NodeJS.ProcessEnv): Told;
  say(...words: readonly string[]): Said;
  remove(): void;
}

/** Passes as soon as the work says that it is done. */
export const CRITERIA = `schema: countersign/criteria/1
name: default
checks:
  - {id: done, kind: file, path: work.txt, contains: done}
`;

/** Nobody has to be asked at a terminal. */
export const CONFIG = 'settings: {acknowledge: orchestrator}\n';

export function emptyDesk(program: Program): Desk {
  const repo = scratch({ name: 'a repo' });
  const state = join(repo.root, 'state');
  const base = { PATH: process.env.PATH, HOME: repo.root, XDG_STATE_HOME: state, GIT_CONFIG_NOSYSTEM: '1' };
  const runIn = (cwd: string, words: readonly string[], env: NodeJS.ProcessEnv = {}): Told => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program.path, ...words], {
      cwd,
      env: { ...base, ...env },
      encoding: 'utf8',
      input: '',
    });
    return { code: status, out: stdout, err: stderr };
  };
  const run = (...words: readonly string[]) => runIn(repo.top, words);
  return {
    repo,
    state,
    run,
    runIn,
    say: (...words) => documentOf(run('--json', ...words)),
    remove: () => repo.remove(),
  };
}

/** A desk with a store, committed criteria and configuration, on a branch for the work. */
export function openDesk(program: Program, files: Readonly<Record<string, string>> = {}): Desk {
  const desk = emptyDesk(program);
  desk.repo.commit({
    '.countersign/criteria/default.yaml': CRITERIA,
    '.countersign/config.yaml': CONFIG,
    ...files,
  });
  desk.run('init', '--owner', 'ada');
  desk.repo.git('checkout', '-q', '-b', 'work');
  return desk;
}

/** Throws unless stdout is exactly one JSON document of the known schema. */
export function documentOf(told: Told): Said {
  const document = JSON.parse(told.out) as Said & { schema: string };
  if (document.schema !== 'countersign/cli/1' || told.out.trim().includes('\n')) throw new Error(told.out);
  return { ...told, ...document };
}
