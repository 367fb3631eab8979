import { problemsOf } from '../problems.ts';
import type { Protocol } from '../protocol.ts';
import { judgeEnds } from './ends.ts';
import { explore } from './explore.ts';
import { type Findings, newFindings, provedBy, type Report } from './report.ts';
import { ROSTERS, type RosterName, rosterOf } from './roster.ts';
import { type Choice, newRun, tableOf } from './run.ts';
import { alone, fedGroups, isSetup, protocolsOf, rolesIn, type Setup, seatsOf, settingsOf } from './setup.ts';
import { judgeReach, judgeTable } from './table-findings.ts';

export interface CheckOptions {
  /** Most states to look at, over all explorations; beyond, the report is cut and proves nothing. */
  readonly cap: number;
  readonly rosters: readonly RosterName[];
  /** 'defaults' looks at the default of each setting only. */
  readonly settings: 'every' | 'defaults';
}

const DEFAULTS: CheckOptions = { cap: 400_000, rosters: ROSTERS, settings: 'every' };

/**
 * Explores everything that can happen under a protocol, with the very functions that decide in earnest, for every
 * cast and every choice of settings, and reports what breaks a promise, with the way there. Never throws: a table
 * that is not well-formed is reported and not explored.
 */
export function checkProtocol(subject: Protocol | Setup, options: Partial<CheckOptions> = {}): Report {
  const { cap, rosters, settings } = { ...DEFAULTS, ...options };
  const setup = isSetup(subject) ? subject : alone(subject);
  const findings = newFindings();
  const carried = protocolsOf(setup).flatMap((p) => p.policies.flatMap((policy) => policy.carry));
  for (const protocol of protocolsOf(setup)) {
    for (const problem of problemsOf(protocol, carried))
      findings.add('well-formed', `${protocol.name}: ${problem}`);
  }
  if (findings.list().length > 0)
    return reportOf(setup, rosters, findings, { states: 0, edges: 0, cut: false });
  for (const protocol of protocolsOf(setup)) judgeTable(protocol, findings);
  return reportOf(setup, rosters, findings, exploreAll(setup, { cap, rosters, settings }, findings));
}

interface Extent {
  readonly states: number;
  readonly edges: number;
  readonly cut: boolean;
}

function exploreAll(setup: Setup, { cap, rosters, settings }: CheckOptions, findings: Findings): Extent {
  const reached = new Map<string, Set<string>>();
  const reach = (protocol: Protocol, thing: string) => {
    const set = reached.get(protocol.name) ?? new Set();
    reached.set(protocol.name, set.add(thing));
  };
  const extent = { states: 0, edges: 0, cut: false };
  const choices = choicesOf(setup).slice(0, settings === 'defaults' ? 1 : undefined);
  const tables = Object.fromEntries(
    Object.entries(setup.streams).map(([id, { protocol }]) => [id, tableOf(protocol)]),
  );
  for (const name of rosters) {
    const run = newRun(setup, rosterOf(name, rolesIn(setup), seatsOf(setup)), tables);
    const graph = explore(run, choices, cap - extent.states, findings, reach);
    extent.states += graph.moments.length;
    extent.edges += graph.edges.length;
    extent.cut ||= graph.cut;
    if (graph.cut) break;
    judgeEnds(run, graph, findings);
  }
  if (!extent.cut) {
    for (const protocol of protocolsOf(setup))
      judgeReach(protocol, reached.get(protocol.name) ?? new Set(), findings);
  }
  return extent;
}

/** Every choice of the settings of every protocol. */
function choicesOf(setup: Setup): readonly Choice[] {
  return protocolsOf(setup).reduce<readonly Choice[]>(
    (all, protocol) => {
      const ids = Object.entries(setup.streams).filter(([, s]) => s.protocol.name === protocol.name);
      const fed = ids.flatMap(([id]) => fedGroups(setup, id));
      return all.flatMap((choice) =>
        settingsOf(protocol, fed).map((s) => ({ ...choice, [protocol.name]: s })),
      );
    },
    [{}],
  );
}

function reportOf(setup: Setup, rosters: readonly string[], findings: Findings, extent: Extent): Report {
  const list = findings.list();
  return { name: setup.name, ...extent, rosters, findings: list, proved: provedBy(list, extent.cut) };
}
