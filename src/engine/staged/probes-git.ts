import { shellWord } from '../../kernel/single-quoted.ts';
import { type Gatherer, type Look, lacking, seen } from '../gather/looked.ts';
import { criteriaOf } from '../judged-by.ts';
import { mergedEarly } from './audit-building.ts';
import { type Built, builtIn } from './built-by.ts';
import { type Invocation, invocationsOf } from './invocations.ts';
import { behindLanding, isChecked, landingOf } from './land.ts';
import { unfit, unfitToLand } from './left-out.ts';
import { landsOn, mainBranch } from './main-branch.ts';
import { viewOf } from './probes-place.ts';
import { putBackBy, straightToMain } from './straight.ts';
import { mainsSeen } from './taken-off.ts';
import { agentsOf, riskOf, type TaskView } from './task.ts';
import { lastWord } from './validated.ts';

const baseOf = ({ handle }: Look): string => String(handle.item.facts.head ?? '');
const headOf = ({ ports }: Look, { layout }: TaskView): string =>
  ports.workspace.commitOf(`refs/heads/${layout.branch}`);

/** Every agent's branch is in the branch of the task (PROTO-21, section 7.1 of the readings). */
export const branchesMerged: Gatherer = async (look) => {
  const view = await viewOf(look);
  const head = headOf(look, view);
  const open = agentsOf(look.handle).filter((agent) => {
    const own = look.ports.workspace.commitOf(`refs/heads/${view.layout.agentBranch(agent)}`);
    return own !== '' && !look.ports.git.isAncestor(own, head);
  });
  const lost = open.length > 0 ? undefined : leftBehind(look, head);
  const found =
    lost !== undefined
      ? lacking(
          `${view.layout.branch} does not hold ${lost.commit.slice(0, 12)}, which ${lost.agent} called complete last`,
          `its branch is put back: git branch -f ${view.layout.agentBranch(lost.agent)} ${lost.commit.slice(0, 12)} (in its worktree: git reset --keep), then countersign task merge ${view.layout.task} ${lost.agent}; or ${lost.agent} says COMPLETE of what it is now`,
        )
      : open.length === 0
        ? seen('every agent’s branch is merged')
        : lacking(
            `not merged: ${open.map((agent) => view.layout.agentBranch(agent)).join(', ')}`,
            `countersign task merge ${view.layout.task} ${open[0]}`,
          );
  return { probes: { 'branches-merged': found } };
};

/** Work that its agent called complete last, and that the branch of the task does not hold: its own branch was moved back, or is gone. */
function leftBehind({ ports, handle }: Look, head: string) {
  const words = agentsOf(handle).map((agent) => ({ agent, commit: lastWord(handle, agent) }));
  return words.find(
    ({ commit }) =>
      commit !== '' && (ports.workspace.commitOf(commit) === '' || !ports.git.isAncestor(commit, head)),
  );
}

export const cleanTree: Gatherer = async (look) => {
  const { layout } = await viewOf(look);
  const found = look.ports.workspace.isClean(layout.code)
    ? seen(`${layout.code} has nothing that is not committed`)
    : lacking(
        `${layout.code} has changes that are not committed`,
        'commit them in an agent’s worktree, or drop them',
      );
  return { probes: { 'clean-tree': found } };
};

/** What is said where something is on the default branch already. */
const bypassed = async ({ ports, handle }: Look, branches: readonly string[]) =>
  lacking(
    `${branches.join(', ')} was merged straight to the default branch: nobody approved it`,
    `take it off the default branch (git reset by a person, or git revert), then go on; ${await putBackBy(ports, handle)}`,
  );

/** Agents built it: at least one commit, and none of the coordinator on what only agents may touch (PROTO-251 to PROTO-256, PROTO-299). */
export const authors: Gatherer = async (look) => {
  const view = await viewOf(look);
  const built = await builtIn(look.ports, look.handle, view, '');
  const { made, others } = built;
  const found =
    (await notAsAgentsBuilt(look, view, built)) ??
    (made.length === others.length
      ? lacking('no agent committed anything', 'the agents build it, in their worktrees')
      : seen(`${made.length - others.length} commits by agents`));
  return { probes: { authors: found } };
};

async function notAsAgentsBuilt(look: Look, view: TaskView, { mains, made, touched }: Built) {
  const { ports, handle } = look;
  const straight = await straightToMain(ports, handle, view, mains);
  if (straight.length > 0) return bypassed(look, straight);
  if (touched.length > 0)
    return lacking(
      `not by an agent: ${touched.slice(0, 3).join(', ')}`,
      'take it back, and let an agent do it in its worktree',
    );
  const early = await mergedEarly(ports, handle, view, made);
  if (early.length > 0)
    return lacking(early.join('; '), 'whoever built it validates it and says COMPLETE, or it is taken back');
  const isWhereItWas = mains.length === 0 && (await mainsSeen(ports, handle)).length === 0;
  const onto = isWhereItWas ? '' : await landsOn(ports, handle);
  const other = await unfit(ports, handle, view, { onto, commit: headOf(look, view) });
  return other === undefined ? undefined : lacking(other.because, other.fix);
}

/** A task of low risk that only touches documents needs no build (section 7.2 of the readings). */
export const documentsOnly: Gatherer = async (look) => {
  const view = await viewOf(look);
  const risk = riskOf(look.handle);
  const changed = look.ports.workspace.changed(baseOf(look), headOf(look, view));
  const strange: string[] = [];
  for (const path of changed) {
    let known = false;
    for (const pattern of view.settings.documents) known ||= await look.ports.runner.matches(path, pattern);
    if (!known) strange.push(path);
  }
  const demanded = (await criteriaOf(look.ports, look.handle))?.parsed.checks.length ?? 0;
  const found =
    risk !== 'LOW'
      ? lacking(`the risk is ${risk}: everything runs`, 'countersign verify')
      : strange.length > 0
        ? lacking(`${strange.slice(0, 3).join(', ')} is no document`, 'countersign verify')
        : seen(`only documents changed: ${changed.length} files, ${demanded} checks left out`);
  return { probes: { 'documents-only': found }, facts: { skipped: demanded } };
};

