import type { Finding, Gathered } from '../kernel/command.ts';
import type { Json } from '../kernel/event.ts';
import { baseFor, comparedWith, countedFor, criteriaCommit, defaultBranchOf } from './base.ts';
import type { Caller } from './caller.ts';
import { claimFacts } from './claim-facts.ts';
import { readConfig } from './config.ts';
import { criteriaFor, criteriaPath, criteriaText, type FrozenCriteria } from './criteria.ts';
import { amendedCriteria } from './criteria-amend.ts';
import { adoption } from './criteria-hint.ts';
import { readCriteria } from './criteria-read.ts';
import { evidenceName } from './evidence-name.ts';
import { execute, type Outcome, plain } from './execute.ts';
import type { Handle } from './handle.ts';
import { originOf } from './migration.ts';
import type { ClaimedWork, EvidenceRule, ParsedCriteria, Ports } from './ports.ts';
import { taskNameOf } from './staged/task-name.ts';
import { withItsParts } from './verified-commits.ts';
import { waysOn } from './ways.ts';
import { wordsFirst } from './words-first.ts';
import { readWorld } from './world.ts';

/** What is claimed. Evidence is named by path ('screenshot=a.png' or 'a.png'), hashed here, never taken at its word. */
export interface ClaimRequest {
  readonly ref: string;
  readonly commit: string;
  readonly evidence: readonly string[];
  readonly noChange: boolean;
  readonly reason: string;
}

export type ClaimOutcome = Outcome & { readonly warnings: readonly string[] };

/** Declares work finished (2PC-57). The branch is resolved to a commit at once, and the criteria are frozen. */
export async function claim(ports: Ports, caller: Caller, request: ClaimRequest): Promise<ClaimOutcome> {
  // The slowest question of git runs beside all others.
  const dirty = looksDirty(ports);
  const config = await readConfig(ports, [criteriaPath('default')]);
  const warnings: string[] = [];
  const outcome = await execute(ports, caller, {
    ...plain,
    ref: request.ref,
    name: 'claim',
    reason: request.reason,
    gather: (handle) => gatherClaim(ports, handle, request, defaultBranchOf(handle, config), warnings, dirty),
  });
  return { ...(await withWords(ports, caller, outcome)), warnings: [...new Set(warnings)] };
}

/** The ways on from a claim, with the words first that its checks wait for: without them the run would only fail. */
async function withWords(ports: Ports, caller: Caller, outcome: Outcome): Promise<Outcome> {
  if (outcome.kind !== 'done' || claimFacts(outcome.handle).voices !== true) return outcome;
  const { handle } = outcome;
  const { world } = await readWorld(ports, handle.protocol, handle.item.list);
  const words = await wordsFirst(ports, handle, world);
  return words.length === 0 ? outcome : { ...outcome, options: waysOn(handle, caller.actor, world, words) };
}

