import { EXAMPLES, type Project, type TestProgram, type Tool } from './project.ts';
import { withWords } from './shell-words.ts';
import { usualPatterns } from './test-places.ts';

/** How much is asked of work: light is fast, standard is hard to fool, strict also costs time and people. */
export const tiers = ['light', 'standard', 'strict'] as const;
export type Tier = (typeof tiers)[number];

/** What a proposal is for. */
export interface Wish {
  readonly tier: Tier;
  readonly name: string;
}

/** The text of a criteria file, and the ids of its checks. */
export interface TierText {
  readonly text: string;
  readonly ids: readonly string[];
}

/** What goes with the checks of a project: variables that they need, and remarks at the top of the file. */
export interface Surroundings {
  readonly allow: readonly string[];
  readonly remarks: readonly string[];
}

/** Writes one tier. Without any test program light has no check at all: `ids` is empty then, and the text no criteria. */
export function tierText(project: Project, wish: Wish, { allow, remarks }: Surroundings): TierText {
  const checks = checksOf(project, wish.tier);
  const build = wish.tier === 'strict' && project.publishable ? setupFor(project) : '';
  const remark = remarks.map((line) => `# ${line}\n`).join('');
  const needed = allow.length === 0 ? '' : `environment:\n  allow: [${allow.join(', ')}]\n`;
  const body = checks.map(({ text }) => text).join('');
  return {
    text: `${headOf(wish)}${remark}${build}${needed}checks:\n${body}`,
    ids: checks.map(({ id }) => id),
  };
}

const about: Readonly<Record<Tier, string>> = {
  light: 'Light: the tests pass on a clean checkout. Fast, and honest work is never held up.',
  standard: 'Standard: the tests are tried themselves (canary, census, tests of the base, red on base).',
  strict:
    'Strict: standard, and mutants, what a consumer gets, and a review. It takes time and other people.',
};

const headOf = ({
  tier,
  name,
}: Wish) => `# What decides whether work is done. Read from the base commit of each item, never from the work itself.
# ${about[tier]}
# Other tiers: ${tiers
  .filter((other) => other !== tier)
  .map((other) => `countersign criteria init --tier ${other} --name ${other}`)
  .join('; ')}
# Can each check fail? countersign criteria check ${name}
schema: countersign/criteria/1
name: ${name}
tier: ${tier}
`;

/** What is packed has to be built first. */
const setupFor = ({ build }: Project) =>
  build === undefined ? '' : `setup:\n  build:\n    - ${JSON.stringify(build)}\n`;

interface CheckText {
  readonly id: string;
  readonly text: string;
}

function checksOf(project: Project, tier: Tier): readonly CheckText[] {
  const tests = project.tests.map((program) => testText(program, tier, project.tests.length > 1));
  const behind = project.tools.filter(({ isTest }) => isTest).map(toolText);
  if (tier === 'light') return [...tests, ...behind];
  // Tests are of the builder's making, and what they leave in the checkout a later program finds there.
  const before = project.tools.filter(({ isTest }) => !isTest).map(toolText);
  const standard = [...before, ...tests, ...behind, changeText];
  return tier === 'standard' ? standard : [...standard, ...strictOnly(project)];
}

/** Of several test programs each looks after its own: which of them has to show a change, nobody can say beforehand. */
const AMONG_OTHERS = '    controls: [canary, census, base-tests]\n';

const KNOWN = '    # Tests that fail on the base already block all work, unless: known_failures: tolerate\n';

function testText(program: TestProgram, tier: Tier, isOneOfMany: boolean): CheckText {
  const { id, format, path, note, coverage, directory = '' } = program;
  // Controls need the names of tests; an exit code has none.
  const kind = tier === 'light' || format === 'exit' ? 'command' : 'tests';
  const run = withWords(program.run, tier === 'strict' ? (coverage?.words ?? []) : []);
  const shell = typeof run === 'string' ? '    shell: true\n' : '';
  const report = path === '' ? `{format: ${format}}` : `{format: ${format}, path: ${path}}`;
  const remark = note === '' ? '' : `    # ${note}\n`;
  const folder = directory === '' ? '' : `    directory: ${JSON.stringify(directory)}\n`;
  const patterns = patternsOf(program);
  const files = patterns === undefined || kind !== 'tests' ? '' : `    files: ${JSON.stringify(patterns)}\n`;
  const controls = kind === 'tests' && isOneOfMany ? AMONG_OTHERS : '';
  const known = kind === 'tests' ? KNOWN : '';
  return {
    id,
    text: `  - id: ${id}\n    kind: ${kind}\n${remark}    run: ${JSON.stringify(run)}\n${shell}${folder}    report: ${report}\n${files}${controls}${known}`,
  };
}

/** Which paths are tests, where that has to be said: below the folder of a package as usual. */
function patternsOf({ directory = '', files }: TestProgram): readonly string[] | undefined {
  if (directory === '') return files;
  return (files ?? usualPatterns).map((pattern) => `${directory}/${pattern}`);
}

const toolText = ({ id, run }: Tool): CheckText => ({
  id,
  text: `  - id: ${id}\n    kind: command\n    run: ${JSON.stringify(run)}\n    report: {format: exit}\n`,
});

const changeText: CheckText = {
  id: 'change',
  text: `  - id: change
    kind: diff
    # protected: and forbid: have defaults. allow: would keep the work to some paths.
`,
};

function strictOnly(project: Project): readonly CheckText[] {
  const { publishable, examples } = project;
  const named = project.tests.filter(({ format }) => format !== 'exit');
  // A change that one of several test programs is about goes unnoticed by all others.
  const mutants = project.tests.length > 1 ? [] : named.map(mutantsText);
  const covered = named.flatMap(({ coverage }) => (coverage === undefined ? [] : [coverage]));
  const coverage = covered.map(({ path, format }, i) => {
    const own = i === 0 ? 'coverage' : `coverage-${i + 1}`;
    return {
      id: own,
      text: `  - id: ${own}\n    kind: coverage\n    path: ${path}\n    format: ${format}\n    changed_lines: 80\n`,
    };
  });
  const artifact = publishable
    ? [
        {
          id: 'package',
          text: `  - id: package
    kind: artifact
    pack: npm
${examples ? `    examples: ${EXAMPLES}\n` : later}`,
        },
      ]
    : [];
  return [...mutants, ...coverage, ...artifact, reviewText];
}

const mutantsText = ({ id }: TestProgram): CheckText => ({
  id: 'mutants',
  text: `  - id: mutants\n    kind: mutation\n    of: ${id}\n    max: 20\n`,
});

const later = `    # Without examples it only has to load: a program that looks for the folder of its tests, and does the right
    # thing only beside it, would pass. Somebody other than the builder writes some: docs/verification.md
    # examples: ${EXAMPLES}
`;

const reviewText: CheckText = {
  id: 'reviewed',
  text: '  - id: reviewed\n    kind: review\n    by: [verification-agent]\n    count: 1\n',
};
