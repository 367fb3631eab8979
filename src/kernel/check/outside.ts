import type { Finding, Gathered } from '../command.ts';
import type { World } from '../context.ts';
import type { ItemEvent } from '../event.ts';
import type { Guard } from '../guards/index.ts';
import { leavesOf, type Reads, readsOf } from '../leaves.ts';
import type { Row } from '../protocol.ts';
import type { Member, WorkItem } from '../work-item.ts';
import type { Run } from './run.ts';

/** What the outside may answer to one question: probes, and groups that nobody in the set-up fills. */
export interface Answer {
  readonly world: World;
  readonly probes: Gathered['probes'];
}

const YES: Finding = { status: 'satisfied', because: 'looked', fix: '' };
const NO: Finding = { status: 'unsatisfied', because: 'looked', fix: '' };

/**
 * All that the outside may answer to these guards, the agreeable first: it owes nobody consistency, so each
 * decision asks anew, and nothing of it has to be remembered.
 */
export function answersTo(run: Run, id: string, item: WorkItem, rows: readonly Row[]): readonly Answer[] {
  const asked = rows.map(questionsOf);
  const probes = [...new Set(asked.flatMap((reads) => reads.probes))];
  const groups = [...new Set(asked.flatMap((reads) => reads.groups))];
  if (probes.length + groups.length === 0) return [{ world: run.world, probes: {} }];
  const guards = rows.flatMap((row) => row.requires);
  const yes = Object.fromEntries(probes.map((name) => [name, YES]));
  const looks = [yes, ...probes.map((name) => ({ ...yes, [name]: NO }))];
  const open = groups.filter((group) => !(run.fed[id] ?? []).includes(group));
  const casts = open.reduce<readonly World['groups'][]>(
    (all, group) => all.flatMap((cast) => castsOf(guards, group, item).map((m) => ({ ...cast, [group]: m }))),
    [{}],
  );
  return casts.flatMap((cast) =>
    looks.map((found) => ({ world: { ...run.world, groups: cast }, probes: found })),
  );
}

const QUESTIONS = new WeakMap<Row, Reads>();

/** What a row asks the outside, worked out once: the same rows come up at every moment. */
function questionsOf(row: Row): Reads {
  const reads = QUESTIONS.get(row) ?? readsOf(row.requires);
  QUESTIONS.set(row, reads);
  return reads;
}

/** Nobody; as many as are asked for, in each state that is asked for; somebody in another state. */
function castsOf(
  guards: readonly Guard[],
  group: string,
  item: WorkItem,
): readonly { [id: string]: Member }[] {
  const asked = leavesOf(guards).flatMap((leaf) =>
    leaf.guard === 'members' && leaf.group === group ? [leaf] : [],
  );
  const size = Math.max(1, ...asked.map((leaf) => leaf.atLeast));
  const on = asked.find((leaf) => leaf.on !== '')?.on ?? '';
  const digest = item.subjects[on]?.digest ?? '';
  const cast = (member: Member) =>
    Object.fromEntries(Array.from({ length: size }, (_, n) => [`${group}-${n + 1}`, member]));
  const firsts = [...new Set(asked.map((leaf) => leaf.in[0] ?? ''))];
  const named = firsts.map((name) =>
    name.startsWith('=')
      ? { state: 'elsewhere', category: name.slice(1), asked: digest }
      : { state: name, category: '', asked: digest },
  );
  return [{}, ...named.map(cast), cast({ state: 'elsewhere', category: '', asked: digest })];
}

/** New digests for whatever a row may move. */
export function newDigests(id: string, item: WorkItem): Gathered['subjects'] {
  return Object.fromEntries(
    Object.entries(item.subjects).map(([name, s]) => [name, `${id}.${name}.${s.generation + 1}`]),
  );
}

export function subjectMoved(id: string, item: WorkItem, subject: string, by: string): ItemEvent {
  return { type: 'subject-moved', at: '', by, subject, digest: newDigests(id, item)[subject] ?? '' };
}
