import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** Where a session stood when all was set up: its clock, and how many random bytes it had drawn. */
export interface Stand {
  readonly now: number;
  readonly drawn: number;
}

/** A session as it is right after its set-up, made by the same commands, for all of the run that begin alike. */
export interface Model {
  /** Lays its repository and all beside it into an empty folder; undefined while nobody has kept it. */
  layInto(root: string): Stand | undefined;
  keep(root: string, stand: Stand): void;
}

/** The model of a set-up; undefined outside a run, where nothing is shared. */
export function modelFor(setting: object): Model | undefined {
  const { COUNTERSIGN_TEST_RUN: run = '' } = process.env;
  if (run === '') return undefined;
  const folder = join(run, createHash('sha256').update(JSON.stringify(setting)).digest('hex'));
  return {
    layInto(root) {
      if (!existsSync(folder)) return undefined;
      copy(join(folder, 'root'), root);
      return JSON.parse(readFileSync(join(folder, 'stand.json'), 'utf8')) as Stand;
    },
    keep(root, stand) {
      const made = mkdtempSync(join(run, 'model-'));
      copy(root, join(made, 'root'));
      writeFileSync(join(made, 'stand.json'), JSON.stringify(stand));
      try {
        renameSync(made, folder);
      } catch (error) {
        // Another file may have been quicker.
        if (!existsSync(folder)) throw error;
        rmSync(made, { recursive: true });
      }
    },
  };
}

/** Where what a session came to lies, one such place for each of those who run tests at once; undefined outside a run. */
export function kept(what: object): { readonly root: string; readonly model: Model } | undefined {
  const { COUNTERSIGN_TEST_RUN: run = '', VITEST_POOL_ID: pool = '' } = process.env;
  if (run === '' || pool === '') return undefined;
  const name = createHash('sha256').update(JSON.stringify(what)).digest('hex').slice(0, 12);
  const root = join(realpathSync(run), `ws ${pool} ${name}`);
  const model = modelFor({ what, root });
  return model === undefined ? undefined : { root, model };
}

const copy = (from: string, to: string) =>
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
