import type { Handle } from '../../../src/engine/handle.ts';
import { abortReview, giveVerdict, phaseStep } from '../../../src/engine/phases/actions.ts';
import { attend } from '../../../src/engine/phases/attend.ts';
import { deployAgent } from '../../../src/engine/phases/deploy.ts';
import { lastLinked } from '../../../src/engine/phases/links.ts';
import { runOf } from '../../../src/engine/phases/run-name.ts';
import { killRun, tellProgress } from '../../../src/engine/phases/runs.ts';
import { phaseOf } from '../../../src/engine/phases/task-phases.ts';
import { branchOfRun } from '../../../src/engine/phases/trees.ts';
import { PERSON } from '../cast.ts';
import type { Dice } from '../dice.ts';
import { BAD } from '../runner-in-memory.ts';
import type { Town } from '../town.ts';
import { type Player, type Request, withWord } from './request.ts';

/** The steps that somebody takes on a phase, by its state. */
const STEPS: { readonly [state: string]: readonly string[] } = {
  ACTIVE: ['deploy', 'deploy', 'deploy', 'submit', 'advance'],
  AWAITING_REVIEW: ['attend', 'attend', 'submit'],
  UNDER_REVIEW: ['attend', 'abort', 'force-approve'],
  APPROVED: ['advance', 'advance', 'deploy'],
  REJECTED: ['deploy', 'deploy', 'fixes-applied', 'trigger', 'escalate'],
  REVISING: ['deploy', 'deploy', 'submit', 'escalate'],
  ESCALATED: ['trigger', 'force-approve', 'abort'],
};

const attending = (who: string): Request => ({
  who,
  what: 'attend to what runs',
  here: '',
  run: (opened) => attend(opened),
});

async function onPhase(town: Town, { id, display, item }: Handle, dice: Dice): Promise<Request | undefined> {
  const steps = STEPS[item.state];
  if (steps === undefined) return undefined;
  const isBusy = Object.values(item.members.agents ?? {}).some(({ state }) =>
    ['starting', 'running'].includes(state),
  );
  if (isBusy && dice.chance(0.8)) return undefined;
  const command = dice.pick(steps);
  if (command === 'attend') return attending('olga');
  const who = command === 'force-approve' || dice.chance(0.1) ? PERSON : 'olga';
  const proof = `proof-${dice.below(1e9)}`;
  const given = { force: 'yes', fixed: 'all of it: mended', prompt: 'build it', agent: '' };
  return {
    ...{ who, what: `${command} ${display} (phase, ${item.state})`, here: '' },
    run(opened, caller) {
      if (command === 'deploy')
        return deployAgent(opened, caller, { phase: id, prompt: 'build it', agent: '' });
      if (command === 'abort') return abortReview(opened, caller, id, 'nobody answers');
      const action = { command, reason: 'said', arguments: given };
      if (caller.actor.kind !== 'human') return phaseStep(opened, caller, id, action);
      return phaseStep(opened, withWord(caller, 'shown', proof, town.now()), id, action, () => 'shown');
    },
  };
}

/** A builder commits and says that it is done; or fails, or only reports. */
async function onRun(town: Town, handle: Handle, dice: Dice): Promise<Request | undefined> {
  const run = runOf(handle);
  if (run === '' || dice.chance(0.15)) return attending('olga');
  if (dice.chance(0.05))
    return {
      who: 'olga',
      what: `kill ${run}`,
      here: '',
      run: (opened, caller) => killRun(opened, caller, handle.id, 'astray'),
    };
  const branch = branchOfRun(await phaseOf(town.ports, handle), run);
  if (town.repository.commitOf(`refs/heads/${branch}`) !== '' && dice.chance(0.9)) {
    const text = `${dice.chance(0.8) ? 'good' : BAD} ${dice.below(1e6)}\n`;
    town.repository.commit(branch, { [`${run}.txt`]: text }, `work of ${run}`);
  }
  const status = dice.pick(['completed', 'completed', 'completed', 'working', 'failed']);
  return {
    ...{ who: run, what: `${run} says ${status}`, here: '' },
    run: (opened, caller) => tellProgress(opened, caller, { agent: '', status, message: 'so it is' }),
  };
}

const FOUND = (severity: string) =>
  JSON.stringify([{ severity, title: 'Add input validation to form fields' }]);

async function onReviewer(_town: Town, handle: Handle, dice: Dice): Promise<Request | undefined> {
  const run = runOf(handle);
  if (run === '' || dice.chance(0.1)) return attending('olga');
  const verdict = dice.pick(['approve', 'approve', 'approve', 'request_changes', 'reject']);
  const findings = verdict === 'approve' ? '' : FOUND(verdict === 'reject' ? 'critical' : 'high');
  const review = lastLinked(handle, 'review');
  return {
    ...{ who: dice.chance(0.05) ? 'vera' : run, what: `${run} says ${verdict}`, here: '' },
    run: (opened, caller) =>
      giveVerdict(opened, caller, { review, verdict, findings, summary: 'it was read' }),
  };
}

const NONE: Player = async () => undefined;

/** What somebody does with an item of a task in phases. */
export const PHASE_PLAYERS: { readonly [protocol: string]: Player } = {
  phase: onPhase,
  'agent-run': onRun,
  reviewer: onReviewer,
  review: NONE,
  'phased-task': NONE,
};
