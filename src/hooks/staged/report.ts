import type { Opened } from '../../engine/composition.ts';
import { openCheckpoint, resumeLine } from '../../engine/staged/guidance.ts';
import { crashedQuestion } from '../../engine/staged/selection.ts';
import { hasEnded } from '../../engine/staged/task.ts';
import type { Moment } from '../payload.ts';
import type { Surroundings } from '../surroundings.ts';
import { type Standing, standingsOf } from './standing.ts';

/** Whose the tasks in stages are, as a session is told of them when it begins (PROTO-56, PROTO-295). */
export async function ownership(
  { ports }: Opened,
  { session }: Moment,
  around: Surroundings,
): Promise<readonly string[]> {
  const all = await standingsOf(ports, around, session);
  if (all.length === 0) return [];
  return [
    `Tasks in stages; this session is ${session}: name it with --session, or as COUNTERSIGN_SESSION.`,
    ...all.flatMap((one) => [...linesOf(one), ...more(one)]),
    'What is next: countersign task list.',
  ];

  function more({ handle, view }: Standing): readonly string[] {
    const checkpoint = openCheckpoint(handle, view);
    return [
      ...(handle.item.state === 'REQUIREMENTS' ? [`  ${resumeLine(ports, handle, view)}`] : []),
      ...(checkpoint === '' ? [] : [`  ${checkpoint}`]),
    ];
  }
}

function linesOf({ task, handle, view, own }: Standing): readonly string[] {
  const head = `${task} (${handle.display}) is ${handle.item.state}`;
  const { holder } = view.lease;
  const { selection, because } = view.selected;
  if (own) return [`${head}: held by this session. ${selection}: ${because}; worktree ${view.layout.code}`];
  if (holder !== undefined)
    return [
      `${head}: held by session ${holder.session} (${holder.actor}), last seen ${holder.beat}. ${selection}: ${because}`,
    ];
  if (hasEnded(handle)) return [`${head}: it has ended, and is to be tidied up`];
  return selection === 'ASK_USER'
    ? [
        `${head}: nobody holds it. ${selection}`,
        ...crashedQuestion(task, view.layout.code, view.layout.taskJson),
      ]
    : [`${head}: nobody holds it. ${selection}: ${because}`];
}