/** What the repository says of a claim: the work, the criteria that are frozen with it, the evidence that was named. */
export async function gatherClaim(
  ports: Ports,
  handle: Handle,
  request: Pick<ClaimRequest, 'commit' | 'evidence' | 'noChange'>,
  defaultBranch: string,
  warnings: string[],
  dirty = looksDirty(ports),
): Promise<Gathered> {
  const first = ports.git.resolveClaim({ commit: request.commit, base: '', defaultBranch });
  const began = baseFor(ports, handle, first, request.noChange);
  const { branch } = began;
  const claimant = await withItsParts(ports, handle);
  const name = String(handle.item.facts.criteria ?? 'default');
  const criteria =
    (await amendedCriteria(ports, handle.id)) ??
    (await criteriaFor(ports, name, criteriaCommit(ports, handle, branch)));
  // Where the branch has no criteria, what is compared with must not become the place they are looked for.
  const base =
    criteria === undefined ? branch : await comparedWith(ports, claimant, began, first, request.noChange);
  const work =
    base === first.base ? first : ports.git.resolveClaim({ commit: first.commit, base, defaultBranch });
  const counted = await countedFor(ports, claimant, work);
  // A merge base is an ancestor by definition; a recorded base need not be one of every commit that can be named.
  const descends = base === first.base || ports.git.isAncestor(base, work.commit);
  const files = request.evidence.map((given) => evidenceFile(ports, given));
  if (criteria === undefined) {
    warnings.push(unusable(handle, `no criteria at ${criteriaPath(name)} on the base commit`, 'commit them'));
  }
  if (await dirty) warnings.push(DIRTY);
  const { evidence: rules, problems, voices } = await readFrozen(ports, criteria);
  if (criteria !== undefined && problems.length > 0) {
    const what = `${criteria.path} at ${criteria.commit.slice(0, 12)} cannot be used (${problems.slice(0, 5).join('; ')})`;
    warnings.push(unusable(handle, what, 'mend and commit it'));
  }
  const missing = problems.length > 0 ? [] : await missingTypes(ports, rules, files, work);
  const evidence = files.flatMap((f) =>
    f.sha256 === '' ? [] : [{ path: f.path, type: f.type, sha256: f.sha256, bytes: f.bytes }],
  );
  const facts: { [name: string]: Json } = {
    commit: work.commit,
    tree: work.tree,
    base: work.base,
    ...(base === branch ? {} : { branch_base: branch }),
    changed: work.changed.length,
    ...filesKept(handle, work),
    no_change: request.noChange,
    criteria: criteria === undefined ? null : { ...criteria },
    evidence,
    // What may have to be said before the checks can pass is looked for only where there may be something.
    ...(voices ? { voices } : {}),
  };
  const own = descends ? workFinding(work, request, evidence.length, { counted, handle }) : notOnBase(work);
  const probes = {
    'claimed-work': await withParts(ports, handle, work.commit, own),
    'evidence-files': filesFinding(files),
    'evidence-types': typesFinding(missing),
  };
  return {
    probes,
    subjects: { commit: work.commit },
    facts: { ...facts, probes: { ...probes } as unknown as Json },
  };
}

function looksDirty(ports: Ports): Promise<boolean> {
  const dirty = ports.git.isDirty();
  // Whoever never waits for it was refused before.
  dirty.catch(() => {});
  return dirty;
}

/** What the reviewers of a part of it approved is part of what is handed in. */
async function withParts(ports: Ports, handle: Handle, commit: string, own: Finding): Promise<Finding> {
  if (Object.keys(handle.item.members.parts ?? {}).length === 0) return own;
  const { partsLeftOut } = await import('./phases/phased-parts.ts');
  const [part] = await partsLeftOut(ports, handle, commit);
  if (part === undefined) return own;
  const task = taskNameOf(handle);
  const merge = task === '' ? `git merge ${part.branch}` : `countersign task merge ${task} ${part.task}`;
  return missed(`the approved work of ${part.task} is not in ${commit.slice(0, 12)}`, merge);
}

function notOnBase({ base, commit }: ClaimedWork): Finding {
  const because = `${commit.slice(0, 12)} does not contain the base ${base.slice(0, 12)} of this item`;
  return missed(because, 'rebase the work onto the base, or name the commit that holds it');
}

interface EvidenceFile {
  readonly path: string;
  readonly type: string;
  /** '' when the file cannot be read. */
  readonly sha256: string;
  readonly bytes: number;
}

export function evidenceFile(ports: Ports, given: string): EvidenceFile {
  const { type, path } = evidenceName(given);
  const bytes = ports.files.readWorking(path);
  if (bytes === undefined) return { path, type, sha256: '', bytes: 0 };
  return { path, type, sha256: ports.evidence.put(bytes), bytes: bytes.length };
}

const DIRTY = 'the working tree has changes that are not part of the claimed commit';
const COMMIT_OWN = "commit what is this item's own";
/** What another item showed may stand on top of the work of the item before, or of its parts. */
const NAME_OWN = `name the commit that is its own with --commit, ${COMMIT_OWN}`;
const OR_NO_CHANGE = ', or claim with --no-change and --evidence PATH';
const mayNameOwn = ({ item }: Handle) =>
  Boolean(originOf(item)?.base) || Object.keys(item.members.parts ?? {}).length > 0;

const COMMIT_WORK = `commit the work${OR_NO_CHANGE}`;
/** Before the first commit there was nothing that later work on the same branch could be compared with. */
const COMMIT_APART = `it was opened before the first commit: commit the work on a branch of its own (git switch -c NAME)${OR_NO_CHANGE}`;

