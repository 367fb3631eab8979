import { freshEvidence } from '../../kernel/freshness.ts';
import type { Step } from '../../kernel/work-item.ts';
import { type Gatherer, type Look, lacking, seen } from '../gather/looked.ts';
import type { Handle } from '../handle.ts';
import { fitOf, viewOf } from './probes-place.ts';
import { RISKS, type StagedSettings } from './settings.ts';
import { agentsOf, riskOf } from './task.ts';

/** What has to be answered for an agent that comes late, as arguments of the step (PROTO-126). */
export const ANSWERS = {
  expertise: 'which expertise is missing',
  requirement: 'which requirement cannot be met without it',
  overlooked: 'why it was not selected at first',
  shows: 'what shows it now',
} as const;

export const isAddition = (command: string): boolean =>
  command === 'add-agent' || command === 'add-critical-agent';

/** The four answers in one text; '' where one is lacking (PROTO-129). */
export function justificationOf({ arguments: given }: Pick<Step, 'arguments'>): string {
  const said = Object.keys(ANSWERS).map((name) => (given[name] ?? '').trim());
  return said.includes('')
    ? ''
    : Object.keys(ANSWERS)
        .map((name, n) => `${name}: ${said[n]}`)
        .join('; ');
}

/** An agent that comes late: known, new to the task, and no way around what somebody found (PROTO-119 to PROTO-126). */
export const addition: Gatherer = async (look) => {
  const { settings } = await viewOf(look);
  const { agent = '', risk = '' } = look.request.arguments;
  const { state } = look.handle.item;
  const before = riskOf(look.handle);
  const outcome = risk === before ? 'kept' : 'raised';
  const failing = state === 'IMPLEMENTATION' ? { planning_failure: true } : {};
  return {
    probes: { addition: (await problemOf(look, settings)) ?? seen(`${agent} is added in ${state}`) },
    facts: {
      added_at_state: state,
      risk_assessment: outcome,
      risk_before: before,
      risk_now: risk,
      ...failing,
    },
  };
};

async function problemOf(look: Look, settings: StagedSettings) {
  const { agent = '', risk = '' } = look.request.arguments;
  const known = RISKS.map(String);
  if (agent === '' || agentsOf(look.handle).includes(agent))
    return lacking(
      agent === '' ? 'no agent is named' : `${agent} is an agent of this task already`,
      'name another one',
    );
  // The gravest stands first.
  if (!known.includes(risk) || known.indexOf(risk) > known.indexOf(riskOf(look.handle)))
    return lacking(
      `the risk is ${riskOf(look.handle)}: an addition keeps or raises it, ${risk || 'nothing'} does neither`,
      `use ${RISKS.join(', ')}`,
    );
  return roundabout(look.handle, settings, agent) ?? unfit(look, settings, agent);
}

async function unfit(look: Look, settings: StagedSettings, agent: string) {
  const fit = await fitOf(look, [agent], Object.keys(settings.agents));
  return fit.status === 'satisfied' ? undefined : fit;
}

/** No new agent where the work has to be mended: not in a domain that rejected it, nor in one that is covered (PROTO-124, PROTO-125). */
function roundabout(handle: Handle, { agents }: StagedSettings, agent: string) {
  const domain = agents[agent]?.domain;
  const rejecting = rejectersOf(handle);
  const same = rejecting.find((name) => agents[name]?.domain === domain);
  if (same !== undefined)
    return lacking(`${same} of the same domain rejected the work`, 'mend what it found instead');
  const failed = freshWords(handle, 'ERROR');
  const issues = [
    ...rejecting.map((name) => `${name} rejected the work`),
    ...failed.map((name) => `${name} is in ERROR`),
  ];
  const covering = agentsOf(handle).find((name) => agents[name]?.domain === domain);
  if (issues.length === 0 || covering === undefined) return undefined;
  return lacking(
    `${issues.join(', ')}, and ${covering} covers ${domain} already: this is no new gap`,
    'solve what was raised with the agents that are there',
  );
}

function freshWords({ item }: Handle, outcome: string): readonly string[] {
  const last = new Map(
    ['requirements', 'implementation'].flatMap((kind) =>
      freshEvidence(item, kind).map((e) => [e.by, e.outcome] as const),
    ),
  );
  return [...last].filter(([, said]) => said === outcome).map(([by]) => by);
}

/** Who rejected the work, in this round or an earlier one, without having approved since. */
function rejectersOf({ item }: Handle): readonly string[] {
  const last = new Map(item.evidence.filter(({ kind }) => kind === 'review').map((e) => [e.by, e.outcome]));
  return [...last].filter(([, outcome]) => outcome === 'REJECTED').map(([by]) => by);
}
