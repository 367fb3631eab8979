import {
  fileIdsIn,
  headOf,
  isNothing,
  refsBelow,
  type StandingRef,
  standingNow,
} from '../../workspace/pushed.ts';
import type { AskGit } from '../../workspace/received.ts';
import { CONFIG_PATH } from '../config.ts';
import { EngineError } from '../engine-error.ts';
import { type Finding, type Gate, type Judged, sectionAt, type Update } from './gate.ts';
import { judgeBranch } from './judge-branch.ts';
import { judgePaper, judgeTag } from './judge-other.ts';
import { bothOf, type GateSection, gateSectionOf, isNamed, looksNamed } from './policy.ts';
import { short } from './verified-change.ts';

/** Lines of one push; a push of more is taken apart by whoever makes it. */
export const MOST_UPDATES = 10_000;
const MOST_BRANCHES = 10_000;

/** What git tells a pre-receive hook: `OLD NEW REF` a line. Throws BAD_INPUT: what cannot be read is not let through. */
export function readUpdates(text: string): readonly Update[] {
  const lines = text.split('\n').filter((line) => line !== '');
  if (lines.length === 0)
    throw new EngineError(
      'BAD_INPUT',
      'nothing was pushed',
      'git starts this as a hook; by hand: --install or --check',
    );
  if (lines.length > MOST_UPDATES)
    throw new EngineError(
      'BAD_INPUT',
      `the push has ${lines.length} refs`,
      `push at most ${MOST_UPDATES} at once`,
    );
  return lines.map((line) => {
    const [, old = '', next = '', ref = ''] =
      /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) (refs\/[^\0]+)$/.exec(line) ?? [];
    if (ref === '')
      throw new EngineError('BAD_INPUT', `${JSON.stringify(line)} is not OLD NEW REF`, 'see docs/gated.md');
    return { ref, old: isNothing(old) ? '' : old, next: isNothing(next) ? '' : next };
  });
}

/** What a gate knows before it looks at the refs of a push. */
export type Unlooked = Omit<Gate, 'tips'>;

/** Judges every update of a push, each by itself; the push is taken only if all are. Never throws for what one update is. */
export async function judgePush(before: Unlooked, updates: readonly Update[]): Promise<readonly Judged[]> {
  const head = await headPolicy(before);
  const patterns = bothOf(before.own, head).branches;
  const branches = refsBelow(before.ask, 'refs/heads/', MOST_BRANCHES);
  const tips = branches.filter(({ ref }) => isNamed(patterns, shortOf(ref)));
  const gate: Gate = { ...before, tips };
  // A name that stands for another ref moves that one.
  const { ids, targets } = standingNow(before.ask);
  const meant = updates.map((update) => ({ ...update, ref: targets.get(update.ref) ?? update.ref }));
  const court: Court = { gate, head, standing: ids, all: meant, own: await ownPatterns(before.ask, meant) };
  const judged: Judged[] = [];
  for (const update of meant) judged.push(await judgeOne(court, update));
  return judged;
}

type Patterns = ReadonlyMap<string, readonly string[]>;

/** What one update is judged with. */
interface Court {
  readonly gate: Gate;
  readonly head: GateSection;
  readonly standing: ReadonlyMap<string, string>;
  readonly all: readonly Update[];
  readonly own: Patterns;
}

/** Where the policy that names the protected branches cannot be read, every branch is one. */
const EVERYTHING = gateSectionOf({ branches: ['*'] });

/** The policy at HEAD, the tip of the default branch: it says which names are protected at all. */
async function headPolicy({ ask }: Unlooked): Promise<GateSection> {
  const tip = headOf(ask);
  if (tip === '') return gateSectionOf(undefined);
  try {
    return await sectionAt(ask, tip);
  } catch (error) {
    if (error instanceof EngineError && error.code === 'BAD_CONFIG') return EVERYTHING;
    throw error;
  }
}

