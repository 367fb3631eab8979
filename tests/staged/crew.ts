import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256Hex } from '../../src/attestation/digest.ts';
import type { Opened } from '../../src/engine/composition.ts';
import { callerOf } from '../../src/engine/credential.ts';
import type { Outcome } from '../../src/engine/execute.ts';
import { approveTask, presented } from '../../src/engine/staged/checkpoint.ts';
import { forceShown, tellLease } from '../../src/engine/staged/lease-hands.ts';
import { leaseOf, readLease } from '../../src/engine/staged/leases.ts';
import type { Choice } from '../../src/engine/staged/selection.ts';
import { startTask } from '../../src/engine/staged/start-task.ts';
import { taskStep } from '../../src/engine/staged/task-step.ts';
import type { StepOutcome } from '../../src/engine/step.ts';
import { runIn } from '../fixtures/scratch-repo.ts';
import { openSession, type Said, type Session, type Setting, type Told } from '../session.ts';

export const AGENTS = ['architect', 'quality', 'tester'] as const;

export const TODO = `# Todo

## parse-dates

- **Purpose**: dates of other countries are read
- **Scope**: src/dates.js and its tests
- **Components**: dates

## other-task

- **Purpose**: something else
- **Scope**: elsewhere
- **Components**: none
`;

/** A session of work on tasks in stages: the CLI from any folder, as anybody, under any session id. */
export interface Crew {
  readonly session: Session;
  readonly tasks: string;
  readonly code: string;
  /** As the coordinator in the task's worktree, under the session that holds the task. */
  go(...words: readonly string[]): Promise<Said>;
  say(from: string, actor: string, id: string, ...words: readonly string[]): Promise<Said>;
  text(from: string, actor: string, id: string, ...words: readonly string[]): Promise<Told>;
  /** The report of an agent, and its word that it is complete. */
  reports(agent: string, text?: string): Promise<Said>;
  /** What is before the user now, as text. */
  shown(): Promise<string>;
  /** As the person of the machine, whose word at the terminal is on exactly what is shown. */
  approves(): Promise<Pick<Outcome, 'kind'>>;
  /** As the person of the machine, a step that only a person takes, with their word on exactly this step. */
  decides(command: string, reason: string): Promise<Pick<StepOutcome, 'kind'>>;
  /** What a person was shown of a lease before they take it away; the answer is their word. */
  shownForce(what: string, reason: string): Promise<() => Promise<void>>;
  /** A person lets a session go on in the worktree that nobody holds. */
  resumes(id: string): Promise<void>;
  /** A person chooses what becomes of it. */
  chooses(id: string, choice: Choice): Promise<void>;
  write(path: string, text: string): void;
  git(folder: string, ...args: string[]): string;
  close(): void;
}

export const REPORT = (agent: string) =>
  `# What ${agent} needs\n\n- REQ-${agent.toUpperCase()}-1: every date has a test\n\n${'It says why at length. '.repeat(6)}\n`;

/** What a crew begins with. */
export interface Begin {
  readonly config?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly criteria?: string;
}

export async function openCrew(
  options: Begin & {
    readonly wrap?: Setting['wrap'];
    /** The same session, reached in another way. */
    readonly via?: (session: Session) => Promise<Session>;
  } = {},
  root?: string,
): Promise<Crew> {
  const setting = {
    agents: {
      lead: ['coordinator'],
      ...Object.fromEntries([...AGENTS, 'security', 'style'].map((agent) => [agent, ['stakeholder']])),
    },
    config: options.config ?? '',
    files: { 'README.md': '# Scratch\n', 'todo.md': TODO, ...options.files },
    ...(options.criteria === undefined ? {} : { criteria: options.criteria }),
    ...(options.wrap === undefined ? {} : { wrap: options.wrap }),
  };
  const here = await openSession(setting, root);
  here.repo.git('checkout', '-q', 'main');
  return crewOf((await options.via?.(here)) ?? here);
}

/** The crew of a session whose main tree is on the main branch. */
export function crewOf(session: Session): Crew {
  const top = realpathSync(session.repo.top);
  const tasks = join(dirname(top), 'repo.tasks');
  const at = (folder: string) => session.from(folder);
  const code = join(tasks, 'parse-dates', 'code');
  let proofs = 0;
  /** The person of the machine, with their word on what has this digest. */
  const personWord = (digest: string, purpose: string) => async (opened: Opened) => {
    proofs += 1;
    const proof = {
      id: `proof-${session.now()}-${proofs}`,
      digest,
      purpose,
      at: session.now(),
      channel: 'terminal' as const,
    };
    return { ...(await callerOf(opened, '')), token: undefined, proof };
  };
  const say: Crew['say'] = (from, actor, id, ...words) => at(from).say(actor, ...named(words, id));
  const text: Crew['text'] = (from, actor, id, ...words) => at(from).text(actor, ...named(words, id));
  const write: Crew['write'] = (path, content) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  const chooses: Crew['chooses'] = async (id, choice) => {
    await say(session.repo.top, 'lead', id, 'task', 'check', 'parse-dates');
    await session.with(async (opened) =>
      startTask(opened.ports, await personWord('shown', 'choose parse-dates')(opened), {
        ...{ task: 'parse-dates', session: id, kind: 'code', criteria: 'default', choice },
      }),
    );
  };
  return {
    session,
    tasks,
    code,
    say,
    text,
    write,
    go: (...words) => say(code, 'lead', 's-1', ...words),
    async reports(agent, report = REPORT(agent)) {
      write(join(tasks, 'parse-dates', `parse-dates-${agent}-requirements.md`), report);
      return say(code, agent, '', 'task', 'status', 'parse-dates', 'COMPLETE');
    },
    shown: () => session.with(async ({ ports }) => (await presented(ports, 'parse-dates')).lines.join('\n')),
    approves: () =>
      session.with(async (opened) => {
        const shown = await presented(opened.ports, 'parse-dates');
        const { digest, kind, subject } = shown;
        const person = await personWord(digest, `${kind} parse-dates/${subject}`)(opened);
        return approveTask(opened.ports, person, 'parse-dates', shown);
      }),
    decides: (command, reason) =>
      session.with(async (opened) => {
        const asked = { task: 'parse-dates', session: '', command, reason, arguments: {} };
        const person = await personWord(`word on ${command}`, `${command} parse-dates`)(opened);
        return taskStep(opened.ports, person, asked, () => `word on ${command}`);
      }),
    async shownForce(what, reason) {
      const stream = leaseOf(what);
      const { holder } = await session.with(({ ports }) => readLease(ports, stream));
      if (holder === undefined) throw new Error(`nobody holds ${what}`);
      const word = personWord(sha256Hex(forceShown(stream, holder, reason)), `lease force ${what}`);
      return async () => {
        await session.with(async (opened) =>
          tellLease(opened.ports, await word(opened), { stream, session: '', what: 'force', reason }),
        );
      };
    },
    resumes: (id) => chooses(id, 'resume'),
    chooses,
    git: (folder, ...args) => runIn(folder, args),
    close: () => session.close(),
  };
}

/** The session goes with the commands of tasks. */
const named = (words: readonly string[], id: string): readonly string[] =>
  id === '' || !WITH_SESSION.has(words[0] ?? '')
    ? words
    : [words[0] ?? '', '--session', id, ...words.slice(1)];

const WITH_SESSION: ReadonlySet<string> = new Set(['task', 'lease']);
