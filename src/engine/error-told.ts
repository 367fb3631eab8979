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
  // The system refused a file: a condition of the machine, no defect.
  if (typeof code === 'string' && syscall !== undefined && REFUSED_BY_SYSTEM.has(code)) {
    const file = path ?? 'a file';
    return {
      code: 'UNAVAILABLE',
      message: message ?? code,
      hint: `see to it that this user can read and write ${file}`,
    };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: 'internal', message: text, hint: 'this is a defect: please report it with these lines' };
}

const REFUSED_BY_SYSTEM = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT']);

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
};
