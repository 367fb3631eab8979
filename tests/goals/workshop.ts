import type { GoalStatus } from '../../src/engine/goals.ts';
import { openSession, type Said, type Session, type Setting } from '../session.ts';

/** Lead, and two who may do anything else: three pairs of eyes. */
export const LEAD = 'lin';
export const BUILDER = 'ben';
export const CHECKER = 'cleo';
const ANY = ['builder', 'reviewer', 'verifier'] as const;
export const THREE = { [LEAD]: ['lead'], [BUILDER]: [...ANY], [CHECKER]: [...ANY] };

export type TaskState = 'pending' | 'assigned' | 'in_progress' | 'review' | 'completed' | 'verified';
export const TASK_STATES: readonly TaskState[] = [
  'pending',
  'assigned',
  'in_progress',
  'review',
  'completed',
  'verified',
];

/** What a task needs beside its title: words for `add`, the one who builds it, whether its work passes. */
export interface Work {
  readonly add: readonly string[];
  readonly builder: string;
  readonly good: boolean;
}

/** A team at a goal, in a real repository: each piece of work on a branch of its own, made from main. */
export interface Workshop {
  readonly s: Session;
  /** A command that has to succeed. */
  must(actor: string, ...words: readonly string[]): Promise<Said>;
  goal(title?: string): Promise<string>;
  task(goal: string, ...add: readonly string[]): Promise<string>;
  /** Commits work for a task on its branch, and answers the commit. */
  build(task: string, good?: boolean, files?: Readonly<Record<string, string>>): string;
  /** Brings what a task's branch holds into main. */
  merge(task: string): void;
  submit(task: string, builder?: string, ...more: readonly string[]): Promise<Said>;
  /** Brings a new task of a goal to a state. Reviewed by the lead, verified by the checker. */
  bring(goal: string, state: TaskState, work?: Partial<Work>): Promise<string>;
  /** Brings a task that stands in one state on to another one. */
  onTo(task: string, from: TaskState, to: TaskState, work?: Partial<Work>): Promise<void>;
  status(goal: string): Promise<GoalStatus>;
  /** State as it is read. */
  state(ref: string): Promise<string>;
  /** Sets the roles of an agent, as a person. */
  roles(actor: string, ...roles: readonly string[]): Promise<Said>;
}

/** Main holds it from the beginning: work passes as long as it leaves it alone. */
export const SOUND = { 'README.md': '# Scratch\n', 'work.txt': 'done\n' };

export async function openWorkshop(asked: Partial<Setting> = {}): Promise<Workshop> {
  const s = await openSession({ agents: THREE, files: SOUND, ...asked });
  s.repo.git('checkout', '-q', 'main');
  return workshopOf(s);
}

function workshopOf(s: Session): Workshop {
  const must = async (actor: string, ...words: readonly string[]) => {
    const said = await s.say(actor, ...words);
    if (said.code !== 0) throw new Error(`${actor} ${words.join(' ')}: ${said.code} ${said.out}${said.err}`);
    return said;
  };
  const branch = (task: string) => `work-${task}`;
  const build: Workshop['build'] = (task, good = true, files = {}) => {
    const exists = s.repo.git('branch', '--list', branch(task)) !== '';
    s.repo.git('checkout', '-q', ...(exists ? [branch(task)] : ['-b', branch(task), 'main']));
    const own = { [`${task}.ts`]: `// ${task} at ${s.now()}\n`, 'work.txt': good ? 'done\n' : 'begun\n' };
    const commit = s.repo.commit({ ...own, ...files });
    s.repo.git('checkout', '-q', 'main');
    return commit;
  };
  const submit: Workshop['submit'] = (task, builder = BUILDER, ...more) =>
    must(builder, 'move', task, 'submit', '--commit', branch(task), '--arg', 'summary=It is built', ...more);
  const steps = (task: string, { builder = BUILDER, good = true }: Partial<Work>) =>
    ({
      assigned: () => must(LEAD, 'move', task, 'assign', '--to', builder),
      in_progress: () => must(builder, 'start', task),
      review: () => {
        build(task, good);
        return submit(task, builder);
      },
      completed: () => must(LEAD, 'move', task, 'approve'),
      verified: () => must(CHECKER, 'verify', task),
    }) satisfies { readonly [state in TaskState]?: () => Promise<Said> };
  const onTo: Workshop['onTo'] = async (task, from, to, work = {}) => {
    const way = steps(task, work);
    for (const state of TASK_STATES.slice(TASK_STATES.indexOf(from) + 1, TASK_STATES.indexOf(to) + 1))
      if (state !== 'pending') await way[state]();
  };
  const task: Workshop['task'] = async (goal, ...add) =>
    (await must(LEAD, 'add', 'A piece of it', '--goal', goal, ...add)).data.id;
  return {
    s,
    must,
    build,
    submit,
    onTo,
    task,
    goal: async (title = 'A shop that sells') => (await must(LEAD, 'goal', 'create', title)).data.id,
    merge(ref) {
      s.repo.git('checkout', '-q', 'main');
      s.repo.git('merge', '-q', '--no-ff', '-m', `merge ${ref}`, branch(ref));
    },
    async bring(goal, state, work = {}) {
      const id = await task(goal, ...(work.add ?? []));
      await onTo(id, 'pending', state, work);
      return id;
    },
    status: async (goal) => (await must('', 'goal', 'status', goal)).data as unknown as GoalStatus,
    state: async (ref) => (await must('', 'show', ref)).data.status,
    roles: (actor, ...roles) => must('', 'actor', 'roles', actor, ...roles.flatMap((r) => ['--role', r])),
  };
}

/** What a refusal says of what is missing, as one text. */
export const missingOf = ({ error }: Said): string =>
  [error.message, ...(error.missing ?? []).map(({ because }) => because)].join('; ');
