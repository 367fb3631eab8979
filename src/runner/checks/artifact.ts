import { dirname } from 'node:path';
import { sha256Hex } from '../../attestation/digest.ts';
import { type Artifact, makeArtifact, type Recipe } from '../artifact/build.ts';
import { askBase, type BaseAnswer } from '../artifact/compare.ts';
import type { Unchanged } from '../artifact/examples.ts';
import { type Given, givenExamples } from '../artifact/given.ts';
import { modulesAbove } from '../artifact/install.ts';
import { judgeLoading } from '../artifact/loading.ts';
import { isMapping } from '../artifact/manifest.ts';
import type { NoArtifact } from '../artifact/pack.ts';
import { judgeArtifact, type Verdict } from '../artifact/verdict.ts';
import type { Fields } from '../fields.ts';
import { removeFolder } from '../remove-folder.ts';
import { parseDuration, parseSize } from '../units.ts';
import { runnerVersion } from '../verdict.ts';
import { weakPoints } from '../weak-points.ts';
import { type CheckContext, type CheckResult, plainResult } from './check.ts';
import { innerPath } from './inside.ts';

/** Uses what a consumer would get, away from the checkout, as a consumer would. */
export interface ArtifactCheck extends Recipe {
  readonly id: string;
  readonly kind: 'artifact';
  readonly pack: 'npm';
  /** Acceptance examples, read from base; '' where only those that came with the item are used. */
  readonly examples: string;
}

/** Reads an artifact check from criteria; problems go to the fields. */
export function readArtifactCheck(id: string, fields: Fields): ArtifactCheck {
  return {
    id,
    kind: 'artifact',
    pack: fields.choice('pack', ['npm']),
    examples: innerPath(fields, 'examples'),
    directory: innerPath(fields, 'directory'),
    timeoutMs: fields.measure('timeout', 20_000, parseDuration, '20s or 1m'),
    maxOutput: fields.measure('max_output', 10_000_000, parseSize, '10MB or 512KiB'),
  };
}

/**
 * Packs the claimed commit, installs it in an empty folder without what only its development needs, and has plain
 * processes use it. Answers are compared here, outside of those processes: what they print says nothing, and no answer
 * fails. Where there are no examples it must load, which shows nothing.
 */
export async function runArtifactCheck(check: ArtifactCheck, context: CheckContext): Promise<CheckResult> {
  const start = performance.now();
  const verdict = await judge(check, context);
  const aborted = context.signal?.aborted ? notTold('the run was aborted') : undefined;
  const durationMs = Math.round(performance.now() - start);
  const { id, kind } = check;
  return { ...plainResult, id, kind, strength: 'tests', ...(aborted ?? verdict), durationMs };
}

async function judge(check: ArtifactCheck, context: CheckContext): Promise<Verdict> {
  const given = await givenExamples(check.examples, context);
  if (typeof given === 'string') return notTold(given);
  // Base is asked before the claimed package exists, and its package is gone when that runs.
  const before = await baseAnswers(
    check,
    context,
    given.unchanged.map(({ input }) => input),
  );
  if ('kind' in before) return notTold(`there is no artefact of base: ${before.cause}`);
  const head = await makeArtifact('head', check, context);
  if ('kind' in head) return head.kind === 'open' ? notTold(head.cause) : broken(head.cause);
  const verdict = isEmpty(given)
    ? await judgeLoading(head, () => baseOf(check, context))
    : await judgeArtifact(head, before, given);
  const mended = head.consumer.files.changed();
  const kept =
    mended === '' ? verdict : broken(`the installed package was changed while it was used: ${mended}`);
  const weak = isEmpty(given) ? [weakPoints.noExamples] : [];
  return { ...kept, notes: [...verdict.notes, ...weak, ...(await remarks(head, kept))] };
}

const isEmpty = (given: Given) => given.examples.length + given.unchanged.length === 0;

/**
 * What base's artefact answers to the inputs that the change should not touch. Plain data that depends on base's tree,
 * the set-up and the inputs alone, so that it can be kept.
 */
export async function baseAnswers(
  recipe: Recipe,
  context: Pick<CheckContext, 'change' | 'trees' | 'isolation' | 'signal' | 'memory'>,
  inputs: readonly Unchanged[],
): Promise<readonly BaseAnswer[] | NoArtifact> {
  if (inputs.length === 0) return [];
  const identity = [runnerVersion, context.change?.baseTree, recipe, inputs, process.version, process.arch];
  const key = sha256Hex(JSON.stringify(['base-answers/1', identity]));
  const kept = await context.memory.recall(key);
  if (kept !== undefined) return JSON.parse(kept) as readonly BaseAnswer[];
  const base = await baseOf(recipe, context);
  if ('kind' in base) return base;
  const answers = await askBase(base, inputs);
  await removeFolder(dirname(base.consumer.place));
  // What could not be told this time may be told the next.
  if (answers.every(({ unsteady }) => unsteady === ''))
    await context.memory.keep(key, JSON.stringify(answers));
  return answers;
}

const baseOf = async (
  recipe: Recipe,
  context: Pick<CheckContext, 'change' | 'trees' | 'isolation' | 'signal'>,
): Promise<Artifact | NoArtifact> =>
  context.change === undefined
    ? { kind: 'open', cause: 'no base is known' }
    : makeArtifact('base', recipe, context);

/** What a reader of the verdict should know of the circumstances. */
async function remarks({ consumer, manifest }: Artifact, { outcome }: Verdict): Promise<readonly string[]> {
  const above = await modulesAbove(consumer.place);
  const scripts = isMapping(manifest.raw.scripts) ? manifest.raw.scripts : {};
  const builds = ['prepack', 'prepare'].filter((name) => scripts[name] !== undefined);
  const unbuilt = outcome === 'fail' && builds.length > 0;
  const tells = /countersign/i.test(consumer.place);
  return [
    ...(consumer.isolation.disk === 'visible'
      ? ['the disk of this machine was open to the package: its answers may come from outside of the commit']
      : []),
    ...(tells ? ['the folder of the run has a name by which code could recognise it'] : []),
    ...(above === undefined
      ? []
      : [`${above} holds node_modules, where programs could find what is not shipped`]),
    ...(unbuilt
      ? [`packing runs no scripts: what ${builds.join(' and ')} would build belongs into setup.build`]
      : []),
  ];
}

const notTold = (explanation: string): Verdict => ({
  outcome: 'indeterminate',
  explanation,
  reason: 'not-told',
  shows: [],
  notes: [],
});
const broken = (explanation: string): Verdict => ({
  ...notTold(explanation),
  outcome: 'fail',
  reason: 'artifact-broken',
});
