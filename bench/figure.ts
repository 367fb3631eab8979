import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';

/** What the same machine does without us, in the unit of the figure: raw SQLite, an empty process. */
export interface Floor {
  readonly name: string;
  readonly value: number;
}

/** One published number with everything needed to doubt it. `n` counts the repetitions behind it. */
export interface Figure {
  readonly figure: string;
  readonly n: number;
  readonly value: number;
  readonly unit: string;
  readonly floor: Floor | null;
  /** value / floor; null without a floor or over a floor of zero. */
  readonly ratio: number | null;
  /** `[value|ratio] OP NUMBER`, as in `>= 0.8`. Without a word: the ratio where there is a floor, else the value. */
  readonly goal: string | null;
  /** Null when there is no goal. A goal that could not be judged is not met. */
  readonly met: boolean | null;
  readonly machine: string;
  readonly commit: string;
}

/** Where a bench finds the product, and what it stamps its figures with. */
export interface MeasureOptions {
  /** Absolute path of the checkout. */
  readonly root: string;
  /** Absolute path of the built start file; it exists. */
  readonly bin: string;
  readonly machine: string;
  readonly commit: string;
  /** A folder of further scenarios, absolute. */
  readonly scenarios?: string;
}

export type Measured = Pick<Figure, 'figure' | 'n' | 'value' | 'unit'> &
  Partial<Pick<Figure, 'floor' | 'goal'>>;

/** Completes what was measured: ratio to the floor, whether the goal is met, machine and commit. */
export function figure(
  { floor = null, goal = null, ...measured }: Measured,
  options: MeasureOptions,
): Figure {
  const ratio = floor === null || floor.value === 0 ? null : measured.value / floor.value;
  const met = goal === null ? null : meets(goal, measured.value, ratio, floor !== null);
  return { ...measured, floor, ratio, goal, met, machine: options.machine, commit: options.commit };
}

const GOAL = /^(?:(value|ratio) )?(>=|<=|>|<|=) (-?\d+(?:\.\d+)?)$/;

function meets(goal: string, value: number, ratio: number | null, floored: boolean): boolean {
  const [, word, operator, limit] = GOAL.exec(goal) ?? [];
  if (operator === undefined || limit === undefined) throw new RangeError(`not a goal: ${goal}`);
  const judged = (word ?? (floored ? 'ratio' : 'value')) === 'ratio' ? ratio : value;
  if (judged === null || Number.isNaN(judged)) return false;
  const bound = Number(limit);
  if (operator === '=') return judged === bound;
  if (operator === '>') return judged > bound;
  if (operator === '<') return judged < bound;
  return operator === '>=' ? judged >= bound : judged <= bound;
}

/** The middle value, or the mean of the two in the middle. Throws RangeError on no values. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which the share `q` (0 to 1) lies, interpolated. Throws RangeError on no values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * q;
  const low = sorted[Math.floor(place)];
  const high = sorted[Math.ceil(place)];
  if (low === undefined || high === undefined) throw new RangeError('no values, so no quantile');
  return low + (high - low) * (place - Math.floor(place));
}

/** Processors, memory, system and Node in one line. */
export function machine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} x ${model}, ${memory} GiB, ${process.platform} ${process.arch}, Node ${process.version}`;
}

/** The checked-out commit, with `+changes` when the tree differs from it, or `no commit`. */
export function commit(root: string): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    const head = git('rev-parse', 'HEAD');
    return git('status', '--porcelain') === '' ? head : `${head}+changes`;
  } catch {
    return 'no commit';
  }
}

const short = (value: number) =>
  Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));

const verdict = (met: boolean | null) => (met === null ? '' : met ? 'met' : 'MISSED');

/** For people: one aligned row a figure, the machine and the commit once below. */
export function table(figures: readonly Figure[]): string {
  const head = ['figure', 'n', 'value', 'unit', 'floor', 'ratio', 'goal', ''];
  const rows = figures.map((f) => [
    f.figure,
    String(f.n),
    short(f.value),
    f.unit,
    f.floor === null ? '' : `${f.floor.name} ${short(f.floor.value)}`,
    f.ratio === null ? '' : short(f.ratio),
    f.goal ?? '',
    verdict(f.met),
  ]);
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const lines = all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const stamps = [...new Set(figures.map((f) => `${f.machine}\ncommit ${f.commit}`))];
  return [...lines, '', ...stamps].join('\n');
}
