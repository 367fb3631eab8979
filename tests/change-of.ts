import type { BaseFiles, Change, ChangedFile } from '../src/runner/change.ts';

type Files = Readonly<Record<string, string | Buffer>>;

/** The change from one set of files to another, by path. */
export function changeOf(before: Files, after: Files): Change {
  const of = (files: Files, path: string) => {
    const content = Object.hasOwn(files, path) ? files[path] : undefined;
    return content === undefined ? undefined : Buffer.from(content);
  };
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const files = paths.flatMap((path): readonly ChangedFile[] => {
    const [old, now] = [of(before, path), of(after, path)];
    if (old === undefined) return [{ path, status: 'added' }];
    if (now === undefined) return [{ path, status: 'deleted' }];
    return old.equals(now) ? [] : [{ path, status: 'modified' }];
  });
  return {
    baseTree: '',
    files,
    base: baseOf(before),
    before: async (path) => of(before, path),
    after: async (path) => of(after, path),
  };
}

/** These files as a base. */
export const baseOf = (files: Files): BaseFiles => ({
  paths: async () => Object.keys(files),
  read: async (paths) =>
    new Map(
      paths.flatMap((path) => (Object.hasOwn(files, path) ? [[path, Buffer.from(files[path] ?? '')]] : [])),
    ),
});
