import type { TreeEntry } from './blob.ts';
import { WorkspaceError } from './workspace-error.ts';

/** Refuses a listing that could write outside its folder, into a .git, or twice to one place. Throws UNSAFE_TREE. */
export function assertSafeTree(entries: readonly TreeEntry[]): void {
  const seen = new Set<string>();
  for (const { path, mode } of entries) {
    const bad = path.split('/').find((name) => !isSafeName(name));
    if (bad !== undefined) throw unsafe(path, `has the forbidden name ${JSON.stringify(bad)}`);
    if (seen.has(path)) throw unsafe(path, 'is listed twice');
    if (!/^(040000|100644|100755|120000|160000)$/.test(mode))
      throw unsafe(path, `has the unknown mode ${mode}`);
    seen.add(path);
  }
  const leaves = new Set(entries.filter(({ type }) => type !== 'tree').map(({ path }) => path));
  for (const path of seen) {
    const owner = parents(path).find((parent) => leaves.has(parent));
    if (owner !== undefined) throw unsafe(path, `lies below ${JSON.stringify(owner)}, which is no folder`);
  }
}

/** The links that lead out of the checkout, also by way of other links: none of them can be made there. */
export const linksOut = (links: ReadonlyMap<string, string>): readonly string[] =>
  [...links.keys()].filter((path) => leadsOut(links, path));

function leadsOut(links: ReadonlyMap<string, string>, path: string): boolean {
  let todo = path.split('/');
  let at: readonly string[] = [];
  // A loop leads nowhere, so it cannot lead out; the bounds only have to end the walk.
  for (let steps = 0; todo.length > 0 && todo.length < 4096 && steps < 4096; steps += 1) {
    const [name = '', ...rest] = todo;
    const target = links.get([...at, name].join('/'));
    if (target?.startsWith('/') || (name === '..' && at.length === 0)) return true;
    todo = target === undefined ? rest : [...target.split('/'), ...rest];
    if (target === undefined) at = step(at, name);
  }
  return false;
}

function step(at: readonly string[], name: string): readonly string[] {
  if (name === '' || name === '.') return at;
  return name === '..' ? at.slice(0, -1) : [...at, name];
}

function isSafeName(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || name.includes('\0')) return false;
  // What other file systems also take for .git: case, ignored code points, trailing dots and short names.
  const folded = name.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '').toLowerCase();
  return !/^(\.git|git~1)[. ]*(:.*)?$/.test(folded);
}

function parents(path: string): string[] {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}

const unsafe = (path: string, why: string) =>
  new WorkspaceError(
    'UNSAFE_TREE',
    `The tracked path ${JSON.stringify(path)} ${why}; it is not checked out.`,
  );
