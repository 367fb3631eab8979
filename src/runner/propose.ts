import { ciPrograms, ciTestLines } from './propose/ci.ts';
import { makeTests, otherLanguages } from './propose/languages.ts';
import { nodeProject } from './propose/node.ts';
import type { ProjectFiles } from './propose/project.ts';
import { tierText, type Wish } from './propose/tiers.ts';

/** A first criteria file. `checks` is 0 when nothing was recognised; the text then says what to fill in. */
export interface Proposal {
  readonly text: string;
  readonly checks: number;
  /** What was recognised, for people: the ids of the checks. */
  readonly found: readonly string[];
}

/** Unless something else is asked for: over-strict gates are switched off. */
const light: Wish = { tier: 'light', name: 'default' };

/**
 * Recognises the project's own tests and writes criteria of one tier that run them, with a report where the program
 * has one. A Makefile counts where no language shows its tests, the CI where nothing else does. Guesses nothing.
 */
export async function proposeCriteria(files: ProjectFiles, wish: Wish = light): Promise<Proposal> {
  const node = await nodeProject(files);
  const own = [...node.tests, ...(await otherLanguages(files))];
  const made = own.length > 0 ? own : await makeTests(files);
  const lines = await ciTestLines(files);
  const tests = made.length > 0 ? made : ciPrograms(lines);
  if (tests.length === 0) return { text: blankFor(wish), checks: 0, found: [] };
  const others = made.length > 0 ? lines.filter((line) => !isPlainRun(line)) : [];
  const { text, ids } = tierText({ ...node, tests }, wish, others);
  return { text, checks: ids.length, found: ids };
}

/** What the proposed checks do themselves. */
const isPlainRun = (line: string) =>
  /^((npm|pnpm|yarn)( run)? (test|ci)|make (test|check)|(python3? -m )?pytest|cargo test|go test)( |$)/.test(
    line,
  );

const blankFor = ({
  name,
  tier,
}: Wish) => `# What decides whether work is done. No tests were recognised in this repository.
# Fill in at least one check: until then nothing can be verified. For example:
#   checks:
#     - id: tests
#       kind: command
#       run: ["make", "test"]
#       report: {format: exit}
schema: countersign/criteria/1
name: ${name}
tier: ${tier}
checks: []
`;
