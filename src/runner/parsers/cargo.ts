import { countOf, guarded, numbered, type TestCase } from '../report.ts';

const outcomes: Readonly<Record<string, TestCase['outcome']>> = {
  ok: 'passed',
  FAILED: 'failed',
  ignored: 'skipped',
};

/** An example of the documentation is told with its line, which a change above it moves: its item is its name. */
const PLACE = /^(\S+\.rs - .*?) ?\(line \d+\)/;

/**
 * The text of `cargo test`. Each block (one test binary) must announce as many tests as it lists and sum them up
 * correctly; anything else is incomplete.
 */
export const parse = guarded((text) => {
  const blocks = text.split(/^(?=running \d+ tests?$)/m).filter((block) => /^running \d/.test(block));
  if (blocks.length === 0) return undefined;
  const read = blocks.map(blockOf);
  return {
    tests: numbered(read.flatMap(({ tests }) => tests)),
    complete: read.every(({ complete }) => complete),
  };
});

function blockOf(block: string): { tests: readonly TestCase[]; complete: boolean } {
  const announced = Number(/^running (\d+)/.exec(block)?.[1]);
  const tests = [...block.matchAll(/^test (.+?) \.\.\. (ok|FAILED|ignored)(?:, .*)?$/gm)].map(
    ([, said = '', word = '']): TestCase => {
      const name = said.replace(PLACE, '$1');
      return { id: name, name, outcome: outcomes[word] ?? 'failed' };
    },
  );
  const sums = [
    ...block.matchAll(
      /^test result: (ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored; (\d+) measured; \d+ filtered out(?:; finished in [\d.]+s)?\r?\n/gm,
    ),
  ];
  const [, word, passed, failed, ignored, measured] = sums.length === 1 ? (sums[0] ?? []) : [];
  const complete =
    announced === tests.length &&
    Number(passed) === countOf(tests, 'passed') &&
    Number(failed) === countOf(tests, 'failed') &&
    Number(ignored) === countOf(tests, 'skipped') &&
    measured === '0' &&
    (word === 'ok') === (failed === '0');
  return { tests, complete };
}
