import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hookFile, isOurs, openToOthers, ownSetting, tryHook } from '../../workspace/hook-file.ts';
import { refsBelow } from '../../workspace/pushed.ts';
import { askAt, gitFolderAt } from '../../workspace/received.ts';
import { type Condition, fail, ok, warn } from '../condition.ts';
import { GATE_FOLDER, readGateFolder } from './gate-folder.ts';
import { HOOK, startOf } from './install.ts';
import { isNamed } from './policy.ts';

const NAME = 'gate';
const INSTALL = 'run there: countersign gate-push --install';

/**
 * Whether the gate of a repository that others push to is armed: the hook is ours and unchanged, git runs it, it trusts
 * a key, and it was seen to refuse the deletion of a protected branch. Throws NOT_A_REPOSITORY, BAD_CONFIG.
 */
export async function armedAt(folder: string): Promise<Condition> {
  const gitDir = gitFolderAt(folder);
  const hook = hookFile(gitDir, HOOK);
  const start = startOf(hook.text);
  if (hook.text === '') return warn(NAME, `not armed: ${gitDir} has no ${HOOK} hook`, INSTALL);
  if (start === undefined)
    return warn(
      NAME,
      `not armed: ${hook.path} is not as countersign wrote it`,
      `look at it; then ${INSTALL}`,
    );
  if (!hook.executable)
    return fail(NAME, `not armed: ${hook.path} is not executable`, `run: chmod +x ${hook.path}`);
  const gone = [start.node, start.program].find((path) => !existsSync(path));
  if (gone !== undefined) return fail(NAME, `every push is refused: ${gone} is gone`, INSTALL);
  const { own, keys } = await readGateFolder(gitDir);
  if (keys.length === 0)
    return fail(NAME, 'every push is refused: no key is trusted', `${INSTALL} --key FILE`);
  if (ownSetting(gitDir, 'core.hooksPath') !== dirname(hook.path))
    return warn(NAME, 'armed, and a setting of the machine or user may turn its hooks off', INSTALL);
  const open = [hook.path, dirname(hook.path), join(gitDir, GATE_FOLDER)].find(openToOthers);
  if (open !== undefined)
    return fail(NAME, `others than its owner can write ${open}`, `run: chmod go-w ${open}`);
  if (!isOurs(hook.path))
    return warn(
      NAME,
      `${hook.path} is as countersign wrote it; it is another user's, and was not tried`,
      'whoever keeps the repository runs there: countersign gate-push --check',
    );
  return tried(gitDir, hook.path, own.branches);
}

/** A deletion is never taken, and a hook changes nothing: it can be asked at any time. */
function tried(gitDir: string, hook: string, branches: readonly string[]): Condition {
  const standing = refsBelow(askAt(gitDir, ''), 'refs/heads/', 1_000);
  const one = standing.find(({ ref }) => isNamed(branches, ref.slice('refs/heads/'.length)));
  const told = branches.join(', ') || 'what the policy names';
  if (one === undefined)
    return warn(
      NAME,
      `armed for ${told}; none of them is there yet, so it was not tried`,
      'push the first commit',
    );
  const { code, said } = tryHook(gitDir, hook, `${one.id} ${'0'.repeat(one.id.length)} ${one.ref}\n`);
  if (code === 3 && said.includes('is not deleted by a push'))
    return ok(NAME, `armed for ${told}: ${hook} refused to delete ${one.ref} when it was tried`);
  const last = said.trim().split('\n').at(-1) ?? '';
  return fail(NAME, `${hook} did not refuse to delete ${one.ref} (exit ${code}): ${last}`, INSTALL);
}
