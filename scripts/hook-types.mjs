// node scripts/hook-types.mjs: holds the output of the hooks, and what they read, against the types that the coding agent's
// own package publishes. Only its declarations are looked at: the package comes with programs of hundreds of megabytes.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const PACKAGE = '@anthropic-ai/claude-agent-sdk@0.3.332';
const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'countersign-hook-types-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

execFileSync('npm', ['pack', PACKAGE, '--silent'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
execFileSync('tar', ['xzf', tarball, 'package/sdk.d.ts'], { cwd: folder });

const harness = JSON.stringify(join(root, 'src/engine/harness/claude-code.ts'));
const adapter = JSON.stringify(join(root, 'src/hooks/agents/claude-code.ts'));
const payload = JSON.stringify(join(root, 'src/hooks/payload.ts'));
writeFileSync(
  join(folder, 'check.ts'),
  `import type { HookEvent, SyncHookJSONOutput, PreToolUseHookInput, StopHookInput, SubagentStopHookInput,
  TaskCompletedHookInput, UserPromptSubmitHookInput, ConfigChangeHookInput, SessionStartHookInput } from './package/sdk';
import type { Output } from ${adapter};
import type { EVENT_NAMES } from ${harness};
import { readPayload } from ${payload};

// Every output that the hooks can print is one that is published, with no member that is not.
type Members<T> = T extends unknown ? keyof T : never;
export const output = (ours: Output): SyncHookJSONOutput => ours;
export const members: Exclude<Members<Output>, keyof SyncHookJSONOutput> extends never ? true : false = true;
export const specific: Exclude<
  Members<NonNullable<Extract<Output, { hookSpecificOutput: unknown }>['hookSpecificOutput']>>,
  Members<NonNullable<SyncHookJSONOutput['hookSpecificOutput']>>
> extends never ? true : false = true;
// Every event that is asked for exists.
export const events: (typeof EVENT_NAMES)[number] extends HookEvent ? true : false = true;
// What is read of a payload is there, under these names.
export const read = [
  (i: PreToolUseHookInput) => [i.session_id, i.cwd, i.agent_id, i.agent_type, i.tool_name, i.tool_input],
  (i: StopHookInput) => [i.stop_hook_active, i.background_tasks],
  (i: SubagentStopHookInput) => [i.stop_hook_active, i.agent_id],
  (i: TaskCompletedHookInput) => [i.task_subject, i.task_description],
  (i: UserPromptSubmitHookInput) => [i.prompt],
  (i: ConfigChangeHookInput) => [i.source, i.file_path],
  (i: SessionStartHookInput) => [i.source],
  readPayload,
];
`,
);
const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2023', '--module', 'nodenext'];
const more = ['--moduleResolution', 'nodenext', '--allowImportingTsExtensions', '--types', 'node'];
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const roots = ['--typeRoots', join(root, 'node_modules/@types')];
const told = spawnSync(process.execPath, [tsc, ...options, ...more, ...roots, 'check.ts'], {
  cwd: folder,
  encoding: 'utf8',
});
if (told.status !== 0) {
  console.error(`${told.stdout}${told.stderr}`);
  process.exit(1);
}
console.log(`ok the hooks speak as ${PACKAGE} publishes it`);
