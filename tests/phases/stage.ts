import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sha256Hex } from '../../src/attestation/digest.ts';
import { callerOf } from '../../src/engine/credential.ts';
import { phaseStep } from '../../src/engine/phases/actions.ts';
import type { PhaseStatus, ReviewDetails } from '../../src/engine/phases/status.ts';
import { phaseNamed } from '../../src/engine/phases/task-phases.ts';
import type { StepOutcome } from '../../src/engine/step.ts';
import { runIn } from '../fixtures/scratch-repo.ts';
import { openSession, type Said, type Session, type Setting } from '../session.ts';
import { endAll } from './end-all.ts';
import { heldBack } from './held-back.ts';

const PUPPET = join(import.meta.dirname, '../fixtures/agents/puppet.mjs');

/** Agents and reviewers are real processes that wait: the test says in their name what they would say. */
export const CONFIG = (more = '', agents = '') => `agents:
  builder: {adapter: command, command: [${process.execPath}, ${PUPPET}]}
  reviewer: {adapter: command, command: [${process.execPath}, ${PUPPET}]}
${agents}phases: {reviewers: 3${more === '' ? '' : `, ${more}`}}
`;

/** A finding as a reviewer writes it. */
export interface Found {
  readonly severity: 'critical' | 'high' | 'medium' | 'low';
  readonly title: string;
  readonly [more: string]: unknown;
}

export type Verdict = 'approve' | 'request_changes' | 'reject';

export const CHANGE: Found = { severity: 'high', title: 'Add input validation to form fields' };
export const CRITICAL: Found = {
  severity: 'critical',
  title: 'Security vulnerability in authentication flow',
};

export const PHASE_STATES = [
  ...['PENDING', 'ACTIVE', 'AWAITING_REVIEW', 'UNDER_REVIEW', 'APPROVED'],
  ...['REJECTED', 'REVISING', 'ESCALATED', 'COMPLETED'],
] as const;
export type PhaseState =
  | 'PENDING'
  | 'ACTIVE'
  | 'AWAITING_REVIEW'
  | 'UNDER_REVIEW'
  | 'APPROVED'
  | 'REJECTED'
  | 'REVISING'
  | 'ESCALATED'
  | 'COMPLETED';

