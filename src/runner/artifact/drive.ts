import { randomBytes, randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { canonicalize } from '../../attestation/canonical.ts';
import { asMapping } from '../parsers/json.ts';
import { type Consumer, programName, runInPlace } from './consumer.ts';
import { driverText } from './driver.ts';
import type { Call } from './examples.ts';
import type { Way } from './manifest.ts';
import type { Tagged } from './value.ts';

/** One call by one way. `call` undefined only loads the entry. */
export interface Probe {
  readonly call: Call | undefined;
  readonly way: Way;
}

/** What came back. Only what bears the mark of the process counts; `nothing` says how it ended instead. */
export type Answer =
  | { readonly kind: 'returned' | 'resolved'; readonly value: Tagged }
  | { readonly kind: 'threw'; readonly message: string }
  | NoAnswer;

export type NoAnswer =
  | { readonly kind: 'unloaded'; readonly message: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'untold' }
  | { readonly kind: 'nothing'; readonly ended: string };

const batchSize = 20;

/**
 * Makes the calls in plain processes, at most 20 in one and in random order, and answers in the order of the probes.
 * Calls that got no answer because another ended their process are made again, each alone.
 */
export async function drive(
  consumer: Consumer,
  name: string,
  probes: readonly Probe[],
): Promise<readonly Answer[]> {
  const answers = new Map<Probe, Answer>();
  for (const group of batches(probes)) {
    for (const [probe, answer] of await driveOne(consumer, name, group)) answers.set(probe, answer);
    const lost = group.length > 1 ? group.filter((probe) => answers.get(probe)?.kind === 'nothing') : [];
    for (const probe of lost) answers.set(probe, await driveAlone(consumer, name, probe));
  }
  return probes.map((probe) => answers.get(probe) ?? { kind: 'nothing', ended: 'was not asked' });
}

/** Makes one call in a process of its own: what others left behind in a package cannot change its answer. */
export async function driveAlone(consumer: Consumer, name: string, probe: Probe): Promise<Answer> {
  const answers = await driveOne(consumer, name, [probe]);
  return answers.get(probe) ?? { kind: 'nothing', ended: 'was not asked' };
}

function batches(probes: readonly Probe[]): readonly (readonly Probe[])[] {
  const rest = [...probes];
  const mixed = probes.flatMap(() => rest.splice(randomInt(rest.length), 1));
  const count = Math.ceil(mixed.length / batchSize);
  return Array.from({ length: count }, (_, n) => mixed.slice(n * batchSize, (n + 1) * batchSize));
}

async function driveOne(
  consumer: Consumer,
  name: string,
  group: readonly Probe[],
): Promise<ReadonlyMap<Probe, Answer>> {
  const program = programName();
  await writeFile(join(consumer.place, program), driverText);
  const mark = randomBytes(16).toString('hex');
  const jobs = group.map(({ call, way }, number) => ({
    number,
    way,
    name: `${name}${call?.entry ?? ''}`,
    path: call?.path ?? null,
    args: call?.args,
  }));
  const ended = await runInPlace(consumer, ['node', program], JSON.stringify({ mark, jobs }));
  const said = readLines(ended.stdout.toString('utf8').replaceAll(dirname(consumer.place), ''), mark);
  const how = endOf(ended);
  return new Map(group.map((probe, number) => [probe, said.get(number) ?? { kind: 'nothing', ended: how }]));
}

function endOf(ended: Awaited<ReturnType<typeof runInPlace>>): string {
  if (ended.aborted) return 'was aborted';
  if (ended.notFound) return 'could not be started';
  if (ended.timedOut) return 'took too long';
  if (ended.overflowed) return 'wrote too much';
  return `ended with ${ended.exitCode ?? ended.signal}`;
}

/** A call that is answered twice is answered by somebody else as well: such an answer is none. */
function readLines(printed: string, mark: string): ReadonlyMap<number, Answer> {
  const answers = new Map<number, Answer>();
  for (const line of printed.split('\n')) {
    const [number, answer] = readLine(line, mark) ?? [-1];
    if (answer === undefined) continue;
    answers.set(number, answers.has(number) ? { kind: 'nothing', ended: 'answered twice' } : answer);
  }
  return answers;
}

function readLine(line: string, mark: string): readonly [number, Answer] | undefined {
  try {
    const [first, number, kind, value]: unknown[] = JSON.parse(line);
    if (first !== mark || typeof number !== 'number') return undefined;
    return [number, answerOf(kind, value)];
  } catch {
    return undefined;
  }
}

function answerOf(kind: unknown, value: unknown): Answer {
  if (kind === 'returned' || kind === 'resolved') {
    // Parsed JSON has a canonical form unless it is nested too deeply or holds half a character.
    const tagged = value as Tagged;
    return isCanonical(tagged) ? { kind, value: tagged } : { kind: 'untold' };
  }
  if (kind === 'threw' || kind === 'unloaded')
    return { kind, message: typeof value === 'string' ? value : (JSON.stringify(asMapping(value)) ?? '') };
  return kind === 'absent' ? { kind } : { kind: 'untold' };
}

function isCanonical(value: Tagged): boolean {
  try {
    return canonicalize(value) !== '';
  } catch {
    return false;
  }
}
