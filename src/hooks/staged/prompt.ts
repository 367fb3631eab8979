import type { Opened } from '../../engine/composition.ts';
import { readConfig } from '../../engine/config.ts';
import { callerOf } from '../../engine/credential.ts';
import { promptProof } from '../../engine/prompt-proof.ts';
import { toldOf } from '../../engine/refusal-told.ts';
import { approveTask, type Presented, presented } from '../../engine/staged/checkpoint.ts';
import { checkTask } from '../../engine/staged/feasibility.ts';
import { guidanceOf, isBeforePerson, launches } from '../../engine/staged/guidance.ts';
import { listTasks } from '../../engine/staged/list-tasks.ts';
import { projectTask } from '../../engine/staged/project-task.ts';
import { stagedSettings } from '../../engine/staged/settings.ts';
import { type Answer, block, context, SILENT } from '../answer.ts';
import { dropShown, keepShown, shownIn } from '../bindings.ts';
import type { Moment } from '../payload.ts';
import type { Surroundings } from '../surroundings.ts';
import { type Standing, standingsOf } from './standing.ts';

/** "continue with the next task", in the words that people have for it. */
const NEXT_TASK = /\bnext (?:task|one)\b|\b(?:another|other) task\b/i;

/**
 * What a person typed. One of the words of approval is their word on what was shown to them, and on nothing else; whatever
 * else they say takes it back that they saw it. The session is told how its task goes on (PROTO-24, PROTO-288 to PROTO-293).
 */
export async function staged(opened: Opened, moment: Moment, around: Surroundings): Promise<Answer> {
  const { ports } = opened;
  const { session, prompt } = moment;
  const own = (await standingsOf(ports, around, session)).filter((one) => one.own);
  const { approvalWords } = stagedSettings(await readConfig(ports));
  const before = own.filter(({ handle }) => isBeforePerson(handle));
  if (before.length > 0 && approvalWords.includes(prompt.trim().toLowerCase()))
    return approve(opened, before, moment, around);
  for (const { task } of before) {
    const about = await presented(ports, task);
    dropShown(around.state, session, purposeOf(task, about));
    keep(around.state, session, answerTo(task, about), about.subject, ports.clock());
  }
  const next = NEXT_TASK.test(prompt) ? await nextTask(opened, moment, around) : [];
  const lines = [
    ...own.flatMap(({ task, handle, view }) => [
      `${task} (${handle.display}) is ${handle.item.state}.`,
      ...guidanceOf(ports, handle, view),
    ]),
    ...next,
  ];
  return lines.length === 0 ? SILENT : context(lines.join('\n'));
}

const purposeOf = (task: string, { kind, subject }: Pick<Presented, 'kind' | 'subject'>) =>
  `${kind} ${task}/${subject}`;

/** The note that a person said something else than an approval, on what is before them. */
export const answerTo = (task: string, { subject }: Pick<Presented, 'subject'>) =>
  `answer ${task}/${subject}`;

function keep(state: string, session: string, purpose: string, digest: string, at: Date): void {
  keepShown(state, session, { purpose, digest, kept: '', at: at.getTime(), tries: 0 });
}

/** Whether this session was shown just what is before the person now. */
export const wasShown = (state: string, session: string, task: string, about: Presented): boolean =>
  shownIn(state, session, purposeOf(task, about))?.digest === about.digest;

/** Shows what is before the person, and keeps that it was this. */
export async function show({ ports }: Opened, task: string, session: string, state: string): Promise<string> {
  const about = await presented(ports, task);
  keep(state, session, purposeOf(task, about), about.digest, ports.clock());
  return about.lines.join('\n');
}

async function approve(
  opened: Opened,
  before: readonly Standing[],
  { session, prompt }: Moment,
  { state }: Surroundings,
): Promise<Answer> {
  const { ports } = opened;
  const [one, ...others] = before;
  if (one === undefined || others.length > 0)
    return block(
      `More than one is before you. At a terminal: ${before.map(({ task }) => `countersign task approve ${task}`).join(', or ')}`,
    );
  const { task } = one;
  const about = await presented(ports, task);
  const purpose = purposeOf(task, about);
  if (!wasShown(state, session, task, about)) {
    const text = await show(opened, task, session, state);
    return block(
      `${text}\n\nNothing is approved yet: this was not shown to you as it is now. Type "${prompt.trim()}" again for exactly this.`,
    );
  }
  dropShown(state, session, purpose);
  const person = await callerOf(opened, '');
  const proof = promptProof({ digest: about.digest, purpose, at: ports.clock(), random: ports.random });
  const outcome = await approveTask(ports, { ...person, proof }, task, about);
  if (outcome.kind === 'refused') {
    const { message, missing } = toldOf(outcome, about.kind);
    return block([message, ...missing.map((v) => `- ${v.because}`)].join('\n'));
  }
  await projectTask(opened, task);
  const plan = about.kind === 'plan-approval';
  return context(
    [
      `${person.actor.id} approved ${plan ? 'the plan' : 'the commit'} of ${task}.`,
      ...(plan ? launches(outcome.handle, one.view) : [`Now: countersign task complete ${task}.`]),
    ].join('\n'),
  );
}

/** The next task is chosen by the matrix, and that it was looked at is on record (PROTO-56). */
async function nextTask(
  opened: Opened,
  { session }: Moment,
  { actor }: Surroundings,
): Promise<readonly string[]> {
  const { ports } = opened;
  const { tasks, next } = await listTasks(ports, session);
  const lines = tasks.map(({ task, selection, because }) => `${task}: ${selection}, ${because}`);
  if (next === '') return [...lines, 'No task is free.'];
  const caller = await callerOf(opened, actor);
  const { feasible } = await checkTask(ports, caller, { task: next, session, blockers: [], choices: [] });
  return [
    ...lines,
    feasible
      ? `Next is ${next}: countersign task start ${next}`
      : `Next would be ${next}; what stands against it: countersign task check ${next}`,
  ];
}
