import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../src/cli/cli.ts';
import { compose } from '../../src/compose.ts';
import type { Composition, Opened } from '../../src/engine/composition.ts';
import { type Scratch, scratch } from '../fixtures/scratch-repo.ts';

/** What a command answered. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A real repository with its store, its keys in a folder of their own, and the CLI in this process. */
export interface Workshop {
  readonly repo: Scratch;
  readonly folder: string;
  readonly store: string;
  readonly state: string;
  cs(line: string, actor?: string): Promise<Ran>;
  open(): Promise<Opened>;
  /** A second workshop over a copy of repository, store and keys. */
  copy(): Workshop;
  remove(): void;
}

const CRITERIA = {
  default: [{ id: 'done', kind: 'file', path: 'done.txt', contains: 'yes' }],
  strict: [{ id: 'strict', kind: 'file', path: 'strict.txt', contains: 'yes' }],
  unsure: [{ id: 'gone', kind: 'command', run: ['no-such-program'], report: { format: 'exit' } }],
};

export function criteriaFile(name: keyof typeof CRITERIA): string {
  return JSON.stringify({ schema: 'countersign/criteria/1', name, checks: CRITERIA[name] });
}

/** An empty repository with criteria on its first commit. */
export function workshop(): Workshop {
  const repo = scratch();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'countersign audit ')));
  const files = Object.keys(CRITERIA).map((name) => [
    `.countersign/criteria/${name}.yaml`,
    criteriaFile(name as keyof typeof CRITERIA),
  ]);
  repo.commit(Object.fromEntries(files), 'criteria');
  return over(repo, folder);
}

function over(repo: Scratch, folder: string): Workshop {
  const state = join(repo.top, '.git', 'countersign');
  const composition = (): Composition => ({
    ...compose(repo.top, { env: { ...process.env, XDG_STATE_HOME: folder } }),
    // The person at the terminal, who confirms whatever is shown.
    ask: async ({ digest, purpose }) => {
      const id = crypto.randomUUID();
      return { ok: true, proof: { id, digest, purpose, at: new Date().toISOString(), channel: 'terminal' } };
    },
  });
  return {
    repo,
    folder,
    state,
    store: join(state, 'store.db'),
    open: () => composition().open(),
    async cs(line, actor = '') {
      let [out, err] = ['', ''];
      const words = [...(actor === '' ? [] : ['--actor', actor]), ...wordsOf(line)];
      const code = await runCli(words, composition(), {
        env: {},
        out: (text) => {
          out += text;
        },
        err: (text) => {
          err += text;
        },
        interactive: false,
        color: false,
        signal: new AbortController().signal,
      });
      return { code, out, err };
    },
    copy() {
      const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign copy ')));
      const top = join(root, 'repo');
      const keys = join(root, 'keys');
      cpSync(repo.top, top, { recursive: true });
      mkdirSync(keys);
      cpSync(folder, keys, { recursive: true });
      const remove = () => rmSync(root, { recursive: true, force: true });
      return { ...over({ ...repo, root, top, remove }, keys), remove };
    },
    remove() {
      repo.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}

/** Runs a command that must end with this code. */
export async function must(shop: Workshop, line: string, code = 0, actor = ''): Promise<Ran> {
  const ran = await shop.cs(line, actor);
  if (ran.code !== code) throw new Error(`${line} ended with ${ran.code}:\n${ran.out}${ran.err}`);
  return ran;
}
