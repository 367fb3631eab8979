import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { hookFile, ownSetting, toolFolders, writeSetting } from '../../workspace/hook-file.ts';
import { branchOfHead } from '../../workspace/pushed.ts';
import { askAt, gitFolderAt } from '../../workspace/received.ts';
import { EngineError } from '../engine-error.ts';
import {
  type GateContent,
  gateSettingsAt,
  readGateFolder,
  trustedKeysAt,
  writeGateFolder,
} from './gate-folder.ts';

export const HOOK = 'pre-receive';
/** A hook of the server's own runs after ours, under this name beside it. */
const OWN_HOOK = 'pre-receive.local';
const MARK =
  '# countersign gate-push: judges pushes. Written by `countersign gate-push --install`; changes are noticed.';

/** What the hook starts. */
export interface Start {
  readonly node: string;
  readonly program: string;
  readonly path: string;
}

/** The hook. Nothing of the pusher's environment reaches the judge but where the pushed objects wait. */
export const hookText = ({ node, program, path }: Start): string => `#!/bin/sh
${MARK}
own_path="\${PATH-}"
PATH=${quote(path)}
lines=$(cat; echo .) || exit 3
lines=\${lines%.}
printf %s "$lines" | env -i PATH=${quote(path)} LC_ALL=C GIT_QUARANTINE_PATH="\${GIT_QUARANTINE_PATH-}" \\
  ${quote(node)} ${quote(program)} gate-push || exit 3
local_hook="\${0%/*}/${OWN_HOOK}"
PATH="$own_path"
if [ -x "$local_hook" ]; then printf %s "$lines" | "$local_hook" "$@" || exit $?; fi
exit 0
`;

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** What a hook of ours starts; undefined where the text is not exactly one that was written here. */
export function startOf(text: string): Start | undefined {
  const path = /^PATH=('.*')$/m.exec(text)?.[1];
  const [, node, program] =
    /^ {2}('(?:[^']|'\\'')*') ('(?:[^']|'\\'')*') gate-push \|\| exit 3$/m.exec(text) ?? [];
  if (path === undefined || node === undefined || program === undefined) return undefined;
  const start = { node: unquote(node), program: unquote(program), path: unquote(path) };
  return hookText(start) === text ? start : undefined;
}

const unquote = (text: string) => text.slice(1, -1).replaceAll(`'\\''`, "'");

export interface Installation extends Omit<GateContent, 'branches'> {
  readonly folder: string;
  /** Empty: the branch that HEAD names. */
  readonly branches: readonly string[];
  /** The folder of the start files of this program. */
  readonly program: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface Installed {
  readonly gitDir: string;
  readonly hook: string;
  readonly branches: readonly string[];
  readonly keys: number;
  readonly people: number;
}

/** Arms a repository that others push to. Throws ALREADY_INITIALISED for a foreign hook, BAD_INPUT without a key. */
export async function installGate(asked: Installation): Promise<Installed> {
  const gitDir = gitFolderAt(asked.folder);
  const hook = hookFile(gitDir, HOOK);
  if (hook.text !== '' && !hook.text.includes(MARK)) throw foreign(hook.path);
  const settings = gateSettingsAt(gitDir);
  if (settings !== undefined && (asked.branches.length > 0 || asked.proofs !== ''))
    throw new EngineError(
      'BAD_INPUT',
      `${settings} is there already`,
      'change branches and proofs in that file, and install without --branch and --proofs',
    );
  // Looked at first: settings without a hook would protect nothing, and stand in the way of the next try.
  assertSound(asked);
  if (settings !== undefined) await readGateFolder(gitDir);
  if (asked.keys.length === 0 && trustedKeysAt(gitDir).length === 0)
    throw new EngineError(
      'BAD_INPUT',
      'no key is trusted here: nothing could ever be pushed',
      'name the public key of a runner: countersign gate-push --install --key FILE (see: countersign audit keys)',
    );
  const head = branchOfHead(askAt(gitDir, '')).replace(/^refs\/heads\//, '');
  writeGateFolder(gitDir, {
    ...asked,
    branches: asked.branches.length > 0 ? asked.branches : [head || 'main'],
  });
  const { own, keys, people } = await readGateFolder(gitDir);
  mkdirSync(dirname(hook.path), { recursive: true });
  const program = join(asked.program, 'countersign.cjs');
  writeFileSync(
    hook.path,
    hookText({ node: process.execPath, program, path: toolFolders(asked.env.PATH ?? '') }),
  );
  chmodSync(hook.path, 0o755);
  // What the machine or a user sets for all repositories then has no say in which hooks run here.
  writeSetting(gitDir, 'core.hooksPath', dirname(hook.path));
  if (ownSetting(gitDir, 'receive.fsckObjects') === '') writeSetting(gitDir, 'receive.fsckObjects', 'true');
  return { gitDir, hook: hook.path, branches: own.branches, keys: keys.length, people: people.length };
}

/** What will stand in the settings is what whoever judges a push can read. Throws BAD_INPUT. */
function assertSound({ branches, proofs }: Pick<Installation, 'branches' | 'proofs'>): void {
  if (proofs !== '' && !isAbsolute(proofs))
    throw new EngineError(
      'BAD_INPUT',
      `--proofs ${proofs} is not the whole path of a folder`,
      `name it as it is called from everywhere: --proofs ${resolve(proofs)}`,
    );
  if (branches.some((name) => name.trim() === ''))
    throw new EngineError(
      'BAD_INPUT',
      '--branch has no name',
      'name a branch, or leave it out for the one of HEAD',
    );
}

function foreign(path: string): EngineError {
  const own = join(dirname(path), OWN_HOOK);
  const taken = existsSync(own) ? ` (${own} is taken: join the two)` : '';
  return new EngineError(
    'ALREADY_INITIALISED',
    `${path} is a hook of somebody else, and is left as it is`,
    `to run it after ours: mv ${path} ${own} && countersign gate-push --install${taken}`,
  );
}