/** A task in phases on a real repository: the CLI as anybody, real processes for agents and reviewers. */
export interface Stage {
  readonly s: Session;
  /** Folder of the agents' working trees. */
  readonly trees: string;
  /** A command that has to succeed. */
  must(actor: string, ...words: readonly string[]): Promise<Said>;
  /** Plans a task as the orchestrator; answers the ids of its phases. */
  plan(...names: readonly string[]): Promise<readonly string[]>;
  /** Deploys a builder; answers its name. */
  deploy(phase: string, prompt?: string): Promise<string>;
  /** Commits files in the working tree of an agent. */
  commit(agent: string, files?: Readonly<Record<string, string>>): string;
  /** An agent commits something of its own and says that it is complete. */
  completes(agent: string, files?: Readonly<Record<string, string>>): Promise<Said>;
  status(phase: string): Promise<PhaseStatus>;
  state(phase: string): Promise<string>;
  review(phase: string): Promise<ReviewDetails>;
  /** As the next reviewer of the phase that has not spoken yet. */
  verdict(phase: string, verdict: Verdict, findings?: readonly Found[]): Promise<Said>;
  /** The same as a named one. */
  verdictOf(actor: string, review: string, verdict: Verdict, findings?: readonly Found[]): Promise<Said>;
  /** Kills the process of a run from outside, as the system would. */
  strike(run: string): Promise<void>;
  /** Every reviewer of the phase dies, and so do their replacements. */
  allDie(phase: string): Promise<void>;
  /** As the person of the machine, with their word at the terminal. */
  person(
    phase: string,
    command: string,
    reason: string,
    given?: Readonly<Record<string, string>>,
  ): Promise<StepOutcome>;
  /** A new task whose first phase (second for PENDING) stands in a state; answers the phase. */
  bring(state: PhaseState, names?: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

export const LEAD = 'lead';

export async function openStage(asked: Partial<Setting> = {}): Promise<Stage> {
  const s = await openSession({
    agents: { [LEAD]: ['orchestrator'], mallory: ['phase-agent', 'phase-reviewer'] },
    config: CONFIG(),
    ...asked,
  });
  s.repo.git('checkout', '-q', 'main');
  // They go by the clock of the machine.
  s.at(new Date().toISOString());
  // What watchers start when a process ends finds its credentials where this session has them.
  process.env.XDG_STATE_HOME = s.env.XDG_STATE_HOME;
  return stageOf(s);
}

/** The same on a session that is there already, in which `lead` coordinates phases. */
export function stageOf(s: Session): Stage {
  const top = realpathSync(s.repo.top);
  const trees = join(dirname(top), 'repo.agents');
  let proofs = 0;
  let files = 0;
  const must: Stage['must'] = async (actor, ...words) => {
    const said = await s.say(actor, ...words);
    if (said.code !== 0) throw new Error(`${actor} ${words.join(' ')}: ${said.code} ${said.out}${said.err}`);
    return said;
  };
  const dataOf = async <T>(...words: readonly string[]) => (await must('', ...words)).data as unknown as T;
  const review: Stage['review'] = (phase) => dataOf<ReviewDetails>('phase', 'review', phase);
  const status: Stage['status'] = (phase) => dataOf<PhaseStatus>('phase', 'status', phase);
  const state: Stage['state'] = async (phase) => (await status(phase)).guidance.status;
  const write = (name: string, text: string) => {
    const path = join(dirname(top), name);
    writeFileSync(path, text);
    return path;
  };
  const verdictOf: Stage['verdictOf'] = async (actor, of, verdict, findings = []) => {
    const more =
      findings.length === 0 ? [] : ['--findings', write(`${actor}.json`, JSON.stringify(findings))];
    return s.say(actor, 'phase', 'verdict', of, verdict, '--summary', `it is ${verdict}`, ...more);
  };
  const deploy: Stage['deploy'] = async (phase, prompt = 'Build it') => {
    const { data } = await must(LEAD, 'phase', 'deploy', phase, '--prompt', prompt);
    return String(data.agent_id);
  };
  const commit: Stage['commit'] = (agent, given) => {
    files += 1;
    const tree = join(trees, agent);
    for (const [path, text] of Object.entries(given ?? { [`work-${files}.txt`]: `work ${files}\n` })) {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), text);
    }
    runIn(tree, ['add', '-A']);
    runIn(tree, ['commit', '-qm', `work of ${agent}`]);
    return runIn(tree, ['rev-parse', 'HEAD']).trim();
  };
  const completes: Stage['completes'] = async (agent, given) => {
    commit(agent, given);
    return s.say(agent, 'agent', 'progress', 'completed', '--message', `${agent} built it`);
  };
  const verdict: Stage['verdict'] = async (phase, word, findings) => {
    const { review_id, reviewers } = await review(phase);
    const free = reviewers.find((one) => one.state === 'running' || one.state === 'stalled');
    if (free === undefined)
      throw new Error(
        `no reviewer of ${phase} is left: ${JSON.stringify(reviewers)} ${(await s.text('', 'log', reviewers[2]?.reviewer_id ?? '')).out}`,
      );
    return verdictOf(free.agent_id, review_id, word, findings);
  };
  const strike: Stage['strike'] = (run) =>
    s.with(async ({ ports }) => {
      await ports.agents.kill(run, 'the system', 'struck by the test');
    });
  const assertDead = async (phase: string) => {
    const left = await review(phase);
    if (left.status === 'in_progress') throw new Error(`${phase} lives on: ${JSON.stringify(left)}`);
  };
  const allDie: Stage['allDie'] = async (phase) => {
    // Watchers report the deaths as well, so that a replacement may be on its way at any moment.
    for (let round = 0; round < 60 && (await state(phase)) === 'UNDER_REVIEW'; round++) {
      if (round > 5) await wait(100);
      for (const one of (await review(phase)).reviewers)
        if (one.state === 'running' && one.agent_id !== '') await strike(one.agent_id);
      await must('', 'tick');
    }
    await assertDead(phase);
  };
  const person: Stage['person'] = (phase, command, reason, given = {}) =>
    s.with(async (opened) => {
      proofs += 1;
      const digest = sha256Hex(`${command} ${phase}`);
      const { id } = await phaseNamed(opened.ports, phase);
      const proof = {
        id: `proof-${proofs}`,
        digest,
        purpose: command,
        at: s.now(),
        channel: 'terminal' as const,
      };
      const caller = { ...(await callerOf(opened, '')), token: undefined, proof };
      return phaseStep(opened, caller, id, { command, reason, arguments: given }, () => digest);
    });
  const plan: Stage['plan'] = async (...names) => {
    const { data } = await must(
      LEAD,
      'phase',
      'plan',
      'Build the thing',
      ...names.flatMap((name) => ['--phase', name]),
    );
    return data.phases as readonly string[];
  };
  const toReview = async (phase: string) => {
    const said = await completes(await deploy(phase));
    if (said.code !== 0) throw new Error(`${said.out}${said.err}`);
    // Whoever watched an agent that ended meanwhile may be the one who starts the reviewers.
    for (let n = 0; n < 50 && (await state(phase)) === 'AWAITING_REVIEW'; n++) await wait(100);
  };
  const all = async (phase: string, ...words: readonly Verdict[]) => {
    for (const word of words) {
      const said = await verdict(
        phase,
        word,
        word === 'approve' ? [] : [word === 'reject' ? CRITICAL : CHANGE],
      );
      if (said.code !== 0) throw new Error(said.out);
    }
  };
  const WAYS: { readonly [state in PhaseState]: (phase: string) => Promise<unknown> } = {
    PENDING: async () => undefined,
    ACTIVE: async () => undefined,
    AWAITING_REVIEW: async (phase) => {
      const agent = await deploy(phase);
      commit(agent);
      return heldBack(s, phase, agent);
    },
    UNDER_REVIEW: toReview,
    async APPROVED(phase) {
      await toReview(phase);
      await all(phase, 'approve', 'approve', 'approve');
    },
    async REJECTED(phase) {
      await toReview(phase);
      await all(phase, 'approve', 'approve', 'reject');
    },
    async REVISING(phase) {
      await toReview(phase);
      await all(phase, 'approve', 'request_changes', 'request_changes');
    },
    async ESCALATED(phase) {
      await toReview(phase);
      await allDie(phase);
    },
    async COMPLETED(phase) {
      await toReview(phase);
      await all(phase, 'approve', 'approve', 'approve');
      await must(LEAD, 'phase', 'advance', phase);
    },
  };
  return {
    ...{
      s,
      trees,
      must,
      plan,
      deploy,
      commit,
      completes,
      status,
      state,
      review,
      verdict,
      verdictOf,
      strike,
      allDie,
      person,
    },
    async bring(wanted, names = ['Design Phase', 'Implementation Phase']) {
      const phases = await plan(...names);
      const phase = phases[wanted === 'PENDING' ? 1 : 0] ?? '';
      await WAYS[wanted](phase);
      return phase;
    },
    async close() {
      await endAll(s);
      const live = await dataOf<readonly { readonly run: string }[]>('agent', 'list');
      for (const { run } of live) if (run !== '') await strike(run);
      await s.with(async (opened) => {
        const { liveOnes } = await import('../../src/engine/phases/attend.ts');
        const { runOf } = await import('../../src/engine/phases/run-name.ts');
        for (const one of await liveOnes(opened)) if (runOf(one) !== '') await strike(runOf(one));
      });
      s.close();
    },
  };
}
