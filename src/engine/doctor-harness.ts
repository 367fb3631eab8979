import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Composition } from './composition.ts';
import { type Condition, fail, ok, warn } from './condition.ts';
import { EngineError } from './engine-error.ts';
import { claudeCodeFiles, type Installation } from './harness/claude-code.ts';
import { installationAt } from './harness/installation.ts';
import { VERIFIER_AGENT } from './harness/names.ts';
import { planned } from './harness/plan.ts';
import { workflowOf } from './harness/workflow.ts';

const NAME = 'claude-code';
const INIT = `countersign init --with ${NAME}`;

/** What each hook is there for, in the words of a person who has to decide about it. */
const PROTECTS =
  'todo lists cannot close what is not verified; the store, criteria, hooks and tokens are kept from edits; a turn does not end on an unproved claim';

/** Claude Code, where it is used here: hooks present, armed, current, and what they protect. nothing to say where it is not. */
export async function claudeCode(
  composition: Pick<Composition, 'locate' | 'program' | 'config'>,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Condition> {
  const { top } = composition.locate();
  const settings = ['.claude/settings.json', '.claude/settings.local.json'].map((path) =>
    readJson(top, path),
  );
  const texts = JSON.stringify(settings);
  const present = /countersign-hook/.test(texts);
  if (!present)
    return existsSync(join(top, '.claude')) || existsSync(join(top, 'CLAUDE.md'))
      ? warn(NAME, 'is used here, and no hooks of Countersign are there: its sessions are not reminded', INIT)
      : ok(NAME, 'not used here');
  const off = switchedOff([
    ...settings,
    readJson(env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? '/', '.claude'), 'settings.json'),
  ]);
  if (off !== '') return fail(NAME, off, 'take it out');
  const builder = /--actor ([a-z0-9][a-z0-9._-]*)/.exec(texts)?.[1] ?? 'builder';
  const missing = startFile(texts);
  if (missing !== '')
    return fail(NAME, `the hooks name ${missing}, which is not there: nothing is protected`, INIT);
  const pair = { builder, verifier: verifierOf(top) };
  const workflow = workflowOf((await composition.config()).protocol);
  const installation = installationAt(top, composition.program, pair, workflow);
  const stale = staleIn(top, installation);
  if (stale instanceof EngineError) return fail(NAME, stale.message, stale.hint);
  if (stale.length > 0) return warn(NAME, `${stale.join(', ')} are not as this version writes them`, INIT);
  return ok(
    NAME,
    `hooks present, armed and current: ${PROTECTS}. They remind, a process of this user can get past them`,
  );
}

/** What in the settings of the project or the user takes the hooks or the servers away, '' where nothing does. */
function switchedOff(settings: readonly ({ readonly [name: string]: unknown } | undefined)[]): string {
  for (const name of ['disableAllHooks', 'allowManagedHooksOnly'])
    if (settings.some((one) => one?.[name] === true))
      return `all hooks are switched off (${name}): nothing is protected`;
  const servers = settings.flatMap((one) => one?.disabledMcpjsonServers ?? []);
  const gone = ['countersign', VERIFIER_AGENT].filter((name) => servers.includes(name));
  return gone.length === 0
    ? ''
    : `${gone.join(', ')} switched off (disabledMcpjsonServers): its tools are not there`;
}

/** The files that are not as this version writes them, or why that cannot be told. */
function staleIn(top: string, installation: Installation): readonly string[] | EngineError {
  try {
    return planned(top, claudeCodeFiles(installation), 'withOurs').map(({ path }) => path);
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
}

/** The program that an entry starts, where it is not there; '' where it is, or is found by its name. */
function startFile(texts: string): string {
  const [, path = ''] = /node '([^']+countersign-hook\.cjs)'/.exec(texts) ?? [];
  return path === '' || existsSync(path) ? '' : path;
}

function verifierOf(top: string): string {
  const servers = readJson(top, '.mcp.json')?.mcpServers;
  const text = JSON.stringify((servers as { [name: string]: unknown } | undefined)?.[VERIFIER_AGENT] ?? {});
  return /"--actor","([^"]+)"/.exec(text)?.[1] ?? 'verifier';
}

function readJson(top: string, path: string): { [name: string]: unknown } | undefined {
  try {
    return JSON.parse(readFileSync(join(top, path), 'utf8')) as { [name: string]: unknown };
  } catch {
    return undefined;
  }
}
