import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Desk } from '../workshop.ts';
import { write } from '../write-files.ts';
import type { Table } from './table.ts';

export type Workflow = 'two-phase' | 'lifecycle' | 'goal-task';

/** Roles of whoever builds and of whoever has it verified, and what counts as passed. */
interface Cast {
  readonly builds: string;
  readonly verifies: string;
  /** Further agents of the workflow with their roles. */
  readonly others: { readonly [name: string]: string };
  readonly passed: readonly string[];
}

export const CASTS: { readonly [workflow in Workflow]: Cast } = {
  'two-phase': {
    builds: 'specialist',
    verifies: 'verification-agent',
    others: { orchestrator: 'workflow-orchestrator' },
    passed: ['verified', 'completed'],
  },
  lifecycle: {
    builds: 'fullstack-developer',
    verifies: 'quality-monitor',
    others: {
      planner: 'plan-manager',
      orchestrator: 'build-orchestrator',
      validator: 'solution-validator',
      git: 'git-manager',
    },
    passed: ['approved', 'committing', 'completed'],
  },
  'goal-task': {
    builds: 'builder',
    verifies: 'verifier',
    others: { orchestrator: 'lead', reader: 'reviewer' },
    passed: ['verified'],
  },
};

/** An item of a workflow in a repository whose criteria ask for one line of one file. */
export interface ItemTable extends Table, Pick<Cast, 'builds' | 'verifies'> {
  readonly workflow: Workflow;
  /** Of the item that was submitted last. */
  readonly item: () => string;
  /** Somebody who holds the role builds good work, and brings it before its gate. */
  submits(builder?: string, good?: boolean): Promise<string>;
  done(): Promise<boolean>;
  /** The words of a step of the lifecycle. */
  step(command: string): readonly string[];
  /** Commits files on the branch of the work. */
  commits(files: { readonly [path: string]: string }, message?: string): Promise<void>;
}

const CRITERIA = `schema: countersign/criteria/1
name: default
checks:
  - {id: done, kind: file, path: work.txt, contains: done}
`;

/** Makes the repository of a workflow, once for all of its stories. */
export async function prepareItems(desk: Desk, workflow: Workflow): Promise<void> {
  write(desk.top, { '.countersign/criteria/default.yaml': CRITERIA, 'work.txt': 'begun\n' });
  await desk.git('add', '-A');
  await desk.git('commit', '-q', '-m', 'base');
  const { builds, verifies, others } = CASTS[workflow];
  const roles = { builder: builds, checker: verifies, ...others };
  for (const [name, role] of Object.entries(roles)) {
    const known = ['builder', 'checker', 'orchestrator'].includes(name);
    const made = await desk.cli('', 'actor', known ? 'roles' : 'add', name, '--role', role);
    const kept = known ? made : await desk.cli('', 'token', 'issue', name);
    if (made.code !== 0 || kept.code !== 0) throw new Error(`${name}: ${made.out}${kept.out}`);
  }
}

export function itemTable(table: Table, workflow: Workflow): ItemTable {
  const { desk, must } = table;
  const { builds, verifies, passed } = CASTS[workflow];
  let item = '';
  const commits: ItemTable['commits'] = async (files, message = 'work') => {
    write(desk.top, files);
    await desk.git('add', '-A');
    await desk.git('commit', '-q', '-m', message);
  };
  return {
    ...table,
    ...{ workflow, builds, verifies, commits },
    item: () => item,
    step: (command) => stepOf(item, command),
    async submits(builder = 'builder', good = true) {
      if (item !== '') await desk.git('checkout', '-q', 'main');
      item = await opened(table, workflow);
      await desk.git('checkout', '-q', '-b', `work-${item}`);
      await commits({ 'work.txt': good ? 'done\n' : 'half of it\n', [`part-${item}.txt`]: `${item}\n` });
      for (const [as, ...words] of WAYS[workflow](item, builder, desk)) await must(as, ...words);
      return item;
    },
    async done() {
      const { data } = await must('', 'show', item);
      return passed.includes(String(data.status));
    },
  };
}

async function opened({ must }: Table, workflow: Workflow): Promise<string> {
  const id = async (as: string, ...words: readonly string[]) => String((await must(as, ...words)).data.id);
  if (workflow === 'two-phase') return id('', 'add', 'Build it');
  if (workflow === 'lifecycle') return id('planner', 'add', 'Build it', '--protocol', 'lifecycle');
  return id(
    'orchestrator',
    'add',
    'Build it',
    '--goal',
    await id('orchestrator', 'goal', 'create', 'All of it'),
  );
}

const stepOf = (item: string, step: string): readonly string[] => [
  ...['move', item, step, '--reason', `${step}, as agreed`],
  ...(step === 'ask-review' ? ['--evidence', 'self-check.txt'] : []),
];

type Way = (
  item: string,
  builder: string,
  desk: Desk,
) => readonly (readonly [string, ...(readonly string[])])[];

/** The steps that lead an item from its beginning to its gate. */
const WAYS: { readonly [workflow in Workflow]: Way } = {
  'two-phase': (item, builder) => [[builder, 'claim', item]],
  lifecycle(item, builder, desk) {
    writeFileSync(join(desk.top, 'self-check.txt'), 'checked by hand\n');
    const by = { assign: 'orchestrator', plan: 'validator', validate: 'validator' };
    const own = ['begin', 'finish', 'ask-review'].map((step) => [builder, step] as const);
    return [...Object.entries(by).map(([step, as]) => [as, step] as const), ...own].map(
      ([as, step]) => [as, ...stepOf(item, step)] as const,
    );
  },
  'goal-task': (item, builder) => [
    ['orchestrator', 'move', item, 'assign', '--to', builder],
    [builder, 'start', item],
    [builder, 'move', item, 'submit', '--commit', `work-${item}`, '--arg', 'summary=It is built'],
    ['reader', 'move', item, 'approve'],
  ],
};
