import { spawn } from 'node:child_process';
import { loadItem } from '../../src/engine/handle.ts';
import type { Bench } from '../scratch/repository.ts';
import { sessionOf } from '../scratch/repository.ts';
import { unsoundness, unsoundnessWithAudit } from './soundness.ts';

export interface KillReport {
  /** Processes that were killed while they ran. */
  readonly kills: number;
  readonly processes: number;
  /** Answers that were read whole, from killed processes as well. */
  readonly acknowledged: number;
  /** Verifications that were killed at work and then asked for again. */
  readonly takenOver: number;
  readonly problems: readonly string[];
}

interface Run {
  readonly killed: boolean;
  readonly code: number | null;
  readonly answered: boolean;
  readonly text: string;
}

interface Acknowledged {
  readonly ref: string;
  readonly command: string;
}

const FULL_AUDIT_EVERY = 25;
/** One process in so many is left alone: it must succeed, and shows how long one takes. */
const SPARED = 5;
const NEXT: { readonly [state: string]: string } = {
  pending: 'claim',
  claimed: 'verify',
  verified: 'complete',
};

/** Where a sequence of kills stands. */
interface Rounds {
  readonly bench: Bench;
  readonly bin: string;
  /** Milliseconds that a process of each command takes when it is left alone. */
  readonly usual: Map<string, number>;
  readonly answers: Acknowledged[];
  readonly problems: string[];
  kills: number;
  processes: number;
  takenOver: number;
  /** The item at work, '' for none. */
  ref: string;
  /** The item whose verification was killed last, '' for none. */
  interrupted: string;
}

/**
 * Takes items through their lives with processes of the command line, and kills each process at a random moment.
 * After every kill the store is opened and looked at. A process that was not hit must succeed, so whatever a dead
 * one held is taken over.
 */
export async function killRounds(
  bench: Bench,
  bin: string,
  kills: number,
  random: () => number,
): Promise<KillReport> {
  const rounds: Rounds = {
    ...{ bench, bin, usual: new Map(), answers: [], problems: [] },
    ...{ kills: 0, processes: 0, takenOver: 0, ref: '', interrupted: '' },
  };
  while (rounds.kills < kills && rounds.problems.length === 0) await oneRound(rounds, random);
  rounds.problems.push(...(await look(bench, rounds.answers, true)));
  const { processes, takenOver, answers, problems } = rounds;
  return { kills: rounds.kills, processes, takenOver, acknowledged: answers.length, problems };
}

async function oneRound(rounds: Rounds, random: () => number): Promise<void> {
  const { bench, bin, usual, problems } = rounds;
  const state = rounds.ref === '' ? '' : await stateOf(bench, rounds.ref);
  const command = NEXT[state] ?? 'add';
  rounds.processes += 1;
  const title = `Implement part ${rounds.processes}`;
  const words = command === 'add' ? ['add', title] : [command, rounds.ref];
  // Work that was verified for one item is no other item's.
  if (command === 'claim') bench.repository.commit({ 'work.txt': `${rounds.processes}\n` }, title);
  const before = command === 'add' ? await itemsIn(bench) : 0;
  const alone = usual.get(command);
  const began = performance.now();
  const spared = alone === undefined || rounds.processes % SPARED === 0;
  const run = await runKilled(bench, bin, words, spared ? undefined : random() * alone * 1.2);
  if (run.killed) rounds.kills += 1;
  else if (spared) usual.set(command, learned(alone, performance.now() - began));
  if (!run.killed && run.code !== 0) problems.push(`${words.join(' ')} ended with ${run.code}: ${run.text}`);
  if (command === 'add') rounds.ref = await added(bench, before, title, run, problems);
  if (command === 'verify') await noteVerification(rounds, run.killed);
  if (run.answered && rounds.ref !== '') rounds.answers.push({ ref: rounds.ref, command });
  problems.push(...(await look(bench, rounds.answers, rounds.processes % FULL_AUDIT_EVERY === 0)));
}

/** A verification that was killed at work, and that a later process brought to its end. */
async function noteVerification(rounds: Rounds, killed: boolean): Promise<void> {
  const open = (await stateOf(rounds.bench, rounds.ref)) === 'claimed';
  if (!open && rounds.interrupted === rounds.ref) rounds.takenOver += 1;
  rounds.interrupted = open && killed ? rounds.ref : '';
}

const learned = (usual: number | undefined, milliseconds: number) =>
  usual === undefined ? milliseconds : usual * 0.8 + milliseconds * 0.2;

function runKilled(
  bench: Bench,
  bin: string,
  words: readonly string[],
  after: number | undefined,
): Promise<Run> {
  const child = spawn(process.execPath, [bin, '--json', ...words], { cwd: bench.top, env: bench.env });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  const timer = after === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), after);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ killed: signal === 'SIGKILL', code, answered: /^\{.*"ok":true.*\}$/m.test(text), text });
    });
  });
}

async function stateOf(bench: Bench, ref: string): Promise<string> {
  const { ports } = await sessionOf(bench);
  try {
    return (await loadItem(ports, ref)).item.state;
  } finally {
    await ports.store.close();
  }
}

async function itemsIn(bench: Bench): Promise<number> {
  const { ports } = await sessionOf(bench);
  try {
    return await ports.store.lastNumber();
  } finally {
    await ports.store.close();
  }
}

/** The item that `add` made; '' when it was killed before it made one. Two, or none with an answer, is a problem. */
async function added(
  bench: Bench,
  before: number,
  title: string,
  run: Run,
  problems: string[],
): Promise<string> {
  const { ports } = await sessionOf(bench);
  try {
    const rows = (await ports.store.allItems(before, 10)).filter((row) => row.title === title);
    if (rows.length > 1) problems.push(`${title} was added ${rows.length} times`);
    if (rows.length === 0 && run.answered) problems.push(`${title} was acknowledged and is lost`);
    return rows[0] === undefined ? '' : `T-${rows[0].number}`;
  } finally {
    await ports.store.close();
  }
}

/** Everything that must hold after a kill: the store is sound, and every answer still stands, once. */
async function look(
  bench: Bench,
  answers: readonly Acknowledged[],
  fully: boolean,
): Promise<readonly string[]> {
  const { ports } = await sessionOf(bench);
  try {
    const problems = [...(await (fully ? unsoundnessWithAudit(ports) : unsoundness(ports)))];
    for (const { ref, command } of fully ? answers : answers.slice(-8)) {
      const { item } = await loadItem(ports, ref);
      const times = command === 'add' ? 1 : item.steps.filter((step) => step.command === command).length;
      if (times !== 1) problems.push(`${command} ${ref} was acknowledged and happened ${times} times`);
    }
    return problems;
  } finally {
    await ports.store.close();
  }
}
