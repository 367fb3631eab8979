import type { Caller } from '../../../src/engine/caller.ts';
import type { Opened } from '../../../src/engine/composition.ts';
import type { Handle } from '../../../src/engine/handle.ts';
import { agentSays } from '../../../src/engine/staged/agent-word.ts';
import { approveTask, presented } from '../../../src/engine/staged/checkpoint.ts';
import { cleanTask } from '../../../src/engine/staged/cleanup.ts';
import { landTask } from '../../../src/engine/staged/land.ts';
import { layoutOf, type TaskLayout } from '../../../src/engine/staged/layout.ts';
import { mergeAgent } from '../../../src/engine/staged/merge.ts';
import { STAGED_DEFAULTS } from '../../../src/engine/staged/settings.ts';
import { startTask } from '../../../src/engine/staged/start-task.ts';
import type { TaskCall } from '../../../src/engine/staged/task-call.ts';
import { taskNameOf } from '../../../src/engine/staged/task-name.ts';
import { taskStep } from '../../../src/engine/staged/task-step.ts';
import { wayOn } from '../../../src/engine/staged/way-on.ts';
import { makeWorktreesOf } from '../../../src/engine/staged/worktrees.ts';
import { verify } from '../../../src/engine/verify.ts';
import { ENGINE } from '../../../src/kernel/actor.ts';
import { REPORT } from '../../../tests/staged/crew.ts';
import { PLANNED } from '../../../tests/staged/walk.ts';
import { PERSON, STAKEHOLDERS } from '../cast.ts';
import type { Dice } from '../dice.ts';
import { BAD } from '../runner-in-memory.ts';
import { MAIN, type Town } from '../town.ts';
import { type Player, withWord } from './request.ts';

const quiet = { signal: new AbortController().signal, onProgress: () => {} };

interface Told {
  readonly town: Town;
  readonly handle: Handle;
  readonly task: string;
  readonly session: string;
  readonly call: TaskCall;
  readonly layout: TaskLayout;
  readonly proof: string;
}

type Doing = (told: Told, opened: Opened, caller: Caller) => Promise<unknown>;

/** Words that are more than a step of the table. */
const WORDS: { readonly [command: string]: Doing } = {
  start: ({ task, session }, { ports }, caller) =>
    startTask(ports, caller, { task, session, kind: 'code', criteria: 'default', choice: undefined }),
  worktrees: ({ task }, { ports }, caller) => makeWorktreesOf(ports, caller, task),
  verify: ({ handle }, { ports }, caller) => verify(ports, caller, { ref: handle.id, ...quiet }),
  merge: ({ task, session, call }, { ports }, caller) =>
    mergeAgent(ports, caller, { task, session, agent: call.given.agent ?? '' }),
  land: ({ task, session }, { ports }, caller) => landTask(ports, caller, { task, session, ...quiet }),
  tidy: ({ task, session }, { ports }, caller) => cleanTask(ports, caller, { task, session }),
  status: ({ task, call }, { ports }, caller) =>
    agentSays(ports, caller, {
      task,
      status: call.given.status ?? 'COMPLETE',
      reason: 'so it is',
      errorType: '',
    }),
  async approve({ task, town, proof }, { ports }, caller) {
    const shown = await presented(ports, task);
    return approveTask(ports, withWord(caller, shown.digest, proof, town.now()), task, shown);
  },
};

function stepOf(
  { task, session, call, town, proof }: Told,
  { ports }: Opened,
  caller: Caller,
): Promise<unknown> {
  const asked = { task, session, command: call.command, reason: 'said', arguments: filled(call) };
  if (caller.actor.kind !== 'human') return taskStep(ports, caller, asked);
  return taskStep(ports, withWord(caller, 'shown', proof, town.now()), asked, () => 'shown');
}

/** What only the caller can know. */
const filled = ({ given }: TaskCall): Readonly<Record<string, string>> => ({
  ...given,
  ...(given.risk === undefined ? {} : { risk: 'MEDIUM' }),
  ...(given.agents === undefined ? {} : { agents: STAKEHOLDERS.join(',') }),
  reason: 'said',
});

/** What is done before the word, beside the tools: a report, the plan, a commit. */
function prepare(
  town: Town,
  handle: Handle,
  layout: TaskLayout,
  { command, by }: TaskCall,
  dice: Dice,
): void {
  const { state } = handle.item;
  if (command === 'present-plan')
    town.papers.set(layout.taskMd, PLANNED(STAKEHOLDERS).replaceAll('parse-dates', layout.task));
  if (command !== 'status') return;
  if (state === 'REQUIREMENTS') town.papers.set(layout.report(by), REPORT(by));
  if (state !== 'IMPLEMENTATION') return;
  const text = `${dice.chance(0.85) ? 'good' : BAD} ${dice.below(1e6)}\n`;
  const todo = town.repository.filesOf('main').get('todo.md') ?? '';
  const entry = new RegExp(`## ${layout.task}\\n[^#]*`);
  const more = by === STAKEHOLDERS[0] ? { 'todo.md': todo.replace(entry, '') } : {};
  town.repository.commit(
    layout.agentBranch(by),
    { [`${layout.task}-${by}.js`]: text, ...more },
    `${by} builds\n\n[agent:${by}]`,
  );
}

/** One of the calls that the engine names; now and then another step, or a word that is not the hoped-for one. */
function callFrom({ protocol, item }: Handle, calls: readonly TaskCall[], dice: Dice): TaskCall | undefined {
  const named = calls[dice.chance(0.7) ? 0 : dice.below(calls.length)];
  if (named === undefined || named.command === 'list') return undefined;
  if (dice.chance(0.05))
    return { ...named, command: dice.pick(protocol.rows).command, by: dice.pick(['coordinator', 'person']) };
  if (named.command !== 'status' || !dice.chance(0.12)) return named;
  return { ...named, given: { ...named.given, status: item.state === 'REVIEW' ? 'REJECTED' : 'ERROR' } };
}

/** What leads a task in stages on by the engine's own word, taken by whoever it names. */
export const onTask: Player = async (town, handle, dice, { world }) => {
  const task = taskNameOf(handle);
  const [actor = ENGINE] = world.roster;
  const { holder, calls } = await wayOn(town.ports, { actor, proof: undefined, token: undefined }, task);
  const call = callFrom(handle, calls, dice);
  if (call === undefined) return undefined;
  const layout = layoutOf(MAIN, STAGED_DEFAULTS, task);
  prepare(town, handle, layout, call, dice);
  const lead = dice.chance(0.93) ? holder || 'coord' : 'rival';
  const who = call.by === 'coordinator' ? lead : call.by === 'person' ? PERSON : call.by;
  const session = lead === 'rival' ? 's-2' : 's-1';
  const told = { town, handle, task, call, layout, session, proof: `proof-${dice.below(1e9)}` };
  const doing = WORDS[call.command] ?? stepOf;
  const here = ['start', 'land', 'tidy', 'clean'].includes(call.command) ? '' : layout.code;
  const what = `${call.command} ${task} (staged, ${handle.item.state})`;
  return { who, what, here, run: (opened, caller) => doing(told, opened, caller) };
};
