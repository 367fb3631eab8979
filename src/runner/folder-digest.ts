import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Hex SHA-256 over every path, kind, executable bit and content below a folder; links count by their target. */
export async function digestFolder(folder: string): Promise<string> {
  const hash = createHash('sha256');
  await visit(folder, '', (line) => hash.update(`${line}\n`));
  return hash.digest('hex');
}

async function visit(root: string, path: string, add: (line: string) => void): Promise<void> {
  const names = (await readdir(join(root, path))).sort();
  for (const name of names) {
    const inner = path === '' ? name : `${path}/${name}`;
    const stat = await lstat(join(root, inner));
    if (stat.isDirectory()) {
      add(JSON.stringify(['folder', inner]));
      await visit(root, inner, add);
    } else if (stat.isSymbolicLink()) add(JSON.stringify(['link', inner, await readlink(join(root, inner))]));
    else if (stat.isFile()) {
      const content = createHash('sha256')
        .update(await readFile(join(root, inner)))
        .digest('hex');
      add(JSON.stringify([(stat.mode & 0o111) === 0 ? 'file' : 'program', inner, content]));
    } else add(JSON.stringify(['special', inner]));
  }
}
