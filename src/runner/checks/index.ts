import type { Fields } from '../fields.ts';
import { type ApprovalCheck, readApprovalCheck, runApprovalCheck } from './approval.ts';
import { type ArtifactCheck, readArtifactCheck, runArtifactCheck } from './artifact.ts';
import type { CheckContext, CheckResult } from './check.ts';
import { type CommandCheck, commandStrength, readCommandCheck, runCommandCheck } from './command.ts';
import { type CoverageCheck, readCoverageCheck, runCoverageCheck } from './coverage.ts';
import { type DiffCheck, readDiffCheck, runDiffCheck } from './diff.ts';
import { type FileCheck, readFileCheck, runFileCheck } from './file.ts';
import { type ImageCheck, readImageCheck, runImageCheck } from './image.ts';
import { type MutationCheck, readMutationCheck, runMutationCheck } from './mutation.ts';
import { type ReviewCheck, readReviewCheck, runReviewCheck } from './review.ts';
import { readTestsCheck, runTestsCheck, type TestsCheck } from './tests.ts';

/** Every kind of check there is: one file each, and one line in each of the tables here. */
export type CheckSpec =
  | CommandCheck
  | FileCheck
  | TestsCheck
  | DiffCheck
  | MutationCheck
  | ArtifactCheck
  | ImageCheck
  | CoverageCheck
  | ReviewCheck
  | ApprovalCheck;

type Kinds = { readonly [K in CheckSpec['kind']]: Kind<Extract<CheckSpec, { kind: K }>> };

interface Kind<Spec> {
  readonly read: (id: string, fields: Fields) => Spec;
  readonly run: (check: Spec, context: CheckContext) => Promise<CheckResult>;
  /** How much a pass says. */
  readonly strength: (check: Spec) => CheckResult['strength'];
  /** Whether it needs the dependencies and builds of the set-up. */
  readonly needsSetup: boolean;
  /** Whether it never looks into the shared checkout: then it runs beside those that do. */
  readonly apart: (check: Spec) => boolean;
}

// What a kind needs of the run: programs in the checkout itself, in trees of its own, or none at all.
const inCheckout = { needsSetup: true, apart: () => false };
const inTrees = { needsSetup: true, apart: () => true };
const byChoice = { needsSetup: true, apart: (check: CommandCheck) => check.apart };
const byReading = { needsSetup: false, apart: () => false };
const byCommits = { needsSetup: false, apart: () => true };

// biome-ignore format: a table reads as a table
const kinds: Kinds = {
  command:  { read: readCommandCheck,  run: runCommandCheck,  strength: commandStrength, ...byChoice },
  file:     { read: readFileCheck,     run: runFileCheck,     strength: () => 'content', ...byReading },
  tests:    { read: readTestsCheck,    run: runTestsCheck,    strength: () => 'tests',   ...inCheckout },
  diff:     { read: readDiffCheck,     run: runDiffCheck,     strength: () => 'content', ...byCommits },
  mutation: { read: readMutationCheck, run: runMutationCheck, strength: () => 'tests',   ...inCheckout },
  artifact: { read: readArtifactCheck, run: runArtifactCheck, strength: () => 'tests',   ...inTrees },
  image:    { read: readImageCheck,    run: runImageCheck,    strength: () => 'content', ...inCheckout },
  coverage: { read: readCoverageCheck, run: runCoverageCheck, strength: () => 'content', ...inCheckout },
  review:   { read: readReviewCheck,   run: runReviewCheck,   strength: () => 'content', ...byReading },
  approval: { read: readApprovalCheck, run: runApprovalCheck, strength: () => 'content', ...byReading },
};

/** The names of all kinds, in the order of the table. */
export const checkKinds = Object.keys(kinds) as readonly CheckSpec['kind'][];

// The table pairs each kind with its own functions, which an index by a union cannot say.
const kindOf = (kind: CheckSpec['kind']) => kinds[kind] as Kind<CheckSpec>;

/** Reads one check of criteria; problems go to the fields. */
export const readCheck = (kind: CheckSpec['kind'], id: string, fields: Fields): CheckSpec =>
  kindOf(kind).read(id, fields);

/** Runs one check. May throw; the run turns that into an indeterminate result. */
export const runCheck = (check: CheckSpec, context: CheckContext): Promise<CheckResult> =>
  kindOf(check.kind).run(check, context);

/** How much a pass of this check says. */
export const strengthOf = (check: CheckSpec): CheckResult['strength'] => kindOf(check.kind).strength(check);

/** Whether a kind needs the dependencies and builds of the set-up. */
export const needsSetup = (kind: CheckSpec['kind']): boolean => kindOf(kind).needsSetup;

/** Whether a check works without the checkout that the others share. */
export const worksApart = (check: CheckSpec): boolean => kindOf(check.kind).apart(check);
