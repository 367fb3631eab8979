import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { digestFolder } from './folder-digest.ts';
import type { Seal } from './memory.ts';
import { removeFolder } from './remove-folder.ts';

/** The name of a cache entry: everything that decides what an installer writes where `isCacheable` holds. */
export async function moduleKey(checkout: string, lockfile: string, program: string): Promise<string> {
  const hash = createHash('sha256');
  hash.update(JSON.stringify(['modules/1', program, process.version, process.platform, process.arch]));
  const deciding = (await walk(checkout, '')).filter((path) =>
    /(^|\/)(package\.json|\.npmrc|\.yarnrc(\.yml)?)$/.test(path),
  );
  for (const path of [lockfile, 'pnpm-workspace.yaml', ...deciding.sort()]) {
    const content = await readFile(join(checkout, path)).catch(() => Buffer.alloc(0));
    hash.update(JSON.stringify([path, createHash('sha256').update(content).digest('hex')]));
  }
  return hash.digest('hex');
}

/**
 * Copies an entry into the checkout. False when there is none, or when it is not what was stored, or was stored by
 * somebody without the seal: then it is dropped.
 */
export async function restoreModules(
  cache: string,
  key: string,
  checkout: string,
  seal: Seal | undefined,
): Promise<boolean> {
  const entry = join(cache, key);
  const stored = await readFile(join(entry, 'entry.json'), 'utf8').then(parseEntry, () => undefined);
  if (stored === undefined) return false;
  if (seal !== undefined && !seal.holds(sealed(key, stored), stored.mark)) {
    await removeFolder(entry);
    return false;
  }
  try {
    for (const path of stored.folders) await copy(join(entry, 'content', path), join(checkout, path));
    // The copy is judged and not the entry, so that nothing can change between the look and the use.
    if ((await digestAll(checkout, stored.folders)) === stored.digest) return true;
  } catch {
    // An entry that cannot be copied is as useless as a changed one.
  }
  for (const path of stored.folders) await removeFolder(join(checkout, path));
  await removeFolder(entry);
  return false;
}

/** Keeps what the installer wrote. Another process that stored the same key first wins; both are right. */
export async function storeModules(
  cache: string,
  key: string,
  checkout: string,
  seal: Seal | undefined,
): Promise<void> {
  const folders = await moduleFolders(checkout, '');
  await mkdir(cache, { recursive: true, mode: 0o700 });
  const draft = await mkdtemp(join(cache, 'draft-'));
  for (const path of folders) await copy(join(checkout, path), join(draft, 'content', path));
  const made = { folders, digest: await digestAll(checkout, folders) };
  const mark = seal?.mark(sealed(key, made)) ?? '';
  await writeFile(join(draft, 'entry.json'), JSON.stringify({ ...made, mark }));
  await rename(draft, join(cache, key)).catch(() => removeFolder(draft));
}

interface Entry {
  readonly folders: readonly string[];
  readonly digest: string;
  /** The seal's mark, '' where there was none. */
  readonly mark: string;
}

const sealed = (key: string, { folders, digest }: Omit<Entry, 'mark'>) =>
  JSON.stringify(['modules/1', key, folders, digest]);

function parseEntry(text: string): Entry | undefined {
  const entry: unknown = JSON.parse(text);
  if (typeof entry !== 'object' || entry === null || !('folders' in entry) || !('digest' in entry))
    return undefined;
  const { folders, digest } = entry;
  const mark = 'mark' in entry && typeof entry.mark === 'string' ? entry.mark : '';
  const sound = Array.isArray(folders) && folders.every(isModuleFolder) && typeof digest === 'string';
  return sound ? { folders, digest, mark } : undefined;
}

/** A changed entry must not make us write, or remove, anything but a folder of modules inside the checkout. */
const isModuleFolder = (path: unknown): path is string =>
  typeof path === 'string' &&
  /(^|\/)node_modules$/.test(path) &&
  path.split('/').every((name) => name !== '' && name !== '.' && name !== '..');

async function digestAll(checkout: string, folders: readonly string[]): Promise<string> {
  const lines = [];
  for (const path of folders) lines.push([path, await digestFolder(join(checkout, path))]);
  return createHash('sha256').update(JSON.stringify(lines)).digest('hex');
}

async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to, { recursive: true, verbatimSymlinks: true, errorOnExist: true, force: false });
}

/** Whether a checkout holds any folder of modules before anything was installed. */
export const hasModules = async (checkout: string): Promise<boolean> =>
  (await moduleFolders(checkout, '')).length > 0;

const moduleFolders = async (checkout: string, path: string) =>
  (await walk(checkout, path)).filter((found) => found.endsWith('/')).map((found) => found.slice(0, -1));

/** Files outside of node_modules; the outermost node_modules folders themselves end in a slash. */
async function walk(checkout: string, path: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const item of await readdir(join(checkout, path), { withFileTypes: true })) {
    const inner = path === '' ? item.name : `${path}/${item.name}`;
    if (!item.isDirectory()) found.push(inner);
    else if (item.name === 'node_modules') found.push(`${inner}/`);
    else found.push(...(await walk(checkout, inner)));
  }
  return found;
}
