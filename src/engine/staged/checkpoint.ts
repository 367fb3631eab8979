import { sha256Hex } from '../../attestation/digest.ts';
import { latestEvidence } from '../../kernel/freshness.ts';
import { record } from '../../kernel/record.ts';
import type { Caller } from '../caller.ts';
import { EngineError } from '../engine-error.ts';
import { type Outcome, plain, walk } from '../execute.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { planDigest } from './probes-papers.ts';
import { agentsOf, assessmentOf, riskOf, type TaskView, viewTask } from './task.ts';
import { taskItem } from './task-item.ts';
import { taskNameOf } from './task-name.ts';

/** What a person is asked to approve, in full; `digest` binds their word to it (PROTO-106 to PROTO-109, PROTO-289). */
export interface Presented {
  readonly kind: 'plan-approval' | 'checkpoint';
  readonly type: 'USER_APPROVAL_PLAN' | 'USER_APPROVAL_POST_REVIEW';
  /** Of the plan, or the commit. */
  readonly subject: string;
  readonly lines: readonly string[];
  readonly digest: string;
}

/** What is before the user now. Throws BAD_INPUT where nothing is. */
export async function presented(ports: Ports, task: string): Promise<Presented> {
  const handle = await taskItem(ports, task);
  const view = await viewTask(ports, task, '');
  const { item } = handle;
  if (item.state === 'SYNTHESIS' && shownAt(handle, 'presentation') !== '')
    return shownAs(
      'plan-approval',
      'USER_APPROVAL_PLAN',
      planNow(ports, view),
      planLines(ports, handle, view),
    );
  if (item.state === 'AWAITING_USER_APPROVAL')
    return shownAs(
      'checkpoint',
      'USER_APPROVAL_POST_REVIEW',
      item.subjects.commit?.digest ?? '',
      commitLines(handle, view),
    );
  throw new EngineError(
    'BAD_INPUT',
    `nothing of ${task} is before the user: it is ${item.state}`,
    item.state === 'SYNTHESIS' ? `countersign task present-plan ${task}` : `countersign task show ${task}`,
  );
}

function shownAs(
  kind: Presented['kind'],
  type: Presented['type'],
  subject: string,
  lines: readonly string[],
): Presented {
  return { kind, type, subject, lines, digest: sha256Hex([type, subject, ...lines].join('\n')) };
}

/** When something was put before the user on what it is now, '' where it was not. */
export const shownAt = ({ item }: Pick<Handle, 'item'>, kind: string): string =>
  latestEvidence(item, kind)?.at ?? '';

const documentOf = ({ workspace }: Pick<Ports, 'workspace'>, { layout }: TaskView): string =>
  workspace.readFile(layout.taskMd)?.toString('utf8') ?? '';

/** Digest of the plan as it stands in the document: a person's word is on what they see, and that is read now. */
const planNow = (ports: Pick<Ports, 'workspace'>, view: TaskView): string =>
  planDigest(documentOf(ports, view));

/** Whether the plan in the document is the one that was presented. */
export const isAsPresented = (ports: Pick<Ports, 'workspace'>, { item }: Handle, view: TaskView): boolean =>
  item.subjects.plan?.digest === planNow(ports, view);

const CHANGED = 'It was changed since it was presented: it cannot be approved before it is presented again.';

function planLines(ports: Ports, handle: Handle, view: TaskView): readonly string[] {
  const { layout, settings } = view;
  const text = documentOf(ports, view);
  const assessed = assessmentOf(handle);
  return [
    isAsPresented(ports, handle, view) ? `The plan of ${layout.task} is complete.` : CHANGED,
    `Risk ${riskOf(handle)}; agents ${agentsOf(handle).join(', ')}; why: ${assessed?.reason ?? ''}`,
    ...text.split(/\r?\n/).filter((line) => line.trim() !== ''),
    `This is all of ${layout.taskMd}`,
    `Answer "${settings.approvalWords.join('" or "')}" to begin, or say what is to be changed.`,
  ];
}

function commitLines({ item }: Handle, { layout, settings }: TaskView): readonly string[] {
  const step = item.steps.findLast(({ command }) => command === 'present');
  const commit = item.subjects.commit?.digest ?? '';
  const at = String(step?.facts.remote_branch ?? layout.branch);
  const where =
    at === layout.branch ? 'is here for review: there is no remote to push it to' : 'is pushed for review';
  return [
    `The branch ${layout.branch} of ${layout.task} ${where}.`,
    `Commit ${commit}`,
    `At ${at}`,
    `Answer "${settings.approvalWords.join('" or "')}" to let it land, or say what is to be changed.`,
  ];
}

/**
 * A person approves what was shown to them, and nothing else: a plan or a commit that moved since is another (PROTO-110,
 * PROTO-283 to PROTO-294, CP-14, CP-15). Without the proof of the human channel it is refused.
 */
export async function approveTask(
  ports: Ports,
  caller: Caller,
  task: string,
  of: Presented,
): Promise<Outcome> {
  const { id } = await taskItem(ports, task);
  return walk(ports, caller, {
    ...plain,
    ref: id,
    name: of.kind,
    confirms: () => of.digest,
    decide: (handle, world, command) => {
      const present = handle.item.subjects[of.kind === 'checkpoint' ? 'commit' : 'plan']?.digest ?? '';
      if (present !== of.subject)
        return {
          kind: 'refused',
          code: 'gate-closed',
          because:
            of.kind === 'plan-approval'
              ? `the plan that was shown is not the one that was presented: countersign task present-plan ${taskNameOf(handle)}`
              : `what was shown of ${taskNameOf(handle)} is not what it is now`,
          verdicts: [],
        };
      const facts = { type: of.type, shown: of.digest, subject: of.subject };
      return record(
        handle.protocol,
        handle.item,
        command,
        { kind: of.kind, outcome: 'approved', facts, asker: caller.actor },
        world,
      );
    },
  });
}