function workFinding(
  work: ClaimedWork,
  { noChange }: Pick<ClaimRequest, 'noChange'>,
  evidence: number,
  { counted, handle }: { readonly counted: string; readonly handle: Handle },
): Finding {
  if (counted !== '' && !noChange) {
    const way = mayNameOwn(handle) ? NAME_OWN : COMMIT_OWN;
    return missed(counted, work.changed.length > 0 ? way : way + OR_NO_CHANGE);
  }
  const where = `${work.base.slice(0, 12)}..${work.commit.slice(0, 12)}`;
  if (work.changed.length > 0 && !noChange) return found(`${work.changed.length} paths changed in ${where}`);
  if (work.changed.length > 0) {
    return missed(
      `${where} changes ${work.changed.length} paths, which --no-change denies`,
      'claim without --no-change',
    );
  }
  if (!noChange) {
    const way = handle.item.facts.head === '' ? COMMIT_APART : COMMIT_WORK;
    return missed(`nothing changed in ${where}`, way);
  }
  return evidence > 0
    ? found(`no change is claimed, with ${evidence} evidence files`)
    : missed('a claim without a change needs evidence', 'name files with --evidence PATH');
}

export function filesFinding(files: readonly EvidenceFile[]): Finding {
  const missing = files.filter((f) => f.sha256 === '').map((f) => f.path);
  if (missing.length === 0) return found(`${files.length} evidence files are there`);
  return missed(`missing evidence files: ${missing.join(', ')}`, 'create them, or name the right paths');
}

function typesFinding(missing: readonly string[]): Finding {
  if (missing.length === 0) return found('every evidence type that the criteria ask for is there');
  const fix = missing.map((type) => `--evidence ${type}=PATH`).join(' ');
  return missed(`the criteria ask for evidence of type ${missing.join(', ')}`, `name it: ${fix}`);
}

/** What the claim will be judged by, read now: whoever claims hears at once that it cannot be used. */
async function readFrozen(
  ports: Ports,
  criteria: FrozenCriteria | undefined,
): Promise<Pick<ParsedCriteria, 'evidence' | 'problems'> & { readonly voices: boolean }> {
  if (criteria === undefined) return { evidence: [], problems: [], voices: false };
  const text = criteriaText(ports, criteria);
  const voices = VOICES.test(text.toString('latin1'));
  // Both words must be there for what they name to be there; without them, and read before, the file need not be
  // parsed on this hot path.
  const plain = !text.includes('evidence') && !text.includes('review');
  if (plain && (await ports.runner.wasRead(text))) return { evidence: [], problems: [], voices };
  return { ...(await readCriteria(ports, text, criteria.path)), voices };
}

/** Kinds of checks that may wait for somebody's word. */
const VOICES = /\b(diff|review|approval)\b/;

/** A claim is taken all the same: criteria can still be mended, the work need not wait. */
const unusable = (handle: Handle, what: string, first: string) =>
  `${what}: verification will answer with an error until they are there; ${first} on the default branch, then ${adoption(handle)}`;

/** Types that the criteria ask for and that neither a named file nor a changed path provides (2PC-56). */
async function missingTypes(
  ports: Ports,
  rules: readonly EvidenceRule[],
  files: readonly EvidenceFile[],
  work: ClaimedWork,
): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const { type, match } of rules) {
    const paths = [
      ...files.filter((f) => f.sha256 !== '').map((f) => f.path),
      ...work.changed.map((c) => c.path),
    ];
    const named = files.some((f) => f.type === type && f.sha256 !== '');
    const matched = await Promise.all(paths.map((p) => ports.runner.matches(p, match)));
    if (!named && !matched.includes(true)) missing.push(type);
  }
  return missing;
}

const MOST_FILES = 500;

/** The paths of the work, where somebody asks later whether it is still there. */
function filesKept({ protocol }: Handle, { changed }: ClaimedWork): { readonly files?: Json } {
  if (protocol.name === 'two-phase') return {};
  return { files: changed.slice(0, MOST_FILES).map(({ path }) => path) };
}

const found = (because: string): Finding => ({ status: 'satisfied', because, fix: '' });
const missed = (because: string, fix: string): Finding => ({ status: 'unsatisfied', because, fix });
