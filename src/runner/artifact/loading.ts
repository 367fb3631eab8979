import type { Artifact } from './build.ts';
import { type Answer, drive } from './drive.ts';
import { withoutAnswer } from './examine.ts';
import { waysTo } from './manifest.ts';
import type { NoArtifact } from './pack.ts';
import type { Verdict } from './verdict.ts';

/**
 * Where there are no examples: the main entry must load, or do exactly what base's did, such as a program without an
 * entry. That shows nothing about the work.
 */
export async function judgeLoading(
  head: Artifact,
  makeBase: () => Promise<Artifact | NoArtifact>,
): Promise<Verdict> {
  const fault = await loadFault(head);
  if (fault === '') return passed('the installed package can be loaded; there are no examples');
  const base = await makeBase();
  if (!('kind' in base) && (await loadFault(base)) === fault)
    return passed(`the installed package behaves as base's when it is loaded: ${fault}`);
  return { outcome: 'fail', explanation: fault, reason: 'artifact-broken', shows: [], notes: [] };
}

async function loadFault({ consumer, manifest }: Artifact): Promise<string> {
  const probes = waysTo(manifest, '').map((way) => ({ call: undefined, way }));
  const answers = await drive(consumer, manifest.name, probes);
  return answers.map(faultOf).find((fault) => fault !== '') ?? '';
}

const faultOf = (answer: Answer): string =>
  'value' in answer || answer.kind === 'threw' ? '' : withoutAnswer(answer).fault;

const passed = (explanation: string): Verdict => ({
  outcome: 'pass',
  explanation,
  reason: '',
  shows: [],
  notes: [],
});