async function judgeOne(court: Court, update: Update): Promise<Judged> {
  try {
    return await judgedBy(court, update);
  } catch (error) {
    const { message = String(error), hint = '' } = error as { message?: string; hint?: string };
    const next = hint || 'what cannot be judged is not taken: mend it, or ask whoever keeps the repository';
    return { update, guarded: true, remarks: [], findings: [{ code: 'fault', says: message, next }] };
  }
}

async function judgedBy({ gate, head, standing, all, own }: Court, update: Update): Promise<Judged> {
  const { ref } = update;
  const free: Judged = { update, guarded: false, findings: [], remarks: [] };
  // Git compares as well, and later: what else is in the push would by then have been taken for what this one said.
  const now = standing.get(ref) ?? '';
  if (now !== update.old) return { ...free, guarded: true, findings: [stale(now)] };
  if (`${ref}/`.startsWith('refs/countersign/')) return judgePaper(gate, update);
  if (ref.startsWith('refs/replace/')) return { ...free, guarded: true, findings: [REPLACES] };
  const section = bothOf(gate.own, head);
  if (ref.startsWith('refs/heads/')) {
    const patterns = [...section.branches, ...(own.get(update.old) ?? [])];
    if (looksNamed(patterns, shortOf(ref))) return { ...free, guarded: true, findings: [lookalike(ref)] };
    return isNamed(patterns, shortOf(ref)) ? judgeBranch(gate, update, head) : free;
  }
  return ref.startsWith('refs/tags/') ? tagBy(gate, section, update, all) : free;
}

function tagBy(gate: Gate, section: GateSection, update: Update, all: readonly Update[]): Judged {
  const name = shortOf(update.ref);
  const judged = (guarded: boolean, ...findings: readonly Finding[]): Judged => ({
    update,
    guarded,
    findings,
    remarks: [],
  });
  if (looksNamed(section.tags, name)) return judged(true, lookalike(update.ref));
  if (!isNamed(section.tags, name)) return judged(false);
  return judgeTag(gate, update, section, comingTips(section, all));
}

/**
 * The branches that the policy of a branch's own tip names, by tip: it is protected by that, whatever HEAD's says. One
 * that cannot be read names nothing.
 */
async function ownPatterns(ask: AskGit, updates: readonly Update[]): Promise<Patterns> {
  const ids = fileIdsIn(
    ask,
    updates.filter(({ ref }) => ref.startsWith('refs/heads/')).map(({ old }) => old),
    CONFIG_PATH,
  );
  const sections = new Map<string, readonly string[]>();
  for (const [commit, id] of ids) if (!sections.has(id)) sections.set(id, await branchesAt(ask, commit));
  return new Map([...ids].map(([commit, id]) => [commit, sections.get(id) ?? []]));
}

async function branchesAt(ask: AskGit, commit: string): Promise<readonly string[]> {
  try {
    return (await sectionAt(ask, commit)).branches;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'BAD_CONFIG') return [];
    throw error;
  }
}

/** Where protected branches will stand: the push is taken as a whole, or not at all. */
function comingTips({ branches }: GateSection, all: readonly Update[]): readonly StandingRef[] {
  return all
    .filter(
      ({ ref, next }) => ref.startsWith('refs/heads/') && next !== '' && isNamed(branches, shortOf(ref)),
    )
    .map(({ ref, next }) => ({ ref, id: next }));
}

const shortOf = (ref: string) => ref.replace(/^refs\/(heads|tags)\//, '');

const REPLACES: Finding = {
  code: 'replace',
  says: 'a replacement would show other content under ids that have been judged',
  next: 'push the commit itself',
};

const lookalike = (ref: string): Finding => ({
  code: 'name',
  says: `${ref} can be taken for a protected name`,
  next: 'take another name',
});

const stale = (now: string): Finding => ({
  code: 'stale',
  says:
    now === '' ? 'the ref is not there' : `the ref stands at ${short(now)}, and was said to stand elsewhere`,
  next: 'run: git fetch origin, and push again',
});
