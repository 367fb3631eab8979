import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { MARK } from './end-processes.ts';
import type { ProcessId } from './process-row.ts';
import { processId } from './processes.ts';
import type { RunSpec } from './run.ts';
import { transcriptPath } from './transcript.ts';

export interface Exit {
  readonly exitCode: number | null;
  readonly signal: string;
}

export interface Started {
  readonly child: ProcessId;
  readonly exited: Promise<Exit>;
}

/**
 * Starts the agent in a session of its own. It reads its prompt from a file and writes into the transcript itself, so whatever
 * becomes of its watcher no line is lost. Answers why when it could not be started.
 */
export async function startChild(
  spec: RunSpec,
  mark: string,
): Promise<Started | { readonly problem: string }> {
  const [program = '', ...args] = spec.argv;
  const files = [
    spec.stdin === '' ? openSync('/dev/null', 'r') : openSync(join(spec.folder, 'prompt'), 'r'),
    openSync(transcriptPath(spec.folder, 'out'), 'a', 0o600),
    openSync(transcriptPath(spec.folder, 'err'), 'a', 0o600),
  ];
  try {
    const env = environment(process.env, spec.env, mark);
    return await begun(spawn(program, args, { cwd: spec.cwd, env, detached: true, stdio: files }), spec);
  } catch (error) {
    return { problem: problemOf(error, spec) };
  } finally {
    for (const file of files) closeSync(file);
  }
}

function begun(child: ChildProcess, spec: RunSpec): Promise<Started | { readonly problem: string }> {
  const exited = new Promise<Exit>((resolve) => {
    child.on('exit', (exitCode, signal) => resolve({ exitCode, signal: signal ?? '' }));
  });
  // Before anything is awaited: nobody has asked for its exit code yet, so the number is its own even when it has ended.
  const id = processId(child.pid ?? 0);
  return new Promise((resolve) => {
    child.on('spawn', () => resolve({ child: id, exited }));
    child.on('error', (error) => resolve({ problem: problemOf(error, spec) }));
  });
}

function problemOf(error: unknown, { cwd, argv }: RunSpec): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return `${argv[0]} could not be started in ${cwd}: ${code || message}`;
}

/** What tells a program in which session it runs; of whoever launched, not of the agent. */
const OF_A_SESSION = /^(COUNTERSIGN_.*|CLAUDECODE|CLAUDE_CODE_ENTRYPOINT)$/;

/** What ties git to one repository: whoever launches may be at work in another, such as a hook of git. */
const OF_A_REPOSITORY =
  /^GIT_(DIR|WORK_TREE|IMPLICIT_WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|PREFIX|QUARANTINE_PATH|SHALLOW_FILE|GRAFT_FILE|REPLACE_REF_BASE|NO_REPLACE_OBJECTS)$/;

function environment(around: NodeJS.ProcessEnv, added: RunSpec['env'], mark: string): NodeJS.ProcessEnv {
  const kept = Object.entries(around).filter(
    ([name]) => !OF_A_SESSION.test(name) && !OF_A_REPOSITORY.test(name),
  );
  return { ...Object.fromEntries(kept), ...added, [MARK]: mark };
}
