import type { Session } from '../session.ts';
import type { Faces } from './faces.ts';

/** One agent for each role of the lifecycle, and one without any. */
export const LIFE_TEAM = {
  planner: ['plan-manager'],
  orchestrator: ['build-orchestrator'],
  validator: ['solution-validator'],
  developer: ['fullstack-developer'],
  monitor: ['quality-monitor'],
  committer: ['git-manager'],
  cto: ['cto'],
  bystander: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export const LIFE_STATES = [
  ...(['pending', 'assigned', 'planning', 'validated', 'in_progress', 'testing', 'quality_review'] as const),
  ...(['approved', 'committing', 'completed', 'cto_intervention', 'human_escalation', 'failed'] as const),
] as const;
export type LifeState = (typeof LIFE_STATES)[number];

const because = ['--reason', 'as asked'];
let works = 0;

/** The commit that each task claimed. */
export const CLAIMED = new Map<string, string>();

/** Brings a new task of the lifecycle to a state by the commands that lead there, and answers its id. */
export async function bringLife(
  s: Session,
  { must, confirm }: Pick<Faces, 'must' | 'confirm'>,
  state: LifeState,
): Promise<string> {
  const id = await must('planner', 'add', 'Build the thing', '--protocol', 'lifecycle');
  const fail = async (times: number) => {
    for (let n = 0; n < times; n++) await must('validator', 'move', id, 'fail', ...because);
  };
  const guide = () => must('cto', 'move', id, 'return', '--guidance', 'try otherwise');
  if (['cto_intervention', 'human_escalation', 'failed'].includes(state)) {
    await must('orchestrator', 'move', id, 'assign', ...because);
    await must('validator', 'move', id, 'plan', ...because);
    await fail(3);
    if (state === 'cto_intervention') return id;
    for (let n = 0; n < 2; n++) {
      await guide();
      await fail(3);
    }
    if (state === 'failed') {
      const given = await confirm('move', id, 'abandon', ...because);
      if (given.code !== 0) throw new Error(given.out);
    }
    return id;
  }
  const way: readonly (readonly [LifeState, () => Promise<unknown>])[] = [
    ['assigned', () => must('orchestrator', 'move', id, 'assign', ...because)],
    ['planning', () => must('validator', 'move', id, 'plan', ...because)],
    ['validated', () => must('validator', 'move', id, 'validate', ...because)],
    ['in_progress', () => must('developer', 'move', id, 'begin', ...because)],
    [
      'testing',
      () => {
        CLAIMED.set(id, workOn(s));
        return must('developer', 'move', id, 'finish', ...because);
      },
    ],
    [
      'quality_review',
      () => must('developer', 'move', id, 'ask-review', '--evidence', 'README.md', ...because),
    ],
    ['approved', () => must('monitor', 'verify', id)],
    ['committing', () => must('committer', 'move', id, 'commit', ...because)],
    [
      'completed',
      () => must('committer', 'move', id, 'committed', '--commit', CLAIMED.get(id) ?? '', ...because),
    ],
  ];
  const steps = state === 'pending' ? 0 : way.findIndex(([name]) => name === state) + 1;
  for (const [, step] of way.slice(0, steps)) await step();
  return id;
}

/** Commits work that the default criteria accept; each piece is its own. */
export function workOn(s: Session): string {
  works += 1;
  return s.repo.commit({ 'work.txt': `done ${works}\n` });
}
