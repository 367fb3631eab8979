import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Crew } from './crew.ts';

/** A repository beside that of a crew, to be taken in as a submodule; `commit` gives its one file a text, and answers the commit. */
export function libraryOf(
  { git, write, session }: Crew,
  name: string,
): { readonly lib: string; commit(text: string): string } {
  const lib = join(session.repo.root, name);
  mkdirSync(lib);
  git(lib, 'init', '-q', '-b', 'main');
  const commit = (text: string) => {
    write(join(lib, 'lib.js'), text);
    git(lib, 'add', '-A');
    git(lib, 'commit', '-q', '-m', text.trim());
    return git(lib, 'rev-parse', 'HEAD').trim();
  };
  return { lib, commit };
}
