import { contains, type PushedCommit, pushedCommit, standsOn, treeChanges } from '../../workspace/pushed.ts';
import { EngineError } from '../engine-error.ts';
import { type Finding, type Gate, type Judged, sectionAt, type Update } from './gate.ts';
import { type LetGo, letGo, remaining } from './overrides.ts';
import { bothOf, folded, type GateSection } from './policy.ts';
import { confirmedChange, short } from './verified-change.ts';

/** Judges an update of a protected branch under the policy of where it stands. Throws BAD_KEY, GIT_FAILED, BAD_NAME. */
export async function judgeBranch(gate: Gate, update: Update, head: GateSection): Promise<Judged> {
  if (update.next === '') return { update, guarded: true, findings: [DELETED], remarks: [] };
  const next = pushedCommit(gate.ask, update.next);
  if (next === undefined) return { update, guarded: true, findings: [notACommit(update.next)], remarks: [] };
  const { policy, unreadable } = await policyFor(gate, update, head);
  const judged = update.old === '' ? [created(gate, update, next)] : onto(gate, policy, update, next);
  return withLetGo(update, [...unreadable, ...judged], letGo(gate, policy, update, next));
}

/** A judgement after what people let go; what they said is told where it could have made a difference. */
export function withLetGo(update: Update, judged: readonly (Finding | string)[], said: LetGo): Judged {
  const findings = judged.filter(isFinding);
  const remarks = findings.length > 0 ? said.remarks : [];
  return {
    update,
    guarded: true,
    findings: remaining(findings, said).map((one) => ({
      ...one,
      next: one.next.replace(ANY_BRANCH, nameOf(update)),
    })),
    remarks: [...judged.filter(isRemark), ...remarks],
  };
}

const isFinding = (one: Finding | string): one is Finding => typeof one !== 'string';
const isRemark = (one: Finding | string): one is string => typeof one === 'string';

/** The policy of the base with that of the server; where the base's cannot be read, the server's and a finding. */
async function policyFor({ ask, own }: Gate, { old }: Update, head: GateSection) {
  if (old === '') return { policy: bothOf(own, head), unreadable: [] };
  try {
    return { policy: bothOf(own, await sectionAt(ask, old)), unreadable: [] };
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'BAD_CONFIG') throw error;
    const says = `the policy of the branch at ${short(old)} cannot be read: ${error.message}`;
    return { policy: own, unreadable: [finding('policy', says, personSigns('policy'))] };
  }
}

/** What stands against a commit that is to follow on the tip; remarks say why it is taken. */
function onto(
  gate: Gate,
  policy: GateSection,
  update: Update,
  next: PushedCommit,
): readonly (Finding | string)[] {
  const old = pushedCommit(gate.ask, update.old);
  if (old === undefined) return [notACommit(update.old)];
  const line = lineFrom(gate, old.id, next.id);
  const changes = treeChanges(gate.ask, old.tree, next.tree);
  if (changes.length === 0) return [...line, 'the tree is the one that stands there: nothing changes'];
  const rules = changes.filter(({ path }) => isPolicyPath(path)).map(({ path }) => path);
  const links = changes.filter(({ from, to }) => [from, to].some((side) => side.startsWith('160000 ')));
  const confirmed = confirmedChange(gate, { policy, base: old.id, old, next, changes });
  return [
    ...line,
    ...(rules.length > 0 ? [policyChanged(rules)] : []),
    ...(links.length > 0 && policy.submodules !== true ? [linksChanged(links.map(({ path }) => path))] : []),
    confirmed.ok ? confirmed.says : unverified(confirmed, old.id),
  ];
}

/** Where the branch stands has to stay one of its steps: what touched which file since a base is looked for along them. */
function lineFrom({ ask }: Gate, old: string, next: string): readonly Finding[] {
  if (standsOn(ask, next, old)) return [];
  return [contains(ask, next, old) ? passedBy(old, next) : rewritten(old, next)];
}

/** A new branch may begin where another protected one stands: that has been judged. */
function created(gate: Gate, { ref }: Update, next: PushedCommit): Finding | string {
  const others = gate.tips.find(({ id }) => id === next.id);
  if (others !== undefined) return `it begins where ${others.ref} stands`;
  const says = `${ref} is not there yet, so there is no base whose policy could judge it`;
  return finding(
    'created',
    says,
    `${personSigns('created')} --base none; or whoever keeps the repository fetches it there by hand`,
  );
}

/** What says how work is judged, also by what other file systems take for its name. */
export function isPolicyPath(path: string): boolean {
  const first = folded(path.split('/')[0] ?? '').replace(/([. ]+|:.*)$/s, '');
  return first === '.countersign' || /^counte~\d+$/.test(first);
}

const ANY_BRANCH = 'BRANCH';
const nameOf = ({ ref }: Update) => ref.replace(/^refs\/heads\//, '');

/** The command of a person, up to the name of the ref. */
export const personSigns = (...codes: readonly string[]): string =>
  `a person signs: countersign proof override --key KEY.pem --branch ${ANY_BRANCH} ${codes.map((code) => `--permit ${code}`).join(' ')} --reason "WHY"`;

const finding = (code: Finding['code'], says: string, next: string): Finding => ({ code, says, next });

const DELETED = finding(
  'deleted',
  'a protected branch is not deleted by a push',
  'whoever keeps the repository does it there: git update-ref -d REF',
);

const notACommit = (id: string) =>
  finding(
    'no-commit',
    `${short(id)} is no commit that is here`,
    'push a commit, from a clone that is not shallow',
  );

const rewritten = (old: string, next: string) =>
  finding(
    'rewritten',
    `${short(next)} does not contain ${short(old)}, where the branch stands`,
    'run: git fetch origin, then git rebase onto the branch, and verify what comes of it',
  );

const passedBy = (old: string, next: string) =>
  finding(
    'rewritten',
    `the first parents of ${short(next)} pass by ${short(old)}, where the branch stands`,
    `run: git checkout --detach ${short(old)}, git merge --no-ff ${short(next)}, and push that: its tree is the same`,
  );

const policyChanged = (paths: readonly string[]) =>
  finding(
    'policy',
    `it changes how work is judged: ${listed(paths)}`,
    `${personSigns('policy')}; or leave these files out`,
  );

const linksChanged = (paths: readonly string[]) =>
  finding(
    'submodule',
    `it moves submodules, whose content no check has seen: ${listed(paths)}`,
    `${personSigns('submodule')}; or the policy says gate.submodules: true`,
  );

function unverified({ lacks, moved }: { lacks: readonly string[]; moved: boolean }, old: string): Finding {
  const again = `run: git rebase ${short(old)}, claim it for an item that is still open (countersign add TITLE), countersign verify ITEM, countersign proof push ITEM, and push again`;
  const first = 'run: countersign verify ITEM, then countersign proof push ITEM, and push again';
  const because = lacks.slice(0, 5).join('\n    ');
  const what = moved ? 'was verified, and not on the branch as it stands' : 'is not verified';
  return finding('unverified', `what lands ${what}:\n    ${because}`, moved ? again : first);
}

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, 5).map((path) => JSON.stringify(path));
  return [...shown, ...(paths.length > 5 ? [`and ${paths.length - 5} more`] : [])].join(', ');
}
