import type { Actor } from '../../kernel/actor.ts';
import type { Option } from '../../kernel/guidance.ts';
import { expand } from '../../kernel/protocol.ts';
import { unsatisfied } from '../../kernel/verdict.ts';
import type { Handle } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { mendFirst } from './judged-already.ts';
import { isJudged, judgedRounds, type Round, roundsOf, workOf } from './rounds.ts';
import { pinnedOf } from './settings.ts';
import { runsOf } from './task-phases.ts';

/** Which cap of a phase is used up, in words; '' for none. */
export async function overCaps(ports: Ports, phase: Handle): Promise<string> {
  const { rounds, cost } = pinnedOf(phase);
  if (rounds === 0 && cost === 0) return '';
  const all = await roundsOf(ports, phase);
  const used = all.filter(({ review }) => isJudged(review)).length;
  if (rounds > 0 && used >= rounds) return `${used} of ${rounds} review rounds are used up`;
  const spent = cost > 0 ? await spentOn(ports, phase, all) : 0;
  return cost > 0 && spent >= cost ? `its agents cost ${spent.toFixed(2)} of ${cost} US dollars` : '';
}

/** Whether a command is a person's alone here: one who leads as well needs no word of theirs for it, but beyond a cap. */
export const isBeyondCap = async (ports: Ports, phase: Handle, command: string): Promise<boolean> =>
  command === 'trigger' && phase.item.state === 'ESCALATED' && (await overCaps(ports, phase)) !== '';

async function spentOn(ports: Ports, phase: Handle, rounds: readonly Round[]): Promise<number> {
  const runs = await runsOf(ports, phase);
  const names = [...runs, ...rounds.flatMap(({ reviewers }) => reviewers)].flatMap((one) =>
    one.item.steps.map(({ facts }) => String(facts.run ?? '')).filter((name) => name !== ''),
  );
  const states = await Promise.all([...new Set(names)].map((name) => ports.agents.look(name)));
  return states.reduce((sum, { costUsd }) => sum + costUsd, 0);
}

const BUSY: readonly string[] = ['starting', 'running'];

/**
 * The cap that nothing goes on for from where a phase stands, '' where something does: nobody is at work, and what was built
 * has been before its reviewers. To escalate it is what leads on.
 */
export async function stuckByCap(ports: Ports, phase: Handle): Promise<string> {
  const { state, members } = phase.item;
  // A phase that was opened under an older table has no such row out of ACTIVE.
  const leadsOut = phase.protocol.rows.some(
    ({ from, command }) => command === 'escalate' && expand(phase.protocol, from).includes(state),
  );
  const agents = Object.values(members.agents ?? {}).map((one) => one.state);
  if (!leadsOut || agents.some((one) => BUSY.includes(one))) return '';
  const over = await overCaps(ports, phase);
  if (over === '') return '';
  return state === 'ACTIVE' && agents.includes('completed') && (await isNew(ports, phase)) ? '' : over;
}

/** Whether there is something that no reviewers have judged: an agent may complete without changing anything. */
async function isNew(ports: Ports, phase: Handle): Promise<boolean> {
  const last = (await judgedRounds(ports, phase)).at(-1);
  return last === undefined || workOf(last) !== phase.item.subjects.commit?.digest;
}

/** What a person may do beyond a cap, with the commands; `first` is what has to be done before a review, '' for nothing. */
export const personsWay = (phase: string, first: string): string =>
  `a person decides: ${first === '' ? '' : `${first}; then `}countersign phase trigger ${phase}, or countersign phase approve ${phase} --force --reason "WHY"`;

/** The ways of a phase that its caps leave: to escalate it, where nothing else leads on; and then a new review is a person's. */
export async function waysWithin(
  ports: Ports,
  phase: Handle,
  { kind }: Pick<Actor, 'kind'>,
  ways: readonly Option[],
): Promise<readonly Option[]> {
  if ((await stuckByCap(ports, phase)) !== '')
    return ways.flatMap((way) => (way.command === 'escalate' ? [{ ...way, sole: true as const }] : []));
  const over = phase.item.state === 'ESCALATED' ? await overCaps(ports, phase) : '';
  if (over === '') return ways;
  const first = await mendFirst(ports, phase);
  const lacks = unsatisfied('probe', `${over}: ${personsWay(phase.display, first)}`, '');
  const more = (way: Option) => (kind === 'human' ? { first } : { missing: [...way.missing, lacks] });
  return ways.map((way) => (way.command === 'trigger' ? { ...way, ...more(way) } : way));
}
