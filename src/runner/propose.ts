import { ciPrograms, ciTestLines } from './propose/ci.ts';
import { otherLanguages } from './propose/languages.ts';
import { makeTests, makeTools } from './propose/make.ts';
import { nodeProject } from './propose/node.ts';
import type { Machine, Project, ProjectFiles, Tool } from './propose/project.ts';
import { pythonTools, withInterpreter } from './propose/python.ts';
import { tierText, type Wish } from './propose/tiers.ts';
import { weakPoints } from './weak-points.ts';

/** A first criteria file. Where nothing was recognised there is none: `checks` is 0 and the text ''. */
export interface Proposal {
  readonly text: string;
  readonly checks: number;
  /** What was recognised, for people: the ids of the checks. */
  readonly found: readonly string[];
  /** What people should know about it: what it cannot do, and what this machine lacks. */
  readonly notes: readonly string[];
}

/** Unless something else is asked for: over-strict gates are switched off. */
const light: Wish = { tier: 'light', name: 'default' };

/** A machine that has everything in its usual place. */
const anyMachine: Machine = { variablesFor: () => [] };

/**
 * Recognises the project's own tests and tools and writes criteria of one tier that run them, with a report where the
 * program has one. A Makefile counts where no language shows its tests, the CI where nothing else does. Guesses nothing.
 */
export async function proposeCriteria(
  files: ProjectFiles,
  wish: Wish = light,
  machine: Machine = anyMachine,
): Promise<Proposal> {
  const node = await nodeProject(files);
  const { tests: others, notes: onPython } = withInterpreter(await otherLanguages(files), machine);
  const own = [...node.tests, ...others];
  const made = own.length > 0 ? own : await makeTests(files);
  const lines = await ciTestLines(files);
  const tests = made.length > 0 ? made : ciPrograms(lines);
  const all = [...node.tools, ...(await pythonTools(files)), ...(await makeTools(files))];
  const isTests = ({ run }: Tool) => tests.some((program) => String(program.run) === String(run));
  const tools = all.filter((tool, i) => !isTests(tool) && all.findIndex(({ id }) => id === tool.id) === i);
  const isMissing = ({ run }: Tool) => machine.variablesFor(run[0] ?? '') === undefined;
  const project = { ...node, tests, tools: tools.filter((tool) => !isMissing(tool)) };
  const asked = wish.tier === 'light' ? tools.filter(({ isTest }) => isTest) : tools;
  const missing = asked.filter(isMissing);
  const asWell = made.length > 0 ? lines.filter((line) => !isPlainRun(line)) : [];
  const allow = [...new Set(tests.flatMap(({ run }) => variablesFor(machine, run) ?? []))];
  const remarks = [
    ...asWell.slice(0, 5).map((line) => `The CI runs as well: ${line.slice(0, 100)}`),
    ...project.aside.map((text) => `npm test runs as well, and no check does: ${text.slice(0, 100)}`),
    ...missing.map(({ run }) => `Not found on this machine, and so left out: ${run.join(' ')}`),
  ];
  const { text, ids } = tierText(project, wish, { allow, remarks });
  const notes = [
    ...notesOn(project, wish, machine, allow),
    ...onPython,
    ...remarks.slice(asWell.slice(0, 5).length),
  ];
  return ids.length === 0
    ? { text: '', checks: 0, found: [], notes: [] }
    : { text, checks: ids.length, found: ids, notes };
}

const variablesFor = (machine: Machine, run: readonly string[] | string) =>
  typeof run === 'string' ? [] : isPath(run[0]) ? [] : machine.variablesFor(run[0] ?? '');

const isPath = (word: string | undefined) => word?.includes('/') === true;

function notesOn(
  project: Project,
  { tier }: Wish,
  machine: Machine,
  allow: readonly string[],
): readonly string[] {
  const { tests } = project;
  const notes: string[] = [];
  if (tests.length === 0)
    notes.push('no tests were recognised: what passes these checks is not shown to work (strength none)');
  notes.push(...weakIn(project, tier));
  if (tests.some(({ directory = '' }) => directory !== ''))
    notes.push('each package with tests has a check of its own: a package that is added needs one as well');
  for (const { run } of tests)
    if (variablesFor(machine, run) === undefined)
      notes.push(`${run[0]} was not found on this machine: until it is, its check stays inconclusive`);
  if (allow.length > 0)
    notes.push(
      `${allow.join(' and ')} are let through: the tool chain is in a folder of this account, which programs of this account can write`,
    );
  if (tests.some(({ format }) => format === 'cargo'))
    notes.push('cargo runs offline: crates have to be downloaded before (cargo fetch)');
  if (tier !== 'light' && tests.length > 1)
    notes.push(
      'there are several test programs: none of them is asked to be red on base, since a change need not concern it; a file for each, chosen when an item is opened, can ask for it',
    );
  return notes;
}

function weakIn({ tests, publishable, examples }: Project, tier: Wish['tier']): readonly string[] {
  const untold = tests.filter(({ format }) => format === 'exit');
  const ofExit = untold.map(({ run }) => weakPoints.exitOnly(typeof run === 'string' ? run : run.join(' ')));
  if (tier !== 'strict') return ofExit;
  if (publishable) return examples ? ofExit : [...ofExit, weakPoints.noExamples];
  return untold.length < tests.length ? [...ofExit, weakPoints.noArtifact] : ofExit;
}

/** What the proposed checks do themselves. */
const isPlainRun = (line: string) =>
  /^((npm|pnpm|yarn)( run)? (test|ci)|make (test|check)|(python3? -m )?pytest|cargo test|go test)( |$)/.test(
    line,
  );
