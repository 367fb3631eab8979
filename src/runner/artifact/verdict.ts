import type { CheckResult } from '../checks/check.ts';
import type { Artifact } from './build.ts';
import { type BaseAnswer, differenceOf } from './compare.ts';
import { type Answer, drive, driveAlone, type Probe } from './drive.ts';
import { type Finding, judgeBin, judgeCall } from './examine.ts';
import type { Call, Example } from './examples.ts';
import type { Given, Origin } from './given.ts';
import { waysTo } from './manifest.ts';
import { shownValue } from './value.ts';

/** What the artefact showed: each example and each input has a line of its own. */
export type Verdict = Pick<CheckResult, 'outcome' | 'explanation' | 'reason' | 'shows' | 'notes'>;

interface Judged {
  /** Whether a pass shows acceptance. */
  readonly shows: boolean;
  readonly label: string;
  readonly outcome: 'passed' | 'failed' | 'open';
  readonly reason: 'acceptance-failed' | 'artifact-broken' | 'artifact-differs' | 'not-told';
  readonly detail: string;
}

/**
 * Uses the artefact as its consumers do: on every example, and on every input that must be answered as by base. Both
 * are asked in one mixture, so that nothing tells them apart.
 */
export async function judgeArtifact(
  head: Artifact,
  before: readonly BaseAnswer[],
  given: Given,
): Promise<Verdict> {
  const calls = given.examples.flatMap(({ example }) =>
    example.kind === 'call' ? probesOf(head, example.call).map((probe) => ({ example, probe })) : [],
  );
  const probes = [...calls, ...before].map(({ probe }) => probe);
  const answers = pair(probes, await drive(head.consumer, head.manifest.name, probes));
  const judged: Judged[] = [];
  for (const { example, origin, independent } of given.examples) {
    const own = calls.filter((call) => call.example === example).map(({ probe }) => probe);
    const judgement = await judgeExample(head, example, own, answers);
    judged.push({ ...judgedExample(example, origin, judgement), shows: independent });
  }
  for (const [n, { input, origin }] of given.unchanged.entries()) {
    const own = before.filter((stay) => stay.input === n);
    for (const stay of own) {
      const difference = stay.unsteady === '' ? await differenceOf(head, stay, answers.get(stay.probe)) : '';
      judged.push(judgedStay(input.id, stay, origin, difference));
    }
  }
  return verdictOf(judged);
}

const probesOf = (artifact: Artifact, call: Call): readonly Probe[] =>
  waysTo(artifact.manifest, call.entry).map((way) => ({ call, way }));

const pair = (probes: readonly Probe[], answers: readonly Answer[]) =>
  new Map(probes.flatMap((probe, n) => (answers[n] === undefined ? [] : [[probe, answers[n]] as const])));

async function judgeExample(
  head: Artifact,
  example: Example,
  probes: readonly Probe[],
  answers: ReadonlyMap<Probe, Answer>,
): Promise<Judgement> {
  if (example.kind === 'bin') return judgeBin(head.consumer, example, head.manifest.bins);
  let note = '';
  for (const probe of probes) {
    const answer = answers.get(probe) ?? unasked;
    const finding = judgeCall(example, answer);
    if (finding.fault === '') continue;
    // What an earlier call left behind in the package must not decide: alone it is as a consumer has it.
    const alone = isSaid(answer) ? await driveAlone(head.consumer, head.manifest.name, probe) : answer;
    const again = judgeCall(example, alone);
    if (again.fault !== '') return { ...by(probe, again), unloaded: alone.kind === 'unloaded' };
    note = 'in a process of its own; beside other calls it answered otherwise';
  }
  return { fault: '', brief: '', note };
}

interface Judgement extends Finding {
  readonly unloaded?: boolean;
  readonly note?: string;
}

const unasked: Answer = { kind: 'nothing', ended: 'was not asked' };
const isSaid = ({ kind }: Answer) => kind === 'returned' || kind === 'resolved' || kind === 'threw';
const by = ({ way }: Probe, { fault, brief }: Finding): Finding =>
  way === 'any' ? { fault, brief } : { fault: `by ${way} ${fault}`, brief: `by ${way} ${brief}` };

/** Values of examples that the builder must not see stay out of the record. */
function judgedExample({ id }: Example, origin: Origin, judgement: Judgement): Omit<Judged, 'shows'> {
  const { fault, brief, unloaded = false, note = '' } = judgement;
  const label = `example ${id}${origin === 'item' ? ' (of the item)' : ''}`;
  return {
    label,
    outcome: fault === '' ? 'passed' : 'failed',
    reason: unloaded ? 'artifact-broken' : 'acceptance-failed',
    detail: fault === '' ? note : origin === 'item' ? brief : fault,
  };
}

function judgedStay(id: string, { probe, unsteady }: BaseAnswer, origin: Origin, difference: string): Judged {
  const way = probe.way === 'any' ? '' : ` by ${probe.way}`;
  const args = shownValue(probe.call?.args ?? []).slice(1, -1);
  const shown = origin === 'item' ? ' (of the item)' : `, ${probe.call?.path.join('.')}(${args})`;
  return {
    shows: false,
    label: `input ${id}${shown}${way}`,
    outcome: unsteady !== '' ? 'open' : difference === '' ? 'passed' : 'failed',
    reason: unsteady === '' ? 'artifact-differs' : 'not-told',
    detail:
      origin === 'base' || difference === '' ? `${unsteady}${difference}` : 'it is not answered as by base',
  };
}

/** What fails comes before what was left open; every example and every input has a line in the notes. */
function verdictOf(judged: readonly Judged[]): Verdict {
  const notes = judged.map(
    ({ label, outcome, detail }) => `${label}: ${outcome}${detail === '' ? '' : `, ${detail}`}`,
  );
  const worst = [...judged].sort((a, b) => rank(a) - rank(b))[0];
  const passed = judged.filter(({ outcome }) => outcome === 'passed').length;
  if (worst === undefined || worst.outcome === 'passed') {
    const shows = judged.some((one) => one.shows);
    return {
      outcome: 'pass',
      explanation: `the installed package answers as it should (${passed} checked)`,
      reason: '',
      shows: shows ? ['acceptance'] : [],
      notes,
    };
  }
  const others = judged.length - passed - 1;
  return {
    outcome: worst.outcome === 'failed' ? 'fail' : 'indeterminate',
    explanation: `${worst.label}: ${worst.detail}${others > 0 ? `, and ${others} more` : ''}`,
    reason: worst.reason,
    shows: [],
    notes,
  };
}

const order: readonly Judged['reason'][] = [
  'artifact-broken',
  'acceptance-failed',
  'artifact-differs',
  'not-told',
];
const rank = ({ outcome, reason }: Judged) => (outcome === 'passed' ? order.length : order.indexOf(reason));
