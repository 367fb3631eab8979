import type { Session } from '../session.ts';
import type { Faces } from './faces.ts';
import { workOn } from './lifecycle-states.ts';

/** Somebody for each role of goals, a second builder, and one without any role. */
export const GOAL_TEAM = {
  lead: ['lead'],
  builder: ['builder'],
  'other-builder': ['builder'],
  reviewer: ['reviewer'],
  verifier: ['verifier'],
  bystander: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export const TASK_STATES = [
  ...(['pending', 'assigned', 'in_progress', 'escalated', 'review'] as const),
  ...(['completed', 'verified', 'abandoned'] as const),
] as const;
export type TaskState = (typeof TASK_STATES)[number];
export const GOAL_STATES = ['open', 'active', 'pending_verify', 'verified', 'cancelled'] as const;
export type GoalState = (typeof GOAL_STATES)[number];

type Hands = Pick<Faces, 'must'>;

/** Brings a new task to a state; 'escalated' is in progress after two rejections by a verifier. */
export async function bringTask(s: Session, { must }: Hands, state: TaskState, goal = ''): Promise<string> {
  const of = goal === '' ? ['--protocol', 'goal-task'] : ['--goal', goal];
  const id = await must('lead', 'add', 'Build the part', ...of);
  const submit = async () => {
    workOn(s);
    await must('builder', 'move', id, 'submit', '--arg', 'summary=built');
  };
  if (state === 'abandoned') await must('lead', 'move', id, 'abandon', '--reason', 'as asked');
  if (state === 'pending' || state === 'abandoned') return id;
  await must('lead', 'move', id, 'assign', '--to', 'builder');
  if (state === 'assigned') return id;
  await must('builder', 'start', id);
  if (state === 'in_progress') return id;
  if (state === 'escalated') {
    for (let n = 0; n < 2; n++) {
      await submit();
      await must('reviewer', 'move', id, 'approve');
      await must('verifier', 'move', id, 'reject-verification', '--reason', 'broken');
    }
    return id;
  }
  await submit();
  if (state === 'review') return id;
  await must('reviewer', 'move', id, 'approve');
  if (state === 'completed') return id;
  await must('verifier', 'verify', id);
  return id;
}

/** Brings a new goal to a state, with one task where it needs one. */
export async function bringGoal(s: Session, faces: Hands, state: GoalState): Promise<string> {
  const { must } = faces;
  const id = await must('lead', 'goal', 'create', 'The whole');
  if (state === 'open') return id;
  if (state === 'cancelled') {
    await must('lead', 'move', id, 'cancel', '--reason', 'as asked');
    return id;
  }
  if (state === 'active') {
    await bringTask(s, faces, 'in_progress', id);
    return id;
  }
  await bringTask(s, faces, 'verified', id);
  merge(s);
  if (state === 'verified') await must('lead', 'goal', 'verify', id, '--notes', 'tried it');
  return id;
}

/** The default branch takes the work in. */
export const merge = (s: Session): string => s.repo.git('branch', '-f', 'main', 'work');
