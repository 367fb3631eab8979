import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ended } from '../ended.ts';
import type { Desk } from '../workshop.ts';
import { write } from '../write-files.ts';
import type { Table } from './table.ts';

/** How the phases of a project are reviewed. */
export interface ReviewSetting {
  readonly reviewers: number;
  readonly policy: 'majority' | 'unanimous' | 'single' | 'veto';
  /** True where the program of the reviewers cannot be started. */
  readonly absent?: boolean;
}

export interface Found {
  readonly severity: 'critical' | 'high' | 'medium' | 'low';
  readonly title: string;
  readonly [more: string]: unknown;
}

interface ReviewTold {
  readonly review_id: string;
  readonly reviewers: readonly { readonly agent_id: string; readonly state: string }[];
  readonly findings: readonly { readonly id: string; readonly counts: boolean }[];
}

/** A task in two phases, agents and reviewers that are real processes, and words in their names by their tokens. */
export interface PhaseTable extends Table {
  readonly setting: ReviewSetting;
  /** The first phase, which is active. */
  readonly phase: string;
  /** Working tree of an agent. */
  treeOf(agent: string): string;
  deploys(prompt?: string): Promise<string>;
  /** An agent is deployed, commits, says that it is complete; answers its name. */
  builds(files?: { readonly [path: string]: string }, said?: string): Promise<string>;
  commits(agent: string, files: { readonly [path: string]: string }, message?: string): Promise<void>;
  state(): Promise<string>;
  review(): Promise<ReviewTold>;
  /** Names of reviewers whose verdict is still to come. */
  waiting(): Promise<readonly string[]>;
  /** The words of a verdict on the last review. */
  verdict(word: string, findings?: readonly Found[], review?: string): Promise<readonly string[]>;
  /** All who are left say the same. */
  rest(word: string, findings?: readonly Found[]): Promise<void>;
  /** Ends a process and its watcher from outside, as the system would. */
  strike(agent: string): Promise<void>;
  /** The same to every reviewer and to whoever takes their place, until the review is over. */
  strikeAll(): Promise<void>;
  /** What the process of an agent has written: the puppet writes what it was told. */
  wrote(agent: string): Promise<string>;
  done(): Promise<boolean>;
}

export const LEAD = 'lead';

/** Says what it was told, and waits: words are said in its name. */
const PUPPET = `const { readFileSync } = require('node:fs');
process.stdout.write(readFileSync(0, 'utf8'));
setInterval(() => {}, 60000);
`;

export async function preparePhases(desk: Desk, setting: ReviewSetting): Promise<void> {
  const puppet = join(desk.root, '..', 'puppet.cjs');
  writeFileSync(puppet, PUPPET);
  const waits = `{adapter: command, command: [${process.execPath}, ${puppet}]}`;
  const reads = setting.absent ? '{adapter: command, command: [/no/such/program]}' : waits;
  write(desk.top, {
    '.countersign/config.yaml': `agents:\n  builder: ${waits}\n  reviewer: ${reads}\n${phasesText(setting)}`,
    'src/pay.js':
      "export const pay = (sum) => {\n  if (sum <= 0) throw new Error('sum');\n  return sum;\n};\n",
  });
  await desk.git('add', '-A');
  await desk.git('commit', '-q', '-m', 'base');
  for (const words of [
    ['actor', 'add', LEAD, '--role', 'orchestrator'],
    ['token', 'issue', LEAD],
  ]) {
    const { code, out } = await desk.cli('', ...words);
    if (code !== 0) throw new Error(`${words.join(' ')}: ${out}`);
  }
}

export const phasesText = ({ reviewers, policy }: ReviewSetting) =>
  `phases: {reviewers: ${reviewers}, policy: ${policy}}\n`;

/** Plans the task; answers the hands on its first phase. */
export async function phaseTable(table: Table, setting: ReviewSetting): Promise<PhaseTable> {
  const { desk, must } = table;
  const words = ['phase', 'plan', 'Pay by card', '--phase', 'Design=An API to pay by', '--phase', 'Tests'];
  const [phase = ''] = (await must(LEAD, ...words)).data.phases as readonly string[];
  const treeOf = (agent: string) => join(desk.root, 'repo.agents', agent);
  const ask = async <T>(...line: readonly string[]) => (await must('', ...line)).data as T;
  const review = () => ask<ReviewTold>('phase', 'review', phase);
  const state = async () => {
    const { guidance } = await ask<{ guidance: { status: string } }>('phase', 'status', phase);
    return guidance.status;
  };
  return {
    ...table,
    ...builderHands(table, phase, treeOf),
    ...reviewerHands(table, review, state),
    ...{ setting, phase, treeOf, state, review },
    wrote: async (agent) => String((await ask<{ text: string }>('agent', 'output', agent)).text),
    done: async () => ['APPROVED', 'COMPLETED'].includes(await state()),
  };
}

