import type { Opened } from '../../engine/composition.ts';
import { presented } from '../../engine/staged/checkpoint.ts';
import { guidanceOf, isBeforePerson } from '../../engine/staged/guidance.ts';
import { stopOf } from '../../engine/staged/stop-task.ts';
import { LEGITIMATE } from '../../engine/staged/stops.ts';
import { agentsOf } from '../../engine/staged/task.ts';
import { findingText, lintWording } from '../../engine/staged/wording.ts';
import { type Answer, block, SILENT, tell } from '../answer.ts';
import { countBlock, shownIn } from '../bindings.ts';
import type { Moment } from '../payload.ts';
import type { Surroundings } from '../surroundings.ts';
import { answerTo, show, wasShown } from './prompt.ts';
import { type Standing, standingsOf } from './standing.ts';

/** How often a turn is kept from ending on the same state; then a person is told. */
const MOST_BLOCKS = 3;

/**
 * A turn of the session that holds a task ends: at a checkpoint the person is shown what is before them; in the middle it
 * goes on, unless a reason that counts is on record (PROTO-43, PROTO-113, PROTO-288).
 */
export async function staged(opened: Opened, moment: Moment, around: Surroundings): Promise<Answer> {
  const { session, agent } = moment;
  const own = (await standingsOf(opened.ports, around, session)).filter((one) => one.own);
  const reasons: string[] = [];
  const shown: string[] = [];
  for (const one of own) {
    if (isBeforePerson(one.handle)) {
      const wrong = await answerProblem(opened, one, moment, around);
      reasons.push(wrong);
      const about = await presented(opened.ports, one.task);
      // Once is enough, as long as it is the same and the person said nothing else.
      if (wrong === '' && !wasShown(around.state, session, one.task, about))
        shown.push(await show(opened, one.task, session, around.state));
    } else reasons.push(await middleProblem(opened, one, moment));
  }
  const reason = reasons.filter((text) => text !== '').join('\n');
  if (reason === '') return shown.length === 0 ? SILENT : tell(shown.join('\n\n'));
  const standing = own.map(({ handle }) => `${handle.display}@${handle.item.version}`).join(' ');
  if (countBlock(around.state, session, `${agent}.staged`, standing) <= MOST_BLOCKS) return block(reason);
  return tell(`Countersign let this turn end after ${MOST_BLOCKS} reminders:\n${reason}`);
}

/** What is wrong with the answer to somebody who said something else than an approval; '' for nothing. */
async function answerProblem(
  { ports }: Opened,
  { task, handle }: Standing,
  { session, message }: Moment,
  { state }: Surroundings,
): Promise<string> {
  if (handle.item.state !== 'AWAITING_USER_APPROVAL') return '';
  if (shownIn(state, session, answerTo(task, await presented(ports, task))) === undefined) return '';
  const found = lintWording(message, { said: 'change-request', task, agents: agentsOf(handle) });
  return found.map(findingText).join('\n');
}

async function middleProblem(
  { ports }: Opened,
  { task, handle, view }: Standing,
  { session, message }: Moment,
): Promise<string> {
  const { state } = handle.item;
  if (state === 'SCOPE_NEGOTIATION' || (await stopOf(ports, task, session, handle)) !== undefined) return '';
  const said = lintWording(message, { said: 'coordinator', task, agents: agentsOf(handle) });
  return [
    `${task} is ${state}: go on, it is carried through without asking up to the next checkpoint.`,
    ...guidanceOf(ports, handle, view),
    ...said.map(findingText),
    `Only ${Object.keys(LEGITIMATE).join(', ')} may stop it here: countersign task stop ${task} --category CATEGORY --evidence TEXT`,
  ].join('\n');
}
