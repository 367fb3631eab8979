import { readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callerOf } from '../../src/engine/credential.ts';
import { phaseStep } from '../../src/engine/phases/actions.ts';
import { phaseNamed } from '../../src/engine/phases/task-phases.ts';
import type { StepOutcome } from '../../src/engine/step.ts';
import type { Moved } from '../../src/kernel/event.ts';
import { runIn } from '../fixtures/scratch-repo.ts';
import type { Said } from '../session.ts';
import type { Stage } from './stage.ts';

/** A refusal in one line: its code, its words, and what is missing. */
export const why = ({ error }: Said): string =>
  error === undefined
    ? 'done'
    : [error.code, error.message, ...(error.missing ?? []).map(({ because }) => because)].join(' | ');

/** A step as an actor, with nothing done for the phase before it: as it stands, it is judged. */
export const steps = (
  { s }: Stage,
  actor: string,
  phase: string,
  command: string,
  given: Readonly<Record<string, string>> = {},
): Promise<StepOutcome> =>
  s.with(async (opened) => {
    const { id } = await phaseNamed(opened.ports, phase);
    const caller = await callerOf(opened, actor);
    return phaseStep(opened, caller, id, { command, reason: 'it is asked for', arguments: given });
  });

/** The moves of an item from its log: nothing is brought on by looking. */
export async function movesOf({ s }: Stage, item: string): Promise<readonly Moved[]> {
  return (await s.events(item)).filter((event): event is Moved => event.type === 'moved');
}

/** States that an item came to, from its log. */
export const statesOf = async (stage: Stage, item: string): Promise<readonly string[]> =>
  (await movesOf(stage, item)).filter(({ from, to }) => from !== to).map(({ to }) => to);

/** Commits on the branch of a phase's task, as somebody who mends it without an agent; no files: a commit of nothing. */
export async function mends(stage: Stage, phase: string, files: Readonly<Record<string, string>>) {
  const { task_id: task } = await stage.status(phase);
  const tree = join(stage.s.repo.root, `mend-${task}`);
  stage.s.repo.git('worktree', 'add', '-q', tree, `phases/${task}`);
  for (const [path, text] of Object.entries(files)) writeFileSync(join(tree, path), text);
  runIn(tree, ['add', '-A']);
  runIn(tree, ['commit', '-q', '--allow-empty', '-m', 'mend it']);
  stage.s.repo.git('worktree', 'remove', '--force', tree);
  rmSync(tree, { recursive: true, force: true });
}

/** Numbers of the living processes that stand in the tree of a run or of its replacement. */
export function processesIn(trees: string, run: string): readonly number[] {
  const isOf = (folder: string) => folder === join(trees, run) || folder.startsWith(`${join(trees, run)}.`);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isOf(folderOf(name)))
    .map(Number);
}

function folderOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

/** Kills a reviewer and waits for its replacement, whoever starts it: its watcher tells of the end as well. Answers whose place it was. */
export async function replaced(stage: Stage, phase: string, place: number): Promise<string> {
  const run = (await stage.review(phase)).reviewers[place]?.agent_id ?? '';
  await stage.strike(run);
  for (let n = 0; n < 400; n++) {
    const now = (await stage.review(phase)).reviewers[place];
    if (now?.state === 'running' && now.agent_id === `${run}.2`) return run;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nobody took the place of ${run}`);
}

/** The folder in which the runs of the store are kept: ids of stores are in the order in which those were made. */
export function runsFolder({ s }: Pick<Stage, 's'>): string {
  const runs = join(s.repo.top, '.git/countersign/runs');
  return join(runs, readdirSync(runs).toSorted().at(-1) ?? '');
}
