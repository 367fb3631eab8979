import { type Finding, namesOf } from './finding.ts';
import { linesOf } from './line-diff.ts';
import { leavesAtOnce, skipMarks } from './skip-marks.ts';
import type { Followed, TestSides } from './test-sides.ts';

/** New marks that keep tests from running, and tests that leave before they assert anything. */
export function skipFindings(sides: readonly TestSides[], { pairs }: Followed): readonly Finding[] {
  const moved = new Map<string, number>();
  for (const side of sides)
    for (const line of markedLines(side, 'before')) moved.set(line.text, (moved.get(line.text) ?? 0) + 1);
  return sides.flatMap((side) => {
    const marks = markedLines(side, 'after').filter(({ text }) => {
      const count = moved.get(text) ?? 0;
      moved.set(text, count - 1);
      return count <= 0;
    });
    const leaving = leavers(side, pairs);
    return [
      ...marks
        .slice(0, 1)
        .map(({ line, text }) =>
          finding(side, `keeps tests from running in line ${line + 1}: ${text.slice(0, 80)}`),
        ),
      ...(leaving.length > 0 ? [finding(side, `has tests that leave at once: ${namesOf(leaving)}`)] : []),
    ];
  });
}

const finding = (side: TestSides, what: string): Finding => ({
  reason: 'test-skipped',
  path: side.text.path,
  message: `${JSON.stringify(side.text.path)} ${what}`,
  signable: true,
});

/** Lines with a mark that the change took away, or brought: a line that only moved stands on both sides. */
function markedLines(side: TestSides, when: 'before' | 'after'): readonly { line: number; text: string }[] {
  const { source, language } = side[when];
  const diff = side.text.diff();
  const changed = when === 'before' ? diff.removed : diff.added;
  const lines = linesOf(source.code);
  const found = skipMarks(language, source.bare)
    .filter(({ at, conditional }) => when === 'before' || !conditional || !isOfNewTest(side, at))
    .map(({ at }) => source.bare.slice(0, at).split('\n').length - 1)
    .filter((line) => changed.has(line));
  return [...new Set(found)].map((line) => ({ line, text: (lines[line] ?? '').trim() }));
}

/** A test that never ran anywhere may ask for a platform. */
const isOfNewTest = (side: TestSides, at: number) =>
  side.text.before === '' ||
  side.fresh.some(
    ({ head, start, bare }) => at >= head && at <= start + Math.max(0, bare.search(/=>|\bfunction\b/)),
  );

function leavers(side: TestSides, pairs: Followed['pairs']): readonly string[] {
  const { language, tests } = side.after;
  const before = new Map(pairs.map((pair) => [pair.after, pair.before]));
  return tests
    .filter((test) => {
      const how = leavesAtOnce(language, test.bare);
      const old = before.get(test);
      if (old === undefined) return how === 'always';
      return how !== 'no' && leavesAtOnce(language, old.bare) !== how;
    })
    .map(({ name }) => name);
}
