import type { TreeEntry } from './blob.ts';
import { objectId } from './tree-hash.ts';
import { WorkspaceError } from './workspace-error.ts';

/** Takes the output of `git cat-file --batch` apart as it comes. */
export interface BatchReader {
  push(chunk: Buffer): void;
  /** Throws MISSING_OBJECT when an object did not come. */
  end(): void;
}

/**
 * Hands over each asked blob, in order, after comparing its hash with its id.
 * Throws TREE_MISMATCH for another content, MISSING_OBJECT for an absent object.
 */
export function batchReader(
  asked: readonly TreeEntry[],
  onBlob: (entry: TreeEntry, content: Buffer) => void,
): BatchReader {
  let chunks: Buffer[] = [];
  let have = 0;
  let needed = 0;
  let next = 0;
  const take = () => {
    let buffer = Buffer.concat(chunks);
    for (let entry = asked[next]; entry !== undefined; entry = asked[next]) {
      const line = buffer.indexOf(10);
      if (line < 0) break;
      const size = sizeOf(buffer.toString('utf8', 0, line), entry);
      const end = line + 1 + size;
      if (buffer.length < end + 1) {
        needed = end + 1;
        break;
      }
      onBlob(entry, checked(entry, Buffer.from(buffer.subarray(line + 1, end))));
      buffer = buffer.subarray(end + 1);
      needed = 0;
      next += 1;
    }
    chunks = [buffer];
    have = buffer.length;
  };
  return {
    push(chunk) {
      chunks.push(chunk);
      have += chunk.length;
      // Large blobs come in thousands of chunks: they are joined once, when all of one is there.
      if (have >= needed) take();
    },
    end() {
      const missing = asked[next];
      if (missing !== undefined) throw absent(missing);
    },
  };
}

function sizeOf(line: string, entry: TreeEntry): number {
  const [oid, type, size = ''] = line.split(' ');
  if (oid !== entry.oid || type !== 'blob' || !/^\d+$/.test(size)) throw absent(entry);
  return Number(size);
}

function checked(entry: TreeEntry, content: Buffer): Buffer {
  if (objectId('blob', content, entry.oid.length) === entry.oid) return content;
  throw new WorkspaceError(
    'TREE_MISMATCH',
    `${JSON.stringify(entry.path)} does not have the content that its id names.`,
  );
}

const absent = (entry: TreeEntry) =>
  new WorkspaceError(
    'MISSING_OBJECT',
    `The repository lacks the object ${entry.oid} of ${JSON.stringify(entry.path)}.`,
  );
