import { createHash } from 'node:crypto';
import { didYouMean } from '../kernel/nearest.ts';
import { type CheckSpec, checkKinds, readCheck } from './checks/index.ts';
import { isAllowableName } from './environment.ts';
import { type Fields, fieldsOf } from './fields.ts';
import { NO_CHANGE } from './no-change.ts';
import { RunnerError } from './runner-error.ts';
import type { SetupPlan } from './setup.ts';
import { setupCommands, startedCommands, triedPatterns } from './started-commands.ts';

/** The kinds of item that criteria can apply to. */
// biome-ignore format: one line says it
export const itemKinds = ['code', 'refactor', 'chore', 'tests', 'docs', 'research', 'verification-only'] as const;

/** The id under which a run reports that tracked files changed; no check of a file may take it. */
export const TRACKED_FILES = 'tracked-files';

/** The id under which examples that came with an item are judged where the criteria have no place for them. */
export const ITEM_ACCEPTANCE = 'item-acceptance';

const OWN: readonly string[] = [TRACKED_FILES, ITEM_ACCEPTANCE, NO_CHANGE];

const largest = 256 * 1024;
const mostChecks = 500;
const mostProblems = 50;

/** Evidence that a claim must bring: a type, and the pattern of its files' paths. */
export interface RequiredEvidence {
  readonly type: string;
  readonly match: string;
}

/** What decides whether work is done: one file of the repository, read from the base commit. */
export interface Criteria {
  readonly name: string;
  /** Hex SHA-256 of the exact bytes of the file. */
  readonly digest: string;
  /** How much is asked: a name for people and for the record. */
  readonly tier: 'light' | 'standard' | 'strict' | '';
  readonly appliesTo: readonly string[];
  readonly requiresQualityValidation: boolean;
  /** Labels that a machine must have for these checks; none for any machine. */
  readonly runsOn: readonly string[];
  readonly evidence: readonly RequiredEvidence[];
  readonly setup: SetupPlan;
  /** Names of variables that the checks may see. */
  readonly allow: readonly string[];
  readonly checks: readonly CheckSpec[];
  /** The one actor who may waive a check, by its id. */
  readonly owners: ReadonlyMap<string, string>;
  /** Whether a run may leave other tracked files than it was given. */
  readonly allowChanges: boolean;
}

/** Hex SHA-256 of the bytes of a criteria file. */
export const criteriaDigest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Reads a criteria file, YAML or JSON, of schema 1. Throws RunnerError BAD_CRITERIA with at most 50 problems and their places. */
export async function parseCriteria(bytes: Uint8Array, file: string): Promise<Criteria> {
  const problems: string[] = [];
  if (bytes.length > largest)
    problems.push(`document: has ${bytes.length} bytes, at most ${largest} are allowed`);
  const document = problems.length === 0 ? await parseDocument(bytes, problems) : undefined;
  const fields = problems.length === 0 ? fieldsOf(document, '', problems) : undefined;
  const criteria = fields && read(fields, criteriaDigest(bytes), problems);
  if (criteria === undefined || problems.length > 0) {
    throw new RunnerError('BAD_CRITERIA', `${file} is no valid criteria file:`, shown(problems));
  }
  return criteria;
}

function shown(problems: readonly string[]): readonly string[] {
  const more = problems.length - mostProblems;
  return more > 0 ? [...problems.slice(0, mostProblems), `and ${more} more`] : problems;
}