/** The branch is where the reviewers' remote can show it, or there is none (PROTO-108, CP-16). */
export const pushed: Gatherer = async (look) => {
  const view = await viewOf(look);
  const { remote } = view.settings;
  const { branch } = view.layout;
  const shown = `${remote}/${branch}`;
  const known = look.ports.workspace.remotes().includes(remote);
  const there = known ? look.ports.workspace.commitOf(`refs/remotes/${shown}`) : '';
  const head = headOf(look, view);
  const found = !known
    ? seen(`nothing is pushed: the branch is ${branch}, here`)
    : there === head
      ? seen(`${shown} is ${head.slice(0, 12)}`)
      : lacking(`${shown} is not at ${head.slice(0, 12)}`, `countersign task present ${view.layout.task}`);
  return { probes: { pushed: found }, facts: { remote_branch: known ? shown : branch, commit: head } };
};

/** The branch is still at the commit that was validated and shown (CP-15). */
export const headShown: Gatherer = async (look) => {
  const view = await viewOf(look);
  const head = headOf(look, view);
  const of = look.handle.item.subjects.commit?.digest ?? '';
  const straight = await straightToMain(look.ports, look.handle, view);
  const found =
    straight.length > 0
      ? await bypassed(look, straight)
      : head === of
        ? seen(`${view.layout.branch} is at ${head.slice(0, 12)}`)
        : lacking(
            `${view.layout.branch} has moved from ${of.slice(0, 12)} to ${head.slice(0, 12)}: what was not judged is not approved`,
            backToBuilding(look, view, of),
          );
  return { probes: { 'head-shown': found } };
};

/** A commit under review is not left by whoever coordinates: the branch comes back to it, or a person has it built on. */
function backToBuilding({ handle }: Look, { layout }: TaskView, of: string): string {
  if (handle.item.state !== 'REVIEW') return `countersign task request-change ${layout.task} --reason WHY`;
  return `put the branch back: git -C ${shellWord(layout.code)} reset --keep ${of.slice(0, 12)}; to keep what came: countersign task negotiate ${layout.task} --reason WHY, and a person has it built on`;
}

/** What was approved is on the default branch, as one commit of exactly that content. */
export const landed: Gatherer = async (look) => {
  const { handle, ports } = look;
  const { here } = await mainBranch(ports, handle);
  const landing = await landingOf(ports, handle, here);
  return { probes: { landed: await landedAs(look, landing) }, facts: { landed_as: landing } };
};

async function landedAs(look: Look, landing: string) {
  const { handle, ports } = look;
  const { workspace } = ports;
  const view = await viewOf(look);
  const commit = handle.item.subjects.commit?.digest ?? '';
  const land = `countersign task land ${view.layout.task}`;
  if (landing === '') return lacking(`the default branch does not hold ${commit.slice(0, 12)}`, land);
  const onto = workspace.commitOf(`${landing}^`);
  const other = await unfitToLand(ports, handle, view, { onto, commit });
  if (other !== undefined)
    return lacking(other.because, 'a person takes that landing off the default branch');
  const as = `the default branch holds ${commit.slice(0, 12)} as ${landing.slice(0, 12)}`;
  if (!(await isChecked(ports, handle, landing)))
    return lacking(
      `${as}, and the checks did not pass on that`,
      `have them run: ${land}; where they fail, a person takes it off the default branch`,
    );
  const behind = behindLanding(ports, landing);
  if (behind.length === 0) return seen(as);
  return lacking(
    `${as}, and ${behind.join(', ')} in ${workspace.main} did not follow`,
    `take away what keeps git from moving it there, then: ${land}`,
  );
}

/** Whoever was called has said how it ended: a call that is left open here could never be closed again (PROTO-277, CP-40). */
export const callsEnded: Gatherer = ({ handle }) => {
  const running = invocationsOf(handle).filter(({ status }) => status === 'running');
  const found =
    running.length === 0
      ? seen('every call came to its end')
      : lacking(`${running.length} calls never ended: ${named(running)}`, 'let each say how it ended');
  return { probes: { 'calls-ended': found } };
};

const named = (calls: readonly Invocation[]) =>
  calls.map(({ agent, mode }) => `${agent} (${mode})`).join(', ');

/** The audit trail is whole: it has transitions, invocations and commits, and every call came to an end (PROTO-276, PROTO-277). */
export const trailComplete: Gatherer = async (look) => {
  const calls = invocationsOf(look.handle);
  const running = calls.filter(({ status }) => status === 'running');
  const commit = look.handle.item.subjects.commit?.digest ?? '';
  const commits = look.ports.workspace.commits(baseOf(look), commit).length;
  const empty = [
    ...(look.handle.item.steps.length === 0 ? ['state_transitions'] : []),
    ...(calls.length === 0 ? ['agent_invocations'] : []),
    ...(commits === 0 ? ['commits'] : []),
  ];
  const problems = [
    ...(empty.length > 0 ? [`the audit trail has no ${empty.join(', no ')}`] : []),
    ...(running.length > 0 ? [`${running.length} calls never ended: ${named(running)}`] : []),
  ];
  const found =
    problems.length > 0
      ? lacking(
          problems.join('; '),
          'nothing of the kind was recorded, or somebody never answered: look into it',
        )
      : seen(`the trail has ${calls.length} calls and ${commits} commits`);
  return { probes: { 'trail-complete': found } };
};
