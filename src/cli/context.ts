import type { Caller } from '../engine/caller.ts';
import type { Composition, HumanQuestion, Opened } from '../engine/composition.ts';
import { callerOf } from '../engine/credential.ts';
import { EngineError } from '../engine/engine-error.ts';
import { type Handle, loadItem } from '../engine/handle.ts';
import { projectChanges } from '../engine/project.ts';
import { withoutCommits } from '../engine/without-commits.ts';
import { note, type Output } from './print.ts';

/** What every command gets: the composition, where answers go, and who calls. */
export interface Cli {
  readonly composition: Composition;
  readonly output: Output;
  /** `--actor`, else COUNTERSIGN_ACTOR, else '' = the person whose machine this is. */
  readonly actor: string;
  readonly interactive: boolean;
  /** COUNTERSIGN_SESSION, else CURRENT_SESSION_ID, '' for none: the session that holds tasks in stages. */
  readonly session: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

export interface Session extends Opened {
  readonly caller: Caller;
}

/** Opens the repository's store as the actor that the credential shows, does the work, and closes it. */
export async function withSession<T>(cli: Cli, work: (session: Session) => Promise<T>): Promise<T> {
  const opened = await cli.composition.open();
  try {
    const caller = await callerOf(opened, cli.actor);
    const done = await work({ ...opened, caller });
    for (const remark of await projectChanges(opened)) note(cli.output, `note: ${remark}`);
    return done;
  } catch (error) {
    throw withoutCommits(opened.ports, error) ?? error;
  } finally {
    await opened.ports.store.close();
  }
}

/** Opens the repository's store for what the engine does by itself, whoever calls, and closes it. */
export async function withStore<T>(cli: Cli, work: (opened: Opened) => Promise<T>): Promise<T> {
  const opened = await cli.composition.open();
  try {
    return await work(opened);
  } finally {
    await opened.ports.store.close();
  }
}

/** The same caller, after a person at the terminal confirmed what was shown. Throws NO_CREDENTIAL. */
export async function confirmed(cli: Cli, caller: Caller, question: HumanQuestion): Promise<Caller> {
  if (caller.actor.kind !== 'human') {
    throw new EngineError(
      'NO_CREDENTIAL',
      `only a person may do this, ${caller.actor.id} is an agent`,
      'ask a person to run it',
    );
  }
  const answer = await cli.composition.ask(question);
  if (answer.ok) return { ...caller, proof: answer.proof };
  throw new EngineError('NO_CREDENTIAL', answer.because, answer.fix);
}

/** What a person is asked about an item. */
export interface ItemQuestion {
  readonly title: string;
  readonly purpose: string;
  /** Where there is something to confirm; elsewhere nobody is asked, and the table refuses. */
  readonly when: (item: Handle['item']) => boolean;
  readonly shownOf: (handle: Handle) => { readonly shown: string; readonly digest: string };
}

/** The same caller, after a person confirmed at the terminal what they were shown of an item. Throws NO_CREDENTIAL, NOT_FOUND. */
export async function confirmedOn(
  cli: Cli,
  { ports, caller }: Pick<Session, 'ports' | 'caller'>,
  ref: string,
  { title, purpose, when, shownOf }: ItemQuestion,
): Promise<Caller> {
  const handle = await loadItem(ports, ref);
  const { display, id, item } = handle;
  if (!when(item)) return caller;
  return confirmed(cli, caller, {
    title: `${title}: ${display} ${item.title}`,
    ...shownOf(handle),
    purpose: `${purpose} ${id}/${item.attempt}`,
  });
}
