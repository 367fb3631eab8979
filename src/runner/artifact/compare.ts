import { canonicalize } from '../../attestation/canonical.ts';
import type { Artifact } from './build.ts';
import { type Answer, drive, driveAlone, type Probe } from './drive.ts';
import type { Unchanged } from './examples.ts';
import { waysTo } from './manifest.ts';
import { shownValue } from './value.ts';

/** What base's artefact answers to one input by one way. Plain data: it depends on base and the input alone. */
export interface BaseAnswer {
  /** The input's number in the list that was asked. */
  readonly input: number;
  readonly probe: Probe;
  readonly answer: Answer;
  /** '' when base answers the same whenever it is asked; else why nothing can be compared with it. */
  readonly unsteady: string;
}

/** Asks base's artefact, by base's ways: what could be required before must still be. */
export async function askBase(base: Artifact, inputs: readonly Unchanged[]): Promise<readonly BaseAnswer[]> {
  const asked = inputs.flatMap(({ call }, input) =>
    waysTo(base.manifest, call.entry).map((way) => ({ input, probe: { call, way } })),
  );
  const probes = asked.map(({ probe }) => probe);
  const together = await drive(base.consumer, base.manifest.name, probes);
  const result: BaseAnswer[] = [];
  for (const [n, { input, probe }] of asked.entries()) {
    const again = () => driveAlone(base.consumer, base.manifest.name, probe);
    const answer = await again();
    // A call beside others may be answered otherwise by a package that keeps something in mind: asked once more, alone.
    const steady = isSame(answer, together[n]) || isSame(answer, await again());
    const unsteady = !isTold(answer)
      ? `base gave no answer: ${shownAnswer(answer)}`
      : steady
        ? ''
        : 'base does not answer the same twice';
    result.push({ input, probe, answer, unsteady });
  }
  return result;
}

/** Compares head with base. Where it differs from base it is asked again, alone. '' when they are the same. */
export async function differenceOf(
  head: Artifact,
  { probe, answer }: BaseAnswer,
  given: Answer | undefined,
): Promise<string> {
  if (isSame(answer, given)) return '';
  const alone = await driveAlone(head.consumer, head.manifest.name, probe);
  return isSame(answer, alone) ? '' : `${shownAnswer(alone)} instead of ${shownAnswer(answer)}`;
}

const isTold = (answer: Answer) => 'value' in answer || answer.kind === 'threw';
const isSame = (one: Answer, other: Answer | undefined) =>
  isTold(one) && other !== undefined && textOf(one) === textOf(other);

function textOf(answer: Answer): string {
  if ('value' in answer) return `${answer.kind} ${canonicalize(answer.value)}`;
  return 'message' in answer ? `${answer.kind} ${answer.message}` : JSON.stringify(answer);
}

function shownAnswer(answer: Answer): string {
  if ('value' in answer) return shownValue(answer.value);
  if ('message' in answer) return `${answer.kind} ${shownValue(answer.message)}`;
  return answer.kind === 'nothing' ? `no answer (${answer.ended})` : answer.kind;
}
