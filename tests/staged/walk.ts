import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Said, sessionAgain } from '../session.ts';
import { kept } from '../session-model.ts';
import { AGENTS, type Begin, type Crew, crewOf, openCrew } from './crew.ts';

export const TASK = 'parse-dates';

/** The document of a task after its synthesis, with every part that a plan needs. */
export const PLANNED = (agents: readonly string[] = AGENTS): string => `# ${TASK}

## Task Objective

Dates of other countries are read.

## Scope Definition

src/dates.js and its tests.

## Stakeholder Agent Reports

${agents.map((agent) => `### ${agent}\n\nAsks for REQ-${agent.toUpperCase()}-1.\n`).join('\n')}
## Conflict Resolution

None found.

## Architecture

Patterns, integration points and contracts: one module.

## Requirement Map

${agents.map((agent) => `- REQ-${agent.toUpperCase()}-1: src/dates.js`).join('\n')}

## Trade-offs

None taken.

## Success Criteria

${agents.map((agent) => `- ${agent}: every date has a test`).join('\n')}

## Implementation Plan

### File Manifest

- work.txt

### API Specifications

parse(text): Date

### Behaviour

| scenario | behaviour |
| --- | --- |
| empty | refused |

### Test Specifications

One for each row.

### Phases

1. architect agent implements it in its worktree; the coordinator invokes it.

### Decision Log

- todo.md is updated in the same commit.
`;

type Stage = readonly [state: string, go: (crew: Crew) => Promise<void>];

async function all(crew: Crew, lines: readonly (readonly string[])[]): Promise<void> {
  for (const words of lines) expectDone(await crew.go(...words), words);
}

function expectDone(said: Said, words: readonly string[]): void {
  if (said.code !== 0) throw new Error(`${words.join(' ')} ended with ${said.code}: ${said.out}${said.err}`);
}

async function begin(crew: Crew): Promise<void> {
  for (const words of [
    ['task', 'check', TASK],
    ['task', 'start', TASK],
  ])
    expectDone(await crew.say(crew.session.repo.top, 'lead', 's-1', ...words), words);
}

/** The person's word on what is shown. */
export async function approved(crew: Crew): Promise<void> {
  const outcome = await crew.approves();
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
}

/** Calls an agent and lets it say how it came out. */
export async function answered(crew: Crew, agent: string, word = 'COMPLETE'): Promise<void> {
  await all(crew, [['task', 'invoke', TASK, '--agent', agent]]);
  const words = ['task', 'status', TASK, word];
  expectDone(await crew.say(crew.code, agent, '', ...words), words);
}

/** An agent commits on its branch, in its worktree. */
export function commits(crew: Crew, agent: string, files: Readonly<Record<string, string>>): void {
  const own = join(crew.tasks, TASK, 'agents', agent, 'code');
  for (const [path, text] of Object.entries(files)) crew.write(join(own, path), text);
  crew.git(own, 'add', '-A');
  crew.git(own, 'commit', '-q', '-m', `${Object.keys(files).join(', ')}\n\n[agent:${agent}]`);
}

const STAGES: readonly Stage[] = [
  ['INIT', begin],
  ['CLASSIFIED', (crew) => all(crew, [['task', 'classify', TASK]])],
  [
    'REQUIREMENTS',
    (crew) =>
      all(crew, [
        [
          'task',
          'assess',
          TASK,
          '--risk',
          'MEDIUM',
          '--agents',
          AGENTS.join(','),
          '--reason',
          'src/dates.js',
        ],
        ['task', 'worktrees', TASK],
        ['task', 'document', TASK],
        ['task', 'gather', TASK],
      ]),
  ],
  [
    'SYNTHESIS',
    async (crew) => {
      for (const agent of AGENTS) {
        await all(crew, [['task', 'invoke', TASK, '--agent', agent]]);
        expectDone(await crew.reports(agent), [agent]);
      }
      await all(crew, [['task', 'synthesize', TASK]]);
    },
  ],
  [
    'IMPLEMENTATION',
    async (crew) => {
      crew.write(join(crew.tasks, TASK, 'task.md'), PLANNED());
      await all(crew, [['task', 'present-plan', TASK]]);
      await approved(crew);
      await all(crew, [
        ['task', 'acknowledge-delegation', TASK],
        ['task', 'implement', TASK],
      ]);
    },
  ],
  ['VALIDATION', built],
  ['REVIEW', (crew) => all(crew, [['verify', 'T-1']])],
  [
    'AWAITING_USER_APPROVAL',
    async (crew) => {
      for (const agent of AGENTS) await answered(crew, agent, 'APPROVED');
      await all(crew, [['task', 'present', TASK]]);
    },
  ],
  [
    'COMPLETE',
    async (crew) => {
      await approved(crew);
      await all(crew, [['task', 'complete', TASK]]);
    },
  ],
  [
    'CLEANUP',
    (crew) =>
      all(crew, [
        ['task', 'land', TASK],
        ['task', 'clean', TASK],
      ]),
  ],
];

/** An agent builds something of its own, and says that it is complete. */
export async function builds(crew: Crew, agent: string): Promise<void> {
  commits(
    crew,
    agent,
    agent === 'architect' ? { 'work.txt': 'done\n', 'todo.md': DONE } : { [`${agent}.js`]: '1;\n' },
  );
  await answered(crew, agent);
}

/** Every agent builds something of its own, and the coordinator merges it. */
export async function built(crew: Crew): Promise<void> {
  for (const agent of AGENTS) {
    await builds(crew, agent);
    await all(crew, [['task', 'merge', TASK, agent]]);
  }
  await all(crew, [['task', 'validate', TASK]]);
}

export const DONE =
  '# Todo\n\n## other-task\n\n- **Purpose**: something else\n- **Scope**: elsewhere\n- **Components**: none\n';

/** Takes a task to a state by the way of a user; `first`: the stage to begin with, the first one for a fresh task. */
export async function reach(crew: Crew, state: string, first = 'INIT'): Promise<void> {
  const [from, last] = [first, state].map((wanted) => STAGES.findIndex(([name]) => name === wanted));
  if (from === undefined || last === undefined || from < 0 || last < 0)
    throw new Error(`no stage ${first} or ${state}`);
  for (const [, go] of STAGES.slice(from, last + 1)) await go(crew);
}

/**
 * A fresh crew whose task was taken to a state. The files of one run that ask for the same share the walk: the stores and the trees that it
 * left come back to the folder in which it was gone, since they name it.
 */
export async function crewAt(state: string, options: Begin = {}): Promise<Crew> {
  const place = kept({ state, options });
  // Somebody may stand there still, and outside a run nothing is kept.
  if (place === undefined || existsSync(place.root)) return walked(await openCrew(options), state);
  const stand = place.model.layInto(place.root);
  if (stand !== undefined) {
    const crew = crewOf(sessionAgain(place.root, stand));
    for (const tree of treesOf(crew)) crew.git(tree, 'update-index', '-q', '--refresh');
    return crew;
  }
  mkdirSync(place.root);
  const crew = await walked(await openCrew(options, place.root), state);
  place.model.keep(place.root, crew.session.stand());
  return crew;
}

const walked = async (crew: Crew, state: string): Promise<Crew> => {
  await reach(crew, state);
  return crew;
};

const treesOf = (crew: Crew): readonly string[] =>
  [crew.code, ...AGENTS.map((agent) => join(crew.tasks, TASK, 'agents', agent, 'code'))].filter(existsSync);
