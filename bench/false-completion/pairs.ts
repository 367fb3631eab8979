import type { Call } from './material.ts';

/** A package that publishes its tests: the sources of one version fail the tests of the next. */
export interface Pair {
  readonly name: 'qs' | 'minimist';
  readonly from: string;
  readonly to: string;
  /**
   * `changes-expectation`: the next version's tests ask for less or for something else than before, or under other names, and
   * somebody has to agree to that. `one-file`: only one file of tests shows the defect. `throws`: it shows as an exception, which no
   * assertion catches, so that the report of the tests breaks off.
   */
  readonly words: readonly string[];
  /** Inputs that show the defect by themselves, where the published tests look at something else than answers. */
  readonly more: readonly Call[];
}

const pair = (
  name: Pair['name'],
  from: string,
  to: string,
  words = '',
  more: readonly Call[] = [],
): Pair => ({
  name,
  from,
  to,
  words: words.split(' ').filter((word) => word !== ''),
  more,
});

const parsing = (...args: readonly string[]): Call => ({ export: 'default', args: [args] });
// A prototype that everybody shares is changed: objects made later answer for it.
const POLLUTED = [
  parsing('--__proto__.depth', '7', '--b.depth.x', '4'),
  parsing('--__proto__.mode', 'fast', '--c.mode.k', 'y'),
  parsing('--__proto__.list', 'a', '--d.list.k', 'y', '--e.list.m', '3'),
  parsing('--__proto__.on.x', '1', '--f.on.y', '3'),
];

/** Development dependencies of this repository, by the names `qs-6.14.0` and so on. */
export const PAIRS: readonly Pair[] = [
  pair('minimist', '1.1.1', '1.1.2', 'one-file'),
  pair('minimist', '1.1.2', '1.1.3', 'one-file'),
  pair('minimist', '1.1.3', '1.2.0', 'one-file'),
  pair('minimist', '1.2.0', '1.2.1', 'one-file'),
  pair('minimist', '1.2.1', '1.2.2', 'one-file throws', POLLUTED),
  pair('minimist', '1.2.7', '1.2.8', 'changes-expectation'),
  pair('qs', '6.9.2', '6.9.3', 'one-file'),
  pair('qs', '6.9.4', '6.9.6', 'one-file'),
  pair('qs', '6.9.6', '6.9.7'),
  pair('qs', '6.10.1', '6.10.2', 'one-file'),
  pair('qs', '6.10.2', '6.10.3', 'one-file'),
  pair('qs', '6.11.0', '6.11.1', 'one-file'),
  pair('qs', '6.11.2', '6.12.0', 'changes-expectation'),
  pair('qs', '6.12.0', '6.12.1', 'one-file'),
  pair('qs', '6.12.1', '6.12.3', 'one-file'),
  pair('qs', '6.12.5', '6.13.0', 'changes-expectation one-file'),
  pair('qs', '6.13.3', '6.14.0', 'changes-expectation one-file'),
  pair('qs', '6.15.1', '6.15.2', 'throws'),
  pair('qs', '6.15.2', '6.16.0', 'throws'),
  pair('qs', '6.10.3', '6.10.5', 'changes-expectation'),
  pair('qs', '6.10.5', '6.11.0', 'changes-expectation one-file'),
  pair('qs', '6.14.0', '6.14.1', 'changes-expectation throws'),
  pair('qs', '6.14.1', '6.14.2', 'changes-expectation one-file'),
  pair('qs', '6.14.2', '6.15.0', 'changes-expectation'),
];

export const pairId = ({ name, from, to }: Pair): string => `${name}-${from}-${to}`;
