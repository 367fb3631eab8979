import type { Actor } from '../../kernel/actor.ts';
import { latestEvidence } from '../../kernel/freshness.ts';
import type { WorkItem } from '../../kernel/work-item.ts';
import { peekById } from '../handle.ts';
import type { Message } from '../message.ts';
import type { Ports } from '../ports.ts';
import { taskNameOf } from './task-name.ts';

const MOST = 50;

/** What of tasks in stages waits for the word of a person: a plan or a commit that was presented, and what becomes of the scope. */
export async function toldPerson(
  ports: Pick<Ports, 'store'>,
  { kind }: Pick<Actor, 'kind'>,
): Promise<readonly Message[]> {
  if (kind !== 'human') return [];
  const rows = await ports.store.items({
    ...{ list: undefined, states: Object.keys(WAITS), categories: [], assignee: undefined },
    ...{ after: 0, limit: MOST },
  });
  const told: Message[] = [];
  for (const row of rows.filter(({ protocol }) => protocol === 'staged')) {
    const handle = await peekById(ports, row.id);
    const what = WAITS[row.state]?.(handle.item) ?? '';
    if (what === '') continue;
    const text = `${handle.display} ${row.title}: ${what} ${taskNameOf(handle)}`;
    told.push({ to: 'human', item: handle.display, text });
  }
  return told;
}

const has = (item: WorkItem, kind: string) => latestEvidence(item, kind) !== undefined;

/** What is waited for in a state, with the command but for the task; '' where nothing is. */
const WAITS: Readonly<Record<string, (item: WorkItem) => string>> = {
  SYNTHESIS: (item) =>
    has(item, 'presentation') && !has(item, 'plan-approval')
      ? 'its plan waits for your word: countersign task approve'
      : '',
  AWAITING_USER_APPROVAL: (item) =>
    has(item, 'checkpoint') ? '' : 'its commit waits for your word: countersign task approve',
  SCOPE_NEGOTIATION: () => 'what becomes of its scope is yours to say: countersign task show',
};
