/** Errors with a code are expected and speak for themselves; anything else is a defect and says so. */
export function errorTold(error: unknown): { code: string; message: string; hint: string } {
  const { code, message, hint, problems, syscall, path } = error as {
    code?: unknown;
    message?: string;
    hint?: string;
    problems?: string[];
    syscall?: string;
    path?: string;
  };
  if (typeof code === 'string' && error instanceof Error && error.constructor !== Error) {
    const all = problems === undefined ? '' : `\n${problems.map((p) => `  - ${p}`).join('\n')}`;
    return { code, message: `${message ?? ''}${all}`, hint: hint || (HINTS[code] ?? '') };
  }
  const ofSystem = typeof code === 'string' && syscall !== undefined ? toldBySystem(code) : undefined;
  if (ofSystem !== undefined) return { ...ofSystem(path ?? 'a file'), message: message ?? String(code) };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: 'internal', message: text, hint: 'this is a defect: please report it with these lines' };
}

const REFUSED_BY_SYSTEM = new Set(['EACCES', 'EPERM', 'EROFS']);
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT']);
const NO_FILE = new Set(['ENAMETOOLONG', 'ELOOP', 'ENOTDIR', 'EISDIR']);

/** What the system says of a file: a condition of the machine, or a name that can be none here, and no defect. */
function toldBySystem(code: string) {
  if (NO_FILE.has(code)) return () => ({ code: 'BAD_INPUT', hint: 'name a file that is there' });
  if (NO_ROOM.has(code)) return () => ({ code: 'UNAVAILABLE', hint: HINTS.FULL ?? '' });
  if (!REFUSED_BY_SYSTEM.has(code)) return undefined;
  return (file: string) => ({
    code: 'UNAVAILABLE',
    hint: `see to it that this user can read and write ${file}`,
  });
}

/** The next step for errors of rooms that know none. */
const HINTS: { readonly [code: string]: string } = {
  GIT_MISSING: 'install git, then: countersign doctor',
  UNKNOWN_COMMIT: 'see which commits there are: git log --oneline --all',
  NOT_A_REPOSITORY: 'run: git init',
  BARE: 'run: git worktree add FOLDER, and work in that folder',
  BAD_CONFIG: 'mend .countersign/config.yaml and commit it to the default branch',
  DAMAGED: 'run: countersign audit verify, or restore the store from a copy',
  UNAVAILABLE: 'run: countersign doctor',
  OLDER_SCHEMA: 'run: countersign store migrate',
  READ_ONLY: 'run it as the user who owns the store, or let this one write its folder: countersign doctor',
  FULL: 'make room on the disk, and run it again',
  BUSY: 'run it again',
  NEWER_SCHEMA: 'update countersign',
  FILE_FAILED: 'see to it that this user can read and write the path',
  NOT_A_FILE: 'take away what is in its place',
  MISSING_OBJECT: 'run: git fetch --refetch --no-filter, or restore the repository from a copy',
};
