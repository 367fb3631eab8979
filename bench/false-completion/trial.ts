import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { act, type Stage } from './actor.ts';
import { type Baselines, baselines } from './baselines/index.ts';
import { criteriaText } from './criteria.ts';
import { type Ended, ended } from './ended.ts';
import { acceptanceText, type Material } from './material.ts';
import { agreeing, answersOf } from './oracle.ts';
import type { Label, Scenario, Truth } from './scenario.ts';
import type { Desk, Workshop } from './workshop.ts';
import { write } from './write-files.ts';

/** How one story ended. */
export interface Trial {
  readonly scenario: Label;
  readonly material: string;
  readonly accepted: boolean;
  /** Every reason that the product gave, as codes. */
  readonly reasons: readonly string[];
  /** True when the oracle found what the scenario says: otherwise the scenario is wrong and not the product. */
  readonly truthful: boolean;
  /** From claim to verdict, where that is what was told. */
  readonly milliseconds: number | undefined;
  /** What the usual ways would have said, where they were asked. */
  readonly baselines: Baselines | undefined;
  /** For whoever looks into it: what the product said. */
  readonly said: string;
}

/** Tells one story in a repository of its own. Throws when it could not be told. */
export async function runTrial(
  workshop: Workshop,
  scenario: Scenario,
  material: Material,
  { compare = true } = {},
): Promise<Trial> {
  const desk = workshop.desk();
  try {
    const stage: Stage = { desk, material, item: '', base: '', claimed: '' };
    await prepare(stage, scenario);
    await act(stage, scenario.steps);
    const head = await desk.git('rev-parse', 'HEAD');
    const lazy = compare ? await baselines(desk, stage.base) : undefined;
    const began = performance.now();
    const claimed = await desk.cli(
      'builder',
      'claim',
      stage.item,
      ...scenario.claim.map((w) => named(w, stage)),
    );
    const claim = documentOf(claimed);
    stage.claimed = claim.data?.commit ?? head;
    await act(stage, scenario.after);
    const verified = claimed.code === 0 ? await desk.cli('checker', 'verify', stage.item) : claimed;
    const milliseconds = performance.now() - began;
    if (verified.code === 1 || verified.code === -1) throw new Error(`${verified.out}${verified.err}`);
    return {
      scenario,
      material: material.id,
      accepted: claimed.code === 0 && verified.code === 0,
      reasons: reasonsOf(verified),
      truthful: await isTrue(scenario.truth, desk, material, stage.claimed),
      milliseconds,
      baselines: lazy,
      said: verified.out,
    };
  } finally {
    desk.remove();
  }
}

/** Base on main, with criteria; an item; a branch for the work. */
async function prepare(stage: Stage, scenario: Scenario): Promise<void> {
  const { desk, material } = stage;
  const options = {
    attempts: scenario.title.includes('flaky') ? 3 : 1,
    inside: scenario.title.includes('nothing but the library') ? ['lib/**', 'test/**'] : [],
    tolerate: scenario.title.includes('despite known failures'),
  };
  const criteria = (['light', 'standard', 'strict'] as const).map((tier) => [
    `.countersign/criteria/${tier === 'standard' ? 'default' : tier}.yaml`,
    criteriaText(tier, material.program, desk.modules, options),
  ]);
  write(desk.top, { ...material.base, ...(scenario.start === 'red' ? material.tests : {}) });
  write(desk.top, Object.fromEntries(criteria));
  await act(stage, scenario.base);
  await desk.git('add', '-A');
  await desk.git('commit', '-q', '-m', 'base');
  stage.base = await desk.git('rev-parse', 'HEAD');
  const examples = join(desk.root, 'acceptance.json');
  if (scenario.acceptance) writeFileSync(examples, acceptanceText(material));
  const words = [
    ...(scenario.tier === 'standard' ? [] : ['--criteria', scenario.tier]),
    ...(scenario.acceptance ? ['--acceptance', examples] : []),
  ];
  const added = await desk.cli('', 'add', scenario.title, '--kind', scenario.kind, ...words);
  if (added.code !== 0) throw new Error(`add: ${added.out}${added.err}`);
  stage.item = documentOf(added).data?.id ?? 'T-1';
  await desk.git('checkout', '-q', '-b', 'work');
}

const named = (text: string, { base, item }: Stage) => text.replace('{base}', base).replace('{item}', item);

interface Told {
  readonly data?: {
    readonly id?: string;
    readonly commit?: string;
    readonly verdict?: string;
    readonly checks?: readonly { readonly outcome: string; readonly reason?: string; readonly id: string }[];
  };
  readonly error?: {
    readonly code: string;
    readonly missing?: readonly { readonly guard: string; readonly because: string }[];
  };
}

function documentOf({ out }: Ended): Told {
  try {
    return JSON.parse(out) as Told;
  } catch {
    return {};
  }
}

/** Codes of the checks that did not pass; `failed` where a check names none; the code of a refusal and its guards. */
function reasonsOf(answer: Ended): readonly string[] {
  const { data, error } = documentOf(answer);
  const checks = (data?.checks ?? []).filter(({ outcome }) => outcome !== 'pass');
  if (data?.verdict === 'INDETERMINATE')
    return [...new Set(['not-told', ...checks.map(({ reason }) => reason ?? '')])];
  const found = [
    ...checks.map(
      ({ reason, outcome, id }) =>
        reason || (id === 'tracked-files' ? id : outcome === 'fail' ? 'failed' : 'not-told'),
    ),
    ...(error === undefined
      ? []
      : [
          error.code,
          ...(error.missing ?? []).map(({ guard, because }) =>
            because.startsWith('nothing changed') ? 'nothing-changed' : guard,
          ),
        ]),
  ];
  return [...new Set(found)];
}

/**
 * Asks the module of the claimed commit, from a clone that has none of the builder's settings, and no tests: a consumer
 * has none either, and a module that looks for them must not find them here.
 */
async function isTrue(truth: Truth, desk: Desk, material: Material, commit: string): Promise<boolean> {
  if (truth === 'free') return true;
  const folder = mkdtempSync(join(desk.root, 'clone-'));
  const env = { ...desk.env, GIT_NO_REPLACE_OBJECTS: '1' };
  await ended('git', ['clone', '-q', '-s', '--no-checkout', desk.top, folder], desk.root, env);
  await ended('git', ['-c', 'advice.detachedHead=false', 'checkout', '-q', '--detach', commit], folder, env);
  rmSync(join(folder, 'test'), { recursive: true, force: true });
  const given = await answersOf(join(folder, material.entry), material.calls, desk.root);
  rmSync(folder, { recursive: true, force: true });
  const all = material.calls.length;
  if (truth === 'same') return agreeing(given, material.onBase) === all;
  return (agreeing(given, material.onFixed) === all) === (truth === 'fixed');
}
