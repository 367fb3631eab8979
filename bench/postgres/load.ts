import type { Commit, Store } from '../../src/store/store.ts';

/** One event of about the size of a move, and the row of its item. */
const BODY = JSON.stringify({ type: 'moved', data: { from: 'A', to: 'B', filler: 'x'.repeat(350) } });

export interface Load {
  readonly clients: number;
  /** All on one item, or each on its own. */
  readonly one: boolean;
  readonly seconds: number;
  /** Makes the names of commands and items unlike those of other loads. */
  readonly name: string;
}

/**
 * Transitions as the engine writes them: read the head, append behind it, move the row. Those on one item wait for each
 * other in the process, as in a server, instead of overtaking one another. Answers how long each took, in ms.
 */
export async function drive(store: Store, load: Load): Promise<readonly number[]> {
  const until = performance.now() + load.seconds * 1_000;
  const taken: number[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  const client = async (n: number) => {
    const item = load.one ? 0 : n;
    for (let done = 0; performance.now() < until; ) {
      const began = performance.now();
      const work = () => move(store, load, `${n}-${done}`, item);
      const moved = load.one ? turn.then(work) : work();
      turn = moved;
      if (!(await moved)) continue;
      done += 1;
      taken.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: load.clients }, (_, n) => client(n)));
  return taken;
}

async function move(store: Store, load: Load, command: string, item: number): Promise<boolean> {
  const { version } = await store.head(`item/${load.name}-${item}`);
  const result = await store.commit(moveOf(load, command, item, version));
  return result.kind === 'committed';
}

/** The move of an item that stands at a version. */
export function moveOf({ name }: Pick<Load, 'name'>, command: string, item: number, version: number): Commit {
  const stream = `item/${name}-${item}`;
  const state = version % 2 === 0 ? 'A' : 'B';
  const row = { id: stream, number: numberOf(name, item), list: 'main', kind: 'code', protocol: 'p', state };
  return {
    commandId: `${name}-${command}-${version}`,
    appends: [{ stream, expected: version, bodies: [BODY] }],
    readSet: [{ stream: 'roster', version: 0 }],
    items: [
      {
        ...{ ...row, category: state, title: 'An item', assignee: '', version: version + 1 },
        ...{ updatedAt: '2026-01-01T00:00:00.000Z', dueAt: '', legacy: false, overdueAt: '', failures: 0 },
      },
    ],
    ...{ links: [], jobs: [], fences: [] },
  };
}

/** Loads have numbers of their own: a hash of the name, then the item. */
function numberOf(name: string, item: number): number {
  let hash = 7;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return hash * 1_000 + item + 1;
}