async function parseDocument(bytes: Uint8Array, problems: string[]): Promise<unknown> {
  // Only a verification or a claim reads criteria; nothing else pays for the parser.
  const { parseDocument: parse } = await import('yaml');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const document = parse(text, { uniqueKeys: true, strict: true });
    problems.push(
      ...[...document.errors, ...document.warnings].map(
        ({ message }) => `document: ${message.split('\n')[0]}`,
      ),
    );
    return problems.length > 0 ? undefined : document.toJS({ maxAliasCount: 50 });
  } catch (error) {
    problems.push(`document: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

function read(fields: Fields, digest: string, problems: string[]): Criteria {
  const owners = new Map<string, string>();
  fields.choice('schema', ['countersign/criteria/1']);
  const criteria: Criteria = {
    name: fields.text('name'),
    digest,
    tier: fields.has('tier') ? fields.choice('tier', ['light', 'standard', 'strict']) : '',
    appliesTo: fields.texts('applies_to', itemKinds),
    requiresQualityValidation: fields.flag('requires_quality_validation', false),
    runsOn: fields.texts('runs_on', []),
    evidence: fields.list('evidence', (value, path) => readEvidence(value, path, problems)),
    setup: readSetup(fields.child('setup')),
    allow: readAllowed(fields.child('environment')),
    checks: readChecks(fields, problems, owners),
    owners,
    allowChanges: fields.flag('allow_changes', false),
  };
  const strange = criteria.appliesTo.filter((kind) => !itemKinds.some((known) => known === kind));
  if (strange.length > 0)
    fields.problem(
      'applies_to',
      `knows ${itemKinds.join(', ')}, not ${strange.join(', ')}${didYouMean(strange[0] ?? '', itemKinds)}`,
    );
  for (const label of criteria.runsOn)
    if (!/^[a-z0-9][a-z0-9._-]*$/.test(label))
      fields.problem(
        'runs_on',
        `has ${JSON.stringify(label)}: labels are lower-case letters, digits, dots and dashes`,
      );
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(criteria.name))
    fields.problem('name', 'must be lower-case letters, digits, dots and dashes');
  fields.finish();
  return { ...criteria, checks: criteria.checks.map((check) => withSetup(check, criteria.setup)) };
}

/** What the set-up builds stands where the checks run. */
const withSetup = (check: CheckSpec, { build }: SetupPlan): CheckSpec =>
  check.kind === 'diff' ? { ...check, commands: [...check.commands, ...setupCommands(build)] } : check;

function readEvidence(value: unknown, path: string, problems: string[]): RequiredEvidence | undefined {
  const fields = fieldsOf(value, path, problems);
  const evidence = fields && { type: fields.text('type'), match: fields.text('match') };
  fields?.finish();
  return evidence;
}

function readSetup(fields: Fields | undefined): SetupPlan {
  const install = fields?.choice('install', ['auto', 'none'], 'auto') ?? 'auto';
  const build = fields?.list('build', (argv, path) => {
    if (
      Array.isArray(argv) &&
      argv.length > 0 &&
      argv.every((word) => typeof word === 'string' && word !== '')
    )
      return argv;
    fields.problem(path.slice(fields.path.length + 1), 'must be a list of words');
    return undefined;
  });
  fields?.finish();
  return { install, build: build ?? [] };
}

function readAllowed(fields: Fields | undefined): readonly string[] {
  const allow = fields?.has('allow') ? fields.texts('allow') : [];
  const refused = allow.filter((name) => !isAllowableName(name));
  if (refused.length > 0)
    fields?.problem('allow', `cannot let through ${refused.join(', ')}: it decides which code runs`);
  fields?.finish();
  return allow;
}

function readChecks(fields: Fields, problems: string[], owners: Map<string, string>): readonly CheckSpec[] {
  const given = fields.raw('checks');
  if (Array.isArray(given) && given.length > mostChecks) {
    fields.problem('checks', `has ${given.length} entries, at most ${mostChecks} are allowed`);
    return [];
  }
  const ids = new Set<string>();
  const checks = fields.list('checks', (value, path) => {
    const inner = fieldsOf(value, path, problems);
    if (inner === undefined) return undefined;
    const id = inner.text('id');
    if (ids.has(id)) inner.problem('id', `${id} is used twice`);
    if (OWN.includes(id)) inner.problem('id', `${id} is the runner's own`);
    ids.add(id);
    const found = problems.length;
    const kind = inner.choice('kind', checkKinds);
    // Of an unknown kind no other key can be judged.
    if (problems.length > found) return undefined;
    if (inner.has('owner')) owners.set(id, inner.text('owner'));
    const check = readCheck(kind, id, inner);
    inner.finish();
    return check;
  });
  if (!fields.has('checks') || (checks.length === 0 && problems.length === 0))
    fields.problem('checks', 'must hold at least one check');
  return checks.map((check) => aimed(check, checks, fields));
}

/** Mutants are tried on the command of another check of the file, and a change may touch nothing that commands start. */
function aimed(check: CheckSpec, checks: readonly CheckSpec[], fields: Fields): CheckSpec {
  if (check.kind === 'diff')
    return { ...check, commands: startedCommands(checks), tried: triedPatterns(checks) };
  if (check.kind !== 'mutation') return check;
  const target = checks.find((other) => other.kind === 'tests' && other.id === check.of);
  if (target?.kind === 'tests') return { ...check, target };
  fields.problem('checks', `${check.id}: there is no check of kind tests with the id ${check.of}`);
  return check;
}