function builderHands({ desk, must }: Table, phase: string, treeOf: PhaseTable['treeOf']) {
  let count = 0;
  const deploys: PhaseTable['deploys'] = async (prompt = 'Build it') =>
    String((await must(LEAD, 'phase', 'deploy', phase, '--prompt', prompt)).data.agent_id);
  const commits: PhaseTable['commits'] = async (agent, files, message = 'work') => {
    const tree = treeOf(agent);
    write(tree, files);
    const words = ['commit', '-q', '--allow-empty', '-m', message];
    for (const line of [['add', '-A'], words]) {
      const { code, err } = await ended('git', line, tree, desk.env);
      if (code !== 0) throw new Error(`git ${line.join(' ')}: ${err}`);
    }
  };
  const builds: PhaseTable['builds'] = async (files, said = 'It is built') => {
    count += 1;
    const agent = await deploys();
    await commits(agent, files ?? { [`src/part-${count}.js`]: `export const part = ${count};\n` });
    await must(agent, 'agent', 'progress', 'completed', '--message', said);
    return agent;
  };
  return { deploys, commits, builds };
}

function reviewerHands(table: Table, review: PhaseTable['review'], state: PhaseTable['state']) {
  const { desk, must } = table;
  const waiting = async () =>
    (await review()).reviewers
      .filter((one) => one.state === 'running' || one.state === 'stalled')
      .map(({ agent_id }) => agent_id);
  const verdict: PhaseTable['verdict'] = async (word, findings = [], of) => {
    const more =
      findings.length === 0 ? [] : ['--findings', table.file('findings.json', JSON.stringify(findings))];
    const id = of ?? (await review()).review_id;
    return ['phase', 'verdict', id, word, '--summary', `it is ${word}`, ...more];
  };
  const rest: PhaseTable['rest'] = async (word, findings) => {
    for (const name of await waiting()) await must(name, ...(await verdict(word, findings)));
  };
  const strike: PhaseTable['strike'] = async (agent) => {
    const own = runFolders(desk).filter((folder) => basename(folder) === agent);
    for (const pid of own.flatMap(processesIn)) await end(pid, desk);
  };
  const strikeAll = async () => {
    for (let round = 0; round < 12 && (await state()) === 'UNDER_REVIEW'; round++) {
      for (const name of await waiting()) await strike(name);
      await must('', 'tick');
    }
  };
  return { waiting, verdict, rest, strike, strikeAll };
}

/** The folders of all runs of a desk, each below the id of its store. */
function runFolders({ top }: Desk): readonly string[] {
  const runs = join(top, '.git/countersign/runs');
  const within = (folder: string) => readdirSync(folder).map((name) => join(folder, name));
  return existsSync(runs) ? within(runs).flatMap(within) : [];
}

/** Watcher and agent of a run, as its record names them; the watcher first. */
function processesIn(folder: string): readonly number[] {
  const path = join(folder, 'watch.json');
  if (!existsSync(path)) return [];
  const { watcher, child } = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly [who in 'watcher' | 'child']?: { readonly pid: number };
  };
  return [watcher?.pid ?? 0, child?.pid ?? 0].filter((pid) => pid > 1);
}

/** False where it is none of ours any more. */
async function end(pid: number, { root, env }: Desk): Promise<boolean> {
  const { out } = await ended('ps', ['-o', 'args=', '-p', String(pid)], root, env);
  if (!/puppet\.cjs|countersign-watch/.test(out)) return false;
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}

/** Ends all agents of a desk. What the end of one has just set off may start another, so it looks until there is none. */
export async function endAgents(desk: Desk): Promise<void> {
  for (let quiet = 0, round = 0; quiet < 2 && round < 40; round++) {
    const pids = runFolders(desk).flatMap(processesIn);
    const hit = [];
    for (const pid of pids) hit.push(await end(pid, desk));
    quiet = hit.includes(true) ? 0 : quiet + 1;
    await new Promise((again) => setTimeout(again, 100));
  }
}
