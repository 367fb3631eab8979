import type { Caller } from '../../engine/caller.ts';
import { claimedTree, protectedChanges } from '../../engine/claim-shown.ts';
import type { Opened } from '../../engine/composition.ts';
import { callerOf } from '../../engine/credential.ts';
import { errorTold } from '../../engine/error-told.ts';
import type { Outcome } from '../../engine/execute.ts';
import { acknowledge, awaitsPerson, failuresShown } from '../../engine/failure-review.ts';
import { isAtGate } from '../../engine/gates.ts';
import { type Handle, loadItem } from '../../engine/handle.ts';
import { isPromptCode, promptCode, promptProof } from '../../engine/prompt-proof.ts';
import { toldOf } from '../../engine/refusal-told.ts';
import { speak } from '../../engine/voice.ts';
import { type Answer, block, context, SILENT } from '../answer.ts';
import { dropShown, keepShown, type Shown, shownIn } from '../bindings.ts';
import type { Moment } from '../payload.ts';
import type { Surroundings } from '../surroundings.ts';

/** How long a code holds, and how often another may be typed. */
const HOLDS_MS = 15 * 60_000;
const TRIES = 3;

const LINE = /^countersign (ack|approve|sign-off) ([A-Za-z]+-\d{1,15})(?: ([A-Za-z0-9]{6}))?$/;

/**
 * The human channel: exactly this line, typed by the person. Without a code it shows what the word would be about; with
 * the code that was shown it is given, for just that. Any other prompt is none of ours.
 */
export async function userPromptSubmit(
  { prompt, session, agent }: Moment,
  around: Surroundings,
): Promise<Answer> {
  // What an agent is given as its prompt was written by another agent.
  if (agent !== '') return SILENT;
  const [, command, ref = '', code] = LINE.exec(prompt.trim()) ?? [];
  if (command === undefined) return SILENT;
  const opened = await around.open();
  try {
    const handle = await loadItem(opened.ports, ref);
    const said = { command: command as Command, handle, session };
    return code === undefined
      ? await present(opened, said, around.state)
      : await give(opened, said, around.state, code.toUpperCase());
  } catch (error) {
    const { message, hint } = errorTold(error);
    return block(hint === '' ? message : `${message}\nnext: ${hint}`);
  } finally {
    await opened.ports.store.close();
  }
}

type Command = 'ack' | 'approve' | 'sign-off';

interface Said {
  readonly command: Command;
  readonly handle: Handle;
  readonly session: string;
}

const purposeOf = ({ command, handle }: Said) => `${command} ${handle.id}/${handle.item.attempt}`;

async function present(opened: Opened, said: Said, state: string): Promise<Answer> {
  const { ports } = opened;
  const { command, handle, session } = said;
  const subject = await subjectOf(opened, said);
  if (subject === undefined) return refused(await take(opened, said, await callerOf(opened, '')), command);
  const { code, kept } = promptCode(subject.digest, ports.random);
  const at = ports.clock().getTime();
  keepShown(state, session, {
    ...{ digest: subject.digest, kept, at, tries: 0 },
    purpose: purposeOf(said),
  });
  return block(
    `${subject.text}\n\nTo say "${command}" about exactly this, type: countersign ${command} ${handle.display} ${code}`,
  );
}

async function give(opened: Opened, said: Said, state: string, code: string): Promise<Answer> {
  const { ports } = opened;
  const { command, handle, session } = said;
  const purpose = purposeOf(said);
  const shown = shownIn(state, session, purpose);
  const again = `type: countersign ${command} ${handle.display}`;
  const now = ports.clock();
  if (shown === undefined || now.getTime() - shown.at > HOLDS_MS)
    return block(`Nothing was shown in this session to which that code belongs. To see it, ${again}`);
  if (!isPromptCode(code, String(shown.kept))) return wrong(state, session, shown, again);
  dropShown(state, session, purpose);
  const subject = await subjectOf(opened, said);
  if (subject?.digest !== shown.digest)
    return block(`What was shown has changed since. To see it anew, ${again}`);
  const person = await callerOf(opened, '');
  const proof = promptProof({ digest: shown.digest, purpose, at: now, random: ports.random });
  const outcome = await take(opened, said, { ...person, proof });
  if (outcome.kind === 'refused') return refused(outcome, command);
  return context(`${person.actor.id} said "${command}" about ${handle.display}. Call next to go on.`);
}

function wrong(state: string, session: string, shown: Shown, again: string): Answer {
  const tries = shown.tries + 1;
  if (tries >= TRIES) {
    dropShown(state, session, shown.purpose);
    return block(`That is not the code, and it was the last try. For a new one, ${again}`);
  }
  keepShown(state, session, { ...shown, tries });
  return block('That is not the code that was shown.');
}

/** What the word is about; undefined where the table will refuse it whatever is shown. */
async function subjectOf({ ports }: Opened, { command, handle }: Said) {
  if (command === 'ack') {
    if (!awaitsPerson(handle)) return undefined;
    const { report, digest } = failuresShown(handle);
    return { digest, text: report };
  }
  if (!isAtGate(handle)) return undefined;
  const about = command === 'approve' ? claimedTree : protectedChanges;
  const { digest, lines } = await about(ports, handle);
  return { digest, text: lines.join('\n') };
}

function take({ ports }: Opened, { command, handle }: Said, caller: Caller): Promise<Outcome> {
  const digest = caller.proof?.digest ?? '';
  const ref = handle.id;
  if (command === 'ack') return acknowledge(ports, caller, ref, digest);
  const kind = command === 'approve' ? 'approval' : 'sign-off';
  const commit = handle.item.subjects.commit?.digest ?? '';
  const facts = { reason: '' };
  return speak(ports, caller, { ref, name: command, kind, outcome: 'approve', commit, digest, facts });
}

function refused(outcome: Outcome, command: string): Answer {
  if (outcome.kind !== 'refused') return SILENT;
  const { message, missing } = toldOf(outcome, command);
  return block([message, ...missing.map((v) => `- ${v.because}`)].join('\n'));
}
