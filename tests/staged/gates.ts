import type { Crew } from './crew.ts';
import { TASK } from './walk.ts';

/** A gate as it was judged. */
export interface Points {
  readonly open: boolean;
  readonly state: string;
  readonly points: readonly {
    n: number;
    name: string;
    passed: boolean;
    because: string;
    class: string;
    fix: string;
  }[];
}

/** Judges a gate as the coordinator in the worktree of the task. */
export async function gateOf(crew: Crew, command: string): Promise<Points> {
  return (await crew.go('task', 'gate', TASK, command)).data as unknown as Points;
}

/** The points of a gate that keep it closed, by their names. */
export const failing = ({ points }: Points): readonly string[] =>
  points.filter(({ passed }) => !passed).map(({ name }) => name);
