/** One thing that a machine or repository needs, as it was found. `next` is '' when nothing is to be done. */
export interface Condition {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly says: string;
  readonly next: string;
}

export const ok = (name: string, says: string): Condition => ({ name, status: 'ok', says, next: '' });
export const warn = (name: string, says: string, next: string): Condition => ({
  name,
  status: 'warn',
  says,
  next,
});
export const fail = (name: string, says: string, next: string): Condition => ({
  name,
  status: 'fail',
  says,
  next,
});

/** What could not be looked at has failed, with the error's own words and advice. */
export async function looked(
  name: string,
  look: () => Condition | Promise<Condition>,
  next: string,
): Promise<Condition> {
  try {
    return await look();
  } catch (error) {
    const { message, hint, code } = error as { message?: string; hint?: string; code?: string };
    return fail(name, message ?? String(error), hint || MEND[code ?? ''] || next);
  }
}

/** What helps whatever was looked at. */
const MEND: { readonly [code: string]: string } = {
  GIT_MISSING: 'install git',
  MISSING_OBJECT: 'run: git fetch --refetch --no-filter, or restore the repository from a copy',
  BARE: 'run: git worktree add FOLDER, and work in that folder',
  DAMAGED: 'run: countersign audit verify, or restore the store from a copy',
  UNAVAILABLE: 'see to it that this user can read and write it',
};
