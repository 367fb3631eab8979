import { resolve } from 'node:path';
import { presented } from '../../engine/staged/checkpoint.ts';
import { type Answer, deny, SILENT } from '../answer.ts';
import { shownIn } from '../bindings.ts';
import { expanded } from '../events/shell-use.ts';
import type { Moment } from '../payload.ts';
import type { Surroundings } from '../surroundings.ts';
import { type Asking, fileProblem, gitProblem } from './change.ts';
import { noteChanges, noteLaunch } from './note.ts';
import { answerTo } from './prompt.ts';
import { type Change, changesIn } from './shell-changes.ts';
import { asked, type Standing, standingsOf } from './standing.ts';

const EDITS = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);
const LAUNCHES = new Set(['Agent', 'Task']);

/** Before a tool is used, where a task in stages is open. The store is asked only about what changes something. */
export async function staged(moment: Moment, around: Surroundings): Promise<Answer> {
  const { tool } = moment;
  if (LAUNCHES.has(tool) || tool === 'AskUserQuestion')
    return asked(around, async (opened) => {
      const all = await standingsOf(opened.ports, around, moment.session);
      const asking: Asking = { opened, all, moment, around };
      const answer = await atCheckpoint(asking);
      if (LAUNCHES.has(tool)) await noteLaunch(asking, answer.kind === 'deny').catch(unnoted);
      return answer;
    });
  const changes = changesBy(moment, around);
  if (changes.length === 0) return SILENT;
  return asked(around, async (opened) => {
    const all = await standingsOf(opened.ports, around, moment.session);
    if (all.length === 0) return SILENT;
    const asking: Asking = { opened, all, moment, around };
    const problem = await problemOf(asking, changes);
    await noteChanges(asking, changes, problem !== '').catch(unnoted);
    return problem === '' ? SILENT : deny(problem);
  });
}

/** A record that cannot be written keeps nobody from anything, and lets nothing through. */
const unnoted = (): undefined => undefined;

async function problemOf(asking: Asking, changes: readonly Change[]): Promise<string> {
  for (const change of changes) {
    const problem =
      change.kind === 'file' ? await fileProblem(asking, change.path) : await gitProblem(asking, change);
    if (problem !== '') return problem;
  }
  return '';
}

function changesBy({ tool, input, cwd }: Moment, around: Surroundings): readonly Change[] {
  const folder = cwd || around.top;
  if (EDITS.has(tool)) {
    const path = input.file_path ?? input.notebook_path;
    return typeof path === 'string' && path !== '' ? [{ kind: 'file', path: resolve(folder, path) }] : [];
  }
  if (tool !== 'Bash' || typeof input.command !== 'string') return [];
  return changesIn(input.command, folder, (word, at) => expanded(word, at, around));
}

/** While a person looks at a commit no agent is called, and whoever asked for a change is not asked back (PROTO-113, PROTO-117). */
async function atCheckpoint({ all, opened, moment, around }: Asking): Promise<Answer> {
  const { session, tool } = moment;
  const waiting = all.find(({ own, handle }) => own && handle.item.state === 'AWAITING_USER_APPROVAL');
  if (waiting === undefined) return SILENT;
  if (LAUNCHES.has(tool))
    return deny(
      `A person looks at the commit of ${waiting.task}: no agent is called meanwhile. ${wayBack(waiting)}`,
    );
  const about = await presented(opened.ports, waiting.task);
  return shownIn(around.state, session, answerTo(waiting.task, about)) === undefined
    ? SILENT
    : deny(`The person has answered, and a request is the order: ask nothing. ${wayBack(waiting)}`);
}

const wayBack = ({ task }: Standing) =>
  `Where they asked for a change, go back at once, without asking: countersign task request-change ${task} --reason WHAT. Then call the agents.`;
