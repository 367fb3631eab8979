import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RESERVED_IDS } from '../identity/name.ts';
import { CONFIG_PATH, type Config } from './config.ts';
import { criteriaPath } from './criteria.ts';
import { howToBegin, thisMachine, workingFiles } from './criteria-init.ts';
import { EngineError } from './engine-error.ts';
import { assertInside } from './inside-tree.ts';
import { stagedSettings } from './staged/settings.ts';

/** A file that a repository begins with. One that exists is kept as it is. */
export interface FirstFile {
  readonly path: string;
  readonly text: string;
  readonly exists: boolean;
}

export interface FirstFiles {
  readonly files: readonly FirstFile[];
  /** Names of the checks that were recognised. */
  readonly found: readonly string[];
  /** What people should know about the criteria, or how to come by some. */
  readonly notes: readonly string[];
  /** Whether criteria are there already, whoever wrote them. */
  readonly judged: boolean;
}

/**
 * Proposes the configuration and the criteria for the files at the top of a working tree. Writes nothing. Without any
 * check there is no criteria file among them: nobody could read it.
 */
export async function proposeFirstFiles(
  top: string,
  config: () => Promise<Pick<Config, 'protocol' | 'staged'>>,
): Promise<FirstFiles> {
  const { proposeCriteria } = await import('../runner/propose.ts');
  const { text, found, notes } = await proposeCriteria(workingFiles(top), undefined, await thisMachine(top));
  const path = criteriaPath('default');
  const files = [
    { path: CONFIG_PATH, text: CONFIG_TEXT },
    ...(found.length > 0 ? [{ path, text }] : []),
    ...(await listOf(config)),
  ].map((file) => ({ ...file, exists: isThere(join(top, file.path)) }));
  const toldOf = found.length > 0 ? notes : [howToBegin(path)];
  const judged = isThere(join(top, path));
  return { files, found, notes: judged ? [] : toldOf, judged };
}

/** The list of a project whose tasks go in stages: they are known by their names in it (PROTO-303). */
async function listOf(config: () => Promise<Pick<Config, 'protocol' | 'staged'>>) {
  try {
    const read = await config();
    if (read.protocol !== 'staged') return [];
    const { todo, entryFields } = stagedSettings(read);
    const text = `# Tasks of this project

A task is a heading of its own with a name of one word, over the fields ${entryFields.join(', ')}.
`;
    return [{ path: todo, text }];
  } catch (error) {
    // What is wrong with a configuration is told by whoever has to go by it.
    if (error instanceof EngineError && error.code === 'BAD_CONFIG') return [];
    throw error;
  }
}

/**
 * Writes those that do not exist and answers their paths; what somebody else wrote meanwhile is kept.
 * Throws BAD_INPUT where a link would lead out of the working tree.
 */
export function writeFirstFiles(top: string, files: readonly FirstFile[]): readonly string[] {
  return files.flatMap(({ path, text, exists }) => {
    if (exists) return [];
    assertInside(top, path);
    mkdirSync(dirname(join(top, path)), { recursive: true });
    return writeNew(join(top, path), text) ? [path] : [];
  });
}

/** False when the name is taken. */
function writeNew(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** A name of an operating system user, made to fit the syntax of ids. */
export function fittingName(user: string): string {
  const name = user
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 60);
  if (name === '') return 'owner';
  return RESERVED_IDS.includes(name) ? `${name}-1` : name;
}

/** Throws BAD_INPUT unless the text can be the id of a person. */
export function assertOwner(name: string): void {
  if (fittingName(name) === name) return;
  throw new EngineError(
    'BAD_INPUT',
    `${JSON.stringify(name)} is no id: 1 to 60 of a-z 0-9 . _ - beginning with a letter or digit, and not ${RESERVED_IDS.join(', ')}`,
    `for example: countersign init --owner ${fittingName(name)}`,
  );
}

const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

const CONFIG_TEXT = `# How Countersign works in this repository. In force once it is committed on the default branch.
# Every line below shows a default; take away the # to change it. What is in force: countersign config show
schema: countersign/config/1

# Branch that work is measured against; detected when left out (origin/HEAD, main, master).
# default_branch: main

# Protocol of new items (countersign protocol list).
# protocol: two-phase

# Pinned when an item is opened; an item may ask for more, never for less.
# settings:
#   quality_validation: false   # true: a quality verdict is needed before completion
#   acknowledge: user           # who acknowledges failures: user or orchestrator
#   halt_on_block: true         # a blocked item stops its list
#   undispatched: flag          # claims of work that nobody dispatched: flag or refuse
#   independence: automated     # least independence of a verdict: automated, sibling, other-lineage, human

# Minutes that items may stay in a state, by protocol and state, and hats that one actor may not wear on one item
# (docs/configuration.md).
# allowances:
#   lifecycle: {in_progress: 120}
# hats: [[builder, reviewer], [builder, tester], [reviewer, tester]]

# Files that the engine writes for others to read, and never believes; ignore them in git.
# projections:
#   todo: .orchestration/todo.json
#   proofpacks: .orchestration/proofpacks
`;
