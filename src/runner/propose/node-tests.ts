import { bin } from './node-command.ts';
import { type Packages, runOf } from './node-programs.ts';
import { type Step, stepsOf } from './node-steps.ts';
import { type TestProgram, type Tool, WEAK } from './project.ts';
import { argvOf } from './shell-words.ts';
import { patternsFor } from './test-places.ts';

/** What `npm test` comes to. */
export interface NodeTests {
  readonly tests: readonly TestProgram[];
  readonly tools: readonly Tool[];
  /** What it does besides and no check repeats. */
  readonly aside: readonly string[];
}

/** What a manifest, its folder and its settings say about tests. */
export interface NodeManifest {
  readonly scripts: Readonly<Record<string, unknown>>;
  readonly packages: Packages;
  /** Names in the folder of the manifest. */
  readonly names: readonly string[];
  /** Tests that the settings of a program name. */
  readonly places: readonly string[];
}

/**
 * The programs that `npm test` runs, with a report each, in front of each what is made for it, and beside them its linters.
 * Where its script asks more of a shell, or no such program is in it, all of it as one command without a report.
 */
export function nodeTests(manifest: NodeManifest): NodeTests {
  const script = String(manifest.scripts.test ?? '').trim();
  if (script.includes('no test specified')) return NOTHING;
  if (script === '') return byPackage(manifest);
  const steps = stepsOf('test', manifest.scripts, manifest.packages);
  const found = (steps ?? []).filter((step) => step.is === 'tests');
  if (steps === undefined || found.length === 0) return { ...NOTHING, tests: [wholeScript] };
  const tests = found.map((step) => testProgram(step, steps, manifest, found.length > 1));
  const last = steps.findLastIndex(({ is }) => is === 'tests');
  const tools = steps.flatMap((step, i) => toolOf(step, i > last));
  const aside = steps.flatMap((step) => (step.is === 'aside' ? [step.text] : []));
  return { tests: differentIds(tests), tools, aside };
}

const NOTHING: NodeTests = { tests: [], tools: [], aside: [] };
const wholeScript: TestProgram = { id: 'tests', run: ['npm', 'test'], format: 'exit', path: '', note: WEAK };

/** Without a script, a test program among the packages says as much. */
function byPackage(manifest: NodeManifest): NodeTests {
  const program = ['vitest', 'jest', 'mocha', 'tape', 'tap'].find((name) =>
    Object.hasOwn(manifest.packages, name),
  );
  return program === undefined ? NOTHING : nodeTests({ ...manifest, scripts: { test: program } });
}

function testProgram(
  step: Extract<Step, { is: 'tests' }>,
  steps: readonly Step[],
  { names, places }: NodeManifest,
  isOneOfMany: boolean,
): TestProgram {
  const { script, command } = step;
  const before = steps.slice(0, steps.indexOf(step));
  const first = before.flatMap((each) => (each.is === 'other' ? [each.words] : []));
  const said = command.places.length > 0 || command.format !== 'mocha' ? command.places : places;
  const files = patternsFor(said, names);
  return {
    id: isOneOfMany ? idFor(script) : 'tests',
    run: runOf(command, first),
    format: command.format,
    path: command.path,
    note: '',
    ...(files === undefined ? {} : { files }),
    // Each would write over what another one measured.
    ...(command.coverage === undefined || isOneOfMany ? {} : { coverage: command.coverage }),
  };
}

/** The same with a number behind each name that was there before. */
export function differentIds<T extends { readonly id: string }>(all: readonly T[]): readonly T[] {
  const before = (id: string, i: number) => all.slice(0, i).filter((other) => other.id === id).length;
  return all.map((one, i) =>
    before(one.id, i) > 0 ? { ...one, id: `${one.id}-${before(one.id, i) + 1}` } : one,
  );
}

const OWN = /^(?:tests|change|mutants|coverage.*|package|reviewed)$/;

const idFor = (name: string) => {
  const id = name.replace(/[^\w.-]+/g, '-').toLowerCase();
  return OWN.test(id) ? `script-${id}` : id;
};

/** Linters are tools; behind the tests, anything else is part of them. */
function toolOf(step: Step, isBehind: boolean): readonly Tool[] {
  if (step.is !== 'look' && !(step.is === 'other' && isBehind)) return [];
  return [{ id: idFor(step.id), run: argvOf(step.words), ...(step.is === 'other' ? { isTest: true } : {}) }];
}

/** The same program for a package below the top, whose programs lie at the top. */
export function fromAbove({ run }: TestProgram, up: string): TestProgram['run'] {
  const place = bin('');
  const moved = (word: string) => (word.startsWith(place) ? `${up}${word.slice(1)}` : word);
  return typeof run === 'string' ? run.split(' ').map(moved).join(' ') : run.map(moved);
}
