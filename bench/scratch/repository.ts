import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { compose, type Seams } from '../../src/compose.ts';
import type { Caller } from '../../src/engine/caller.ts';
import type { Composition, Opened } from '../../src/engine/composition.ts';
import { callerOf } from '../../src/engine/credential.ts';
import { NEW_ITEM } from '../../src/engine/new-item.ts';
import { openItems } from '../../src/engine/open.ts';
import { type Scratch, scratch } from '../../tests/fixtures/scratch-repo.ts';

/** Criteria that every commit meets, in one short process: what is measured or killed is the engine, not the check. */
const CRITERIA = `schema: countersign/criteria/1
name: default
applies_to: [code]
checks:
  - id: the-work-is-there
    kind: command
    run: [test, -s, work.txt]
    report: { format: exit }
`;

/** A throw-away git repository with a store of the product, criteria on main, and work on a branch. */
export interface Bench {
  readonly repository: Scratch;
  readonly top: string;
  /** For processes of the product in this repository; private keys lie below it. */
  readonly env: NodeJS.ProcessEnv;
  compose(seams?: Partial<Seams>): Composition;
  remove(): void;
}

/** Makes one; `files` are committed on main as well. */
export async function benchRepository(files: Readonly<Record<string, string>> = {}): Promise<Bench> {
  const repository = scratch({ name: 'project' });
  const base = { 'README.md': 'scratch\n', '.countersign/criteria/default.yaml': CRITERIA, ...files };
  repository.commit(base, 'base');
  repository.git('checkout', '-q', '-b', 'work');
  repository.commit({ 'work.txt': 'done\n' }, 'the work');
  mkdirSync(join(repository.root, 'state'), { mode: 0o700 });
  const bench = benchOver(repository);
  const { ports } = await bench.compose().create('owner');
  await ports.store.close();
  return bench;
}

function benchOver(repository: Scratch): Bench {
  const state = join(repository.root, 'state');
  const env = { PATH: process.env.PATH, HOME: repository.root, XDG_STATE_HOME: state };
  return {
    ...{ repository, top: repository.top, env, remove: repository.remove },
    compose: (seams = {}) => compose(repository.top, { ...seams, env }),
  };
}

export interface BenchSession extends Opened {
  readonly caller: Caller;
}

/** The store as its owner sees it; close it with `ports.store.close()`. */
export async function sessionOf(bench: Bench, seams: Partial<Seams> = {}): Promise<BenchSession> {
  const opened = await bench.compose(seams).open();
  return { ...opened, caller: await callerOf(opened, '') };
}

const PAGE = 500;

/** Opens so many items through the engine; answers their internal ids in order. */
export async function addItems({ ports, caller }: BenchSession, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const length = Math.min(PAGE, count - ids.length);
    const items = Array.from({ length }, (_, n) => ({
      ...NEW_ITEM,
      title: `Implement part ${ids.length + n + 1}`,
    }));
    ids.push(...(await openItems(ports, caller, items)).map((handle) => handle.id));
  }
  return ids;
}
