import { shellWord } from '../../kernel/single-quoted.ts';
import { readConfig } from '../config.ts';
import { type Gatherer, lacking, seen } from '../gather/looked.ts';
import { type Handle, loadById } from '../handle.ts';
import { nowOf, type Ports } from '../ports.ts';
import { awayWorkOf } from './away.ts';
import { linkedTo } from './links.ts';
import { pinnedOf } from './settings.ts';
import { isWaiting, LIVE, SPAWN, spawnKey } from './spawn-job.ts';

type Here = Pick<Ports, 'store' | 'git' | 'evidence' | 'runner' | 'agents' | 'clock'>;

/** Minutes without a word after which it is told that a builder elsewhere may be gone. */
const LONG = 60;

/** The name in the configuration under which the agent of an item stands. */
export const agentOf = ({ item }: Pick<Handle, 'item'>): string => String(item.facts.agent ?? '');

/** Labels that a machine must have to start the agent of an item, and that this one is not said to have. */
export async function labelsLacking(
  ports: Pick<Here, 'git' | 'runner'>,
  handle: Handle,
): Promise<readonly string[]> {
  const { agents = {} } = await readConfig(ports);
  const { runs_on: wanted = [] } = (agents[agentOf(handle)] ?? {}) as {
    readonly runs_on?: readonly string[];
  };
  return Array.isArray(wanted) ? wanted.filter((label) => !ports.runner.labels.includes(label)) : [];
}

/** Where the process of an item was started, '' where it is seen from here, or there is none. */
export function placeElsewhere({ agents }: Pick<Ports, 'agents'>, { item }: Pick<Handle, 'item'>): string {
  const place = item.steps.findLast(({ facts }) => facts.place !== undefined)?.facts.place;
  return place === undefined || place === agents.place ? '' : String(place);
}

/** What runs and reviewers wait for beyond this machine, each with what leads on; none for those that go on by themselves. */
export async function awaitedElsewhere(
  ports: Here,
  phase: string,
  handles: readonly Handle[],
): Promise<readonly string[]> {
  const told: string[] = [];
  for (const handle of handles)
    told.push(...(isWaiting(handle) ? await waitsFor(ports, phase, handle) : silentAt(ports, handle)));
  return told;
}

/** Whether another machine has to start what waits for a process: this one lacks a label, or its work. */
export const isForOthers = async (ports: Here, handle: Handle): Promise<boolean> =>
  (await labelsLacking(ports, handle)).length > 0 || (await awayWorkOf(ports, handle)) !== '';

/** Why an item that waits for a process gets none here. */
async function waitsFor(ports: Here, phase: string, handle: Handle): Promise<readonly string[]> {
  const { display, protocol } = handle;
  const out = protocol.name === 'reviewer' ? `phase abort ${phase}` : `agent kill ${display}`;
  const orElse = `or give it up: countersign ${out} --reason "WHY"`;
  const labels = await labelsLacking(ports, handle);
  if (labels.length > 0)
    return [
      `${display} waits for a machine with ${labels.join(', ')}: start a worker there (countersign work --label ${labels.map(shellWord).join(' ')}), ${orElse}`,
    ];
  const away = await awayWorkOf(ports, handle);
  return away === '' ? [] : [`${display} waits for a machine that has its work: ${away}; ${orElse}`];
}

function silentAt(ports: Here, handle: Handle): readonly string[] {
  const place = isSilent(ports, handle) ? placeElsewhere(ports, handle) : '';
  if (place === '') return [];
  const { display } = handle;
  return [
    `${display} runs where it is not seen from here (${place}); if that is gone for good, a person says so: countersign agent give-up ${display} --reason "WHY"`,
  ];
}

/** No word of it came for long: that says nothing of whether it lives, but somebody may look. */
function isSilent({ clock }: Pick<Ports, 'clock'>, handle: Handle): boolean {
  const { item, protocol } = handle;
  if (isWaiting(handle) || !LIVE.includes(item.state)) return false;
  const most = protocol.name === 'reviewer' ? 2 * pinnedOf(handle).stalled : LONG;
  return clock().getTime() - Date.parse(item.updatedAt) > most * 60_000;
}

/** Whether a review waits for nobody but reviewers whom no machine has: one that is being started is to be heard. */
export const noneComing: Gatherer = async ({ ports, handle }) => {
  const coming: string[] = [];
  for (const id of linkedTo(handle, 'reviewers')) {
    const reviewer = await loadById(ports, id);
    if (!isWaiting(reviewer)) continue;
    const job = await ports.store.job(SPAWN, spawnKey(reviewer));
    const isTaken = job !== undefined && job.owner !== '' && job.leaseUntil > nowOf(ports);
    if (!(await isForOthers(ports, reviewer)) || (isTaken && ports.process.isAlive(job.owner)))
      coming.push(reviewer.display);
  }
  const all = coming.join(', ');
  const finding =
    coming.length === 0
      ? seen('nobody else is being started')
      : lacking(`${all} ${coming.length === 1 ? 'is' : 'are'} being started`, `look at ${all}`);
  return { probes: { 'none-coming': finding } };
};

/** Whether the process of a run is out of reach: a person may know that its machine is gone, the engine cannot. */
export const outOfReach: Gatherer = ({ ports, handle }) => {
  const place = placeElsewhere(ports, handle);
  const finding =
    place === ''
      ? lacking(
          `${handle.display} runs where it is seen from here: its end is recorded when it ends`,
          handle.protocol.name === 'reviewer' ? '' : `end it: countersign agent kill ${handle.display}`,
        )
      : seen(`it runs on ${place}, which is not seen from here`);
  return { probes: { 'out-of-reach': finding } };
};
