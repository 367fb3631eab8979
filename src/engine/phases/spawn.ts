import type { Roster } from '../../identity/roster.ts';
import { addActor, addToken } from '../actors.ts';
import type { AgentSettings, AgentState } from '../agent-port.ts';
import type { Opened } from '../composition.ts';
import { EngineError } from '../engine-error.ts';
import { type Handle, loadById } from '../handle.ts';
import { giveBackOne, takeOne } from '../lease.ts';
import { readRoster } from '../roster.ts';
import { agentInForce } from './agent-settings.ts';
import { agentOf } from './elsewhere.ts';
import { BY_ENGINE, engineStep } from './engine-step.ts';
import { lastLinked } from './links.ts';
import { lostWork } from './lost-work.ts';
import { promptFor } from './prompts.ts';
import { runName, runOf } from './run-name.ts';
import { SPAWN, spawnKey } from './spawn-job.ts';
import { phaseOf } from './task-phases.ts';
import { treeFor } from './trees.ts';

/**
 * Starts the process that an item waits for, with an actor and a token of its own, and records that it runs. Two who come at
 * once start one; one who dies over it leaves it to the next (PHASE-93). '' where somebody else is at it.
 */
export async function spawnFor(opened: Opened, handle: Handle): Promise<string> {
  const { ports } = opened;
  const lease = await takeOne(ports, SPAWN, spawnKey(handle));
  if (lease.kind === 'held') return '';
  const fence = { topic: SPAWN, key: lease.key, token: lease.fence, finish: true };
  const run = runName(handle);
  const isReviewer = handle.protocol.name === 'reviewer';
  let state: AgentState;
  let agent: AgentSettings | undefined;
  try {
    agent = await agentInForce(ports, agentOf(handle));
    state = await startOne(opened, handle, run, agent);
  } catch (error) {
    // Whatever stands in the way, git too: it is one try of two, and no other item waits for it (CH-12).
    return notStarted(
      opened,
      handle,
      `it could not be started: ${error instanceof Error ? error.message : String(error)}`,
      fence,
    );
  }
  if (state.reason === 'not-started')
    return notStarted(opened, handle, `it could not be started: ${state.said}`, fence);
  const outcome = await engineStep(ports, handle, {
    ...{ command: isReviewer ? 'spawned' : 'started', of: '', reason: '', arguments: { agent: run }, fence },
    facts: {
      ...{ run, agent: agentOf(handle), adapter: agent.adapter, model: agent.model, seal: state.seal },
      place: ports.agents.place,
    },
  });
  if (outcome.kind === 'done') return `started as ${run}`;
  // Somebody else recorded it, or is about to; but where it was ended or dismissed meanwhile, nobody needs its process.
  const now = await loadById(ports, handle.id);
  if (now.item.state !== handle.item.state && runOf(now) !== run) {
    await ports.agents.kill(run, 'engine', outcome.because);
    return `not needed any more: ${outcome.because}`;
  }
  // What could not be written is tried again by the next who comes by, and not when the lease runs out.
  if (now.item.state === handle.item.state) await giveBackOne(ports, SPAWN, lease);
  return '';
}

async function notStarted(
  opened: Opened,
  handle: Handle,
  reason: string,
  fence: Parameters<typeof engineStep>[2]['fence'],
) {
  const command = handle.protocol.name === 'reviewer' ? 'die' : 'end';
  await engineStep(opened.ports, handle, { command, of: '', reason, arguments: {}, facts: {}, fence });
  return reason;
}

async function startOne(
  opened: Opened,
  handle: Handle,
  run: string,
  agent: AgentSettings,
): Promise<AgentState> {
  const { ports } = opened;
  const before = await ports.agents.look(run);
  // Whoever launched it died before that was recorded: its watcher may be about to start it, in the tree that is there.
  if (before.state !== 'lost' || before.reason === 'lost') return before;
  const isReviewer = handle.protocol.name === 'reviewer';
  const phase = await phaseOf(ports, handle);
  const lost = isReviewer ? '' : await lostWork(ports, phase);
  if (lost !== '') throw new EngineError('BAD_INPUT', lost);
  const cwd = treeFor(ports, handle, phase, run);
  await keepCredential(opened, handle, run, phase);
  const prompt = await promptFor(ports, handle, phase);
  return ports.agents.start({ run, agent, cwd, prompt, readOnly: isReviewer });
}

/** Registers whoever runs, and keeps a token that is good for this item, and a builder's for its phase, alone (PHASE-101, PHASE-103). */
async function keepCredential(opened: Opened, handle: Handle, run: string, phase: Handle): Promise<void> {
  const { ports, credentials } = opened;
  const isReviewer = handle.protocol.name === 'reviewer';
  const { roster } = await readRoster(ports);
  const parent = isReviewer ? '' : parentOf(handle, roster.members);
  const roles = [isReviewer ? 'phase-reviewer' : 'phase-agent'];
  const known = roster.members.get(run);
  if (known === undefined) {
    const added = await addActor(ports, BY_ENGINE, { id: run, kind: 'agent', roles, parent });
    if (!added.ok) throw new EngineError('BAD_INPUT', added.because);
  } else if (known.parent !== parent || known.roles.join() !== roles.join() || isOpenTo(roster, handle, run))
    throw new EngineError('BAD_INPUT', `${run} was registered by somebody else`);
  const items = isReviewer ? [handle.id, lastLinked(handle, 'review')] : [handle.id, phase.id];
  const issued = await addToken(ports, BY_ENGINE, { actor: run, expiresAt: '', items, roles: [] });
  if (!issued.ok) throw new EngineError('BAD_INPUT', issued.because);
  credentials.write(run, issued.token);
}

/** Whether a token of a name is good for more than the engine gives. */
const isOpenTo = ({ tokens }: Roster, { id }: Handle, run: string): boolean =>
  [...tokens.values()].some((token) => token.actor === run && !token.items.includes(id));

/** A builder is the child of whoever deployed it; a person's agents stand alone. */
function parentOf({ item }: Handle, members: ReadonlyMap<string, { readonly kind: string }>): string {
  return members.get(item.openedBy)?.kind === 'agent' ? item.openedBy : '';
}
