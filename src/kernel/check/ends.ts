import { judgeStanding } from '../standing.ts';
import { opens } from '../verdict.ts';
import type { WorkItem } from '../work-item.ts';
import { circlesOf } from './circles.ts';
import type { Edge, Graph } from './explore.ts';
import type { Findings, Property } from './report.ts';
import { nameOf, type Places, type Run } from './run.ts';

/** Looks at a complete graph for places that nobody can leave, or only some. */
export function judgeEnds(run: Run, graph: Graph, findings: Findings) {
  const { moments, edges, closed, pathTo } = graph;
  const report = (property: Property, what: string, moment: number) =>
    findings.add(property, what, { path: () => pathTo(moment), roster: nameOf(run, moments[moment] ?? {}) });
  const ended = moments.map((places) => isEnd(run, places));
  const toEnd = canReach(moments.length, edges, (m) => ended[m] ?? false);
  const toEndAlone = canReach(
    moments.length,
    edges.filter((edge) => edge.by !== 'human'),
    (m) => ended[m] ?? false,
  );
  const leaves = new Set(edges.map((edge) => edge.from));
  moments.forEach((places, m) => {
    const state = places[run.setup.main]?.item.state ?? '';
    if (ended[m]) return;
    const gates = closed[m] ?? [];
    if (!leaves.has(m) && gates.length > 0) {
      report(
        'refusal-without-exit',
        `in ${state} the gate of ${gates.join(' and ')} is closed and nobody can do anything else`,
        m,
      );
    }
    if (!toEnd[m]) report('dead-end', `from ${state} no end can be reached`, m);
    else if (!toEndAlone[m]) report('needs-human', `from ${state} only a person leads on to an end`, m);
  });
  const { main, streams } = run.setup;
  const isSuccess = (m: number) =>
    streams[main]?.protocol.states[moments[m]?.[main]?.item.state ?? '']?.success === true;
  const toSuccess = canReach(moments.length, edges, isSuccess);
  const stuck = graph.starts.find((start) => !toSuccess[start]);
  if (stuck !== undefined)
    report('no-success', `the cast of ${run.roster.name} never reaches a success`, stuck);
  const begun = graph.starts.find((start) => isClosed(run, moments[start]?.[main]?.item));
  if (begun !== undefined)
    report('dead-end', 'it counts as closed before anything was done: nobody would be asked for it', begun);
  const loop = endlessStates(run, graph);
  if (loop.length > 0) {
    report('endless', `agents alone can go round for ever through ${loop.join(', ')}`, 0);
  }
}

/** The main item is in a final state or a success, or counts as closed. */
function isEnd(run: Run, places: Places): boolean {
  const protocol = run.setup.streams[run.setup.main]?.protocol;
  const item = places[run.setup.main]?.item;
  if (protocol === undefined || item === undefined) return false;
  const state = protocol.states[item.state];
  return state?.final === true || state?.success === true || isClosed(run, item);
}

function isClosed(run: Run, item: WorkItem | undefined): boolean {
  const protocol = run.setup.streams[run.setup.main]?.protocol;
  if (protocol === undefined || item === undefined || protocol.closed.length === 0) return false;
  return judgeStanding(protocol, protocol.closed, item, run.world).every(opens);
}

/** By moment: can one for which `goal` holds be reached along these edges. */
function canReach(
  size: number,
  edges: readonly Edge[],
  goal: (moment: number) => boolean,
): readonly boolean[] {
  const before: number[][] = Array.from({ length: size }, () => []);
  for (const { from, to } of edges) before[to]?.push(from);
  const reaches = Array.from({ length: size }, (_, moment) => goal(moment));
  const open = reaches.flatMap((yes, moment) => (yes ? [moment] : []));
  for (let moment = open.pop(); moment !== undefined; moment = open.pop()) {
    for (const earlier of before[moment] ?? []) {
      if (reaches[earlier]) continue;
      reaches[earlier] = true;
      open.push(earlier);
    }
  }
  return reaches;
}

/** States of the main item on circles that no person has to take part in. */
function endlessStates(run: Run, { moments, edges }: Graph): readonly string[] {
  const alone = edges.filter((edge) => edge.by !== 'human');
  const circle = circlesOf(moments.length, alone);
  const state = (m: number) => moments[m]?.[run.setup.main]?.item.state ?? '';
  const inside = alone.filter((e) => circle[e.from] === circle[e.to] && state(e.from) !== state(e.to));
  return [...new Set(inside.flatMap((e) => [state(e.from), state(e.to)]))];
}
