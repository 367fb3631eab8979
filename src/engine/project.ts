import { basename, join } from 'node:path';
import { sha256Hex } from '../attestation/digest.ts';
import { own } from '../kernel/own.ts';
import { verdictOf } from './accountability.ts';
import { appending } from './appending.ts';
import type { Opened } from './composition.ts';
import { configRead } from './config.ts';
import { type Handle, loadById } from './handle.ts';
import { assertInside } from './inside-tree.ts';
import { nowOf, type Ports } from './ports.ts';
import {
  alone,
  type ProjectedTree,
  type ProjectionState,
  readProjectionState,
  writeProjectionState,
} from './projection-state.ts';
import { bodyOf } from './stored.ts';
import { todoOf } from './todo.ts';

/** A projected file that somebody else changed. `found` is the digest of what was there; it is kept as evidence. */
export interface DriftFound {
  readonly type: 'drift-found';
  readonly at: string;
  readonly by: string;
  readonly path: string;
  readonly expected: string;
  readonly found: string;
}

export const DRIFT = 'drift';

/**
 * Brings the projected files of this working tree up to date, where the project asks for any: the todo list and
 * copies of the proof packs. A foreign edit is recorded, kept as evidence, told, and undone; nothing is ever read
 * from it (2PC-28, 2PC-76). Costs one look for a file where nothing is projected, and never fails a command that
 * has done its work: what could not be written is told, too.
 */
export async function projectChanges(opened: Opened): Promise<readonly string[]> {
  const { ports, places } = opened;
  const config = configRead(ports);
  const before = readProjectionState(places.state);
  const wanted = config?.projections ?? before;
  if (wanted === undefined || (isNone(wanted) && (before === undefined || isNone(before)))) return [];
  try {
    const { todo, proofpacks } = wanted;
    return (await alone(places.state, ports.process, () => project(opened, { todo, proofpacks }))) ?? [];
  } catch (error) {
    return [
      `the projected files were not written: ${error instanceof Error ? error.message : String(error)}`,
    ];
  }
}

type Wanted = Pick<ProjectionState, 'todo' | 'proofpacks'>;

const isNone = ({ todo, proofpacks }: Wanted) => todo === '' && proofpacks === '';

const NOTHING_YET: ProjectedTree = { events: -1, files: {}, writing: {} };

async function project({ ports, places }: Opened, wanted: Wanted): Promise<readonly string[]> {
  const before = readProjectionState(places.state);
  const same = before?.todo === wanted.todo && before.proofpacks === wanted.proofpacks;
  const tree = (same ? before.trees[places.top] : undefined) ?? NOTHING_YET;
  const events = await ports.store.eventCount();
  const drifted = driftIn(ports, tree);
  const missing = Object.keys(tree.files).some((path) => ports.files.readTree(path) === undefined);
  if (events === tree.events && drifted.length === 0 && !missing) return [];
  const texts = await textsOf(ports, wanted);
  const remember = (shown: ProjectedTree) => {
    const trees = { ...(same ? before.trees : {}), [places.top]: shown };
    writeProjectionState(places.state, { ...wanted, trees });
  };
  const files = Object.fromEntries([...texts].map(([path, text]) => [path, sha256Hex(Buffer.from(text))]));
  remember({ ...tree, writing: intended(tree, files) });
  const replaced = [...drifted, ...foreignIn(ports, places.top, tree, texts)];
  // Before anything is replaced, so that no edit can get lost.
  await recordDrift(ports, replaced);
  for (const [path, text] of texts) {
    if (ports.files.readTree(path)?.equals(Buffer.from(text)) !== true) ports.files.project(path, text);
  }
  remember({ events: events + replaced.length, files, writing: {} });
  return replaced.map(remark);
}

/** Every digest that may be found in a file although the last projection that ended did not write it. */
function intended({ writing }: ProjectedTree, files: ProjectedTree['files']): ProjectedTree['writing'] {
  const added = Object.entries(files).map(([path, digest]) => [
    path,
    [...(own(writing, path) ?? []), digest],
  ]);
  return { ...writing, ...Object.fromEntries(added) };
}

/** Files of somebody else that were there first: they are kept like an edit. */
function foreignIn(
  ports: Ports,
  top: string,
  tree: ProjectedTree,
  texts: ReadonlyMap<string, string>,
): readonly DriftFound[] {
  return [...texts].flatMap(([path, text]) => {
    assertInside(top, path);
    const found = ports.files.readTree(path);
    const ours = own(tree.files, path) !== undefined || isIntended(tree, path, found);
    return found === undefined || ours || found.equals(Buffer.from(text))
      ? []
      : [driftOf(ports, path, '', found)];
  });
}

const isIntended = ({ writing }: ProjectedTree, path: string, found: Buffer | undefined): boolean =>
  found !== undefined && (own(writing, path) ?? []).includes(sha256Hex(found));

function driftIn(ports: Ports, tree: ProjectedTree): readonly DriftFound[] {
  return Object.entries(tree.files).flatMap(([path, expected]) => {
    const bytes = ports.files.readTree(path);
    return bytes === undefined || sha256Hex(bytes) === expected || isIntended(tree, path, bytes)
      ? []
      : [driftOf(ports, path, expected, bytes)];
  });
}

function driftOf(ports: Ports, path: string, expected: string, bytes: Buffer): DriftFound {
  const found = ports.evidence.put(bytes);
  return { type: 'drift-found', at: nowOf(ports), by: 'engine', path, expected, found };
}

function remark({ path, expected, found }: DriftFound): string {
  const kept = `what was there is kept as evidence ${found.slice(0, 12)}`;
  return expected === ''
    ? `${path} was there before and was replaced by the projection; ${kept}`
    : `${path} was changed outside of Countersign: nothing was taken from it and it was written anew; ${kept}`;
}

/** Puts edits of projected files on record, before anything is replaced. */
export async function recordDrift(ports: Ports, found: readonly DriftFound[]): Promise<void> {
  if (found.length === 0) return;
  const commandId = ports.newId();
  const bodies = found.map((event) => bodyOf(event, commandId));
  await ports.store.commit(appending(commandId, { stream: DRIFT, expected: 'any', bodies }));
}

const PAGE = 500;

/** The text of every projected file. Reads every item: meant for lists of some thousands. */
async function textsOf(ports: Ports, { todo, proofpacks }: Wanted): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  if (isNone({ todo, proofpacks })) return texts;
  const handles: Handle[] = [];
  for (let after = 0; ; ) {
    const rows = await ports.store.allItems(after, PAGE);
    for (const row of rows) handles.push(await loadById(ports, row.id));
    after = rows.at(-1)?.number ?? 0;
    if (rows.length < PAGE) break;
  }
  if (todo !== '') texts.set(todo, `${JSON.stringify(handles.map(todoOf), null, 2)}\n`);
  if (proofpacks !== '') {
    for (const path of handles.flatMap(packsOf)) {
      const bytes = ports.files.read(path);
      if (bytes !== undefined) texts.set(join(proofpacks, basename(path)), bytes.toString('utf8'));
    }
  }
  return texts;
}

/** Paths of the proof packs of every attempt. */
function packsOf({ item }: Handle): readonly string[] {
  const attempts = Array.from({ length: item.attempt }, (_, i) => i + 1);
  return attempts.map((n) => String(verdictOf(item, n)?.facts.proofpack ?? '')).filter((path) => path !== '');
}
