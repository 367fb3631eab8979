import type { Finding as Found } from '../../kernel/command.ts';
import type { Json } from '../../kernel/event.ts';
import { type Gatherer, type Look, lacking, seen } from '../gather/looked.ts';
import { loadById } from '../handle.ts';
import { overCaps, personsWay } from './caps.ts';
import { noneComing, outOfReach } from './elsewhere.ts';
import { falseQuotes, findingsIn, isGrave, placed } from './findings.ts';
import { taskGivenUp } from './given-up.ts';
import { lastLinked } from './links.ts';
import { lostWork } from './lost-work.ts';
import { mergeRun } from './merge-run.ts';
import { isOpen, judgedRounds, type Round, roundOf, workOf } from './rounds.ts';
import { runOf } from './run-name.ts';
import { pinnedOf } from './settings.ts';
import { phaseOf } from './task-phases.ts';
import { headOfTask } from './trees.ts';

const found = (probes: { readonly [name: string]: Found }) => ({ probes });

/** Where the work stands now; and whether it is another than reviewers saw before (CH-06). */
const workMoved: Gatherer = async ({ ports, handle }) => {
  const head = standingOf(ports, handle);
  const lost = await lostWork(ports, handle);
  if (lost !== '')
    return { ...found({ 'work-moved': lacking(lost, 'then say it again') }), subjects: { commit: head } };
  const rounds = await judgedRounds(ports, handle);
  const seenBy = judgedAs(ports, rounds, head);
  const probe =
    seenBy !== undefined
      ? lacking(
          `nothing changed since ${seenBy.review.display} looked at ${workOf(seenBy).slice(0, 12)}`,
          'mend what was found, and commit it',
        )
      : seen(
          rounds.length === 0
            ? 'nobody has reviewed it yet'
            : `it changed since ${rounds.at(-1)?.review.display}`,
        );
  return { ...found({ 'work-moved': probe }), subjects: { commit: head } };
};

/** The commit that the work of a phase stands at. */
const standingOf = (ports: Look['ports'], phase: Look['handle']): string =>
  headOfTask(ports, phase) || String(phase.item.facts.base ?? '');

/**
 * The last round whose reviewers saw the very same files, whatever commits lie on top: an empty commit, or one that is taken
 * back, does not put the same work before other reviewers.
 */
function judgedAs({ workspace }: Look['ports'], rounds: readonly Round[], head: string): Round | undefined {
  if (head === '' || rounds.length === 0) return undefined;
  const tree = workspace.treeOf(head);
  return rounds.findLast((round) => {
    const work = workOf(round);
    return work === head || (work !== '' && workspace.treeOf(work) === tree);
  });
}

/** Review rounds and money that the phase may still use up. */
const withinCaps: Gatherer = async ({ ports, handle }) => {
  const over = await overCaps(ports, handle);
  const way =
    handle.item.state === 'ESCALATED'
      ? personsWay(handle.display)
      : `escalate it: countersign phase escalate ${handle.display} --reason "WHY"`;
  const probe = over === '' ? seen('it is within its caps') : lacking(over, way);
  return { ...found({ 'within-caps': probe }), subjects: { commit: standingOf(ports, handle) } };
};

/** Each finding that counts is answered: `--arg fixed="F-5-1: HOW; F-6-1: HOW"` (CH-05). */
const evidencePerFinding: Gatherer = async ({ ports, handle, request }) => {
  const last = (await judgedRounds(ports, handle)).at(-1);
  const open = (last?.findings ?? []).filter(({ counts }) => counts).map(({ id }) => id);
  const answers = new Map(
    (request.arguments.fixed ?? '').split(';').map((one): [string, string] => {
      const at = one.indexOf(':');
      return at < 0 ? [one.trim(), ''] : [one.slice(0, at).trim(), one.slice(at + 1).trim()];
    }),
  );
  const missing = open.filter((id) => (answers.get(id) ?? '') === '');
  const probe =
    missing.length === 0
      ? seen(`${open.length} findings are answered`)
      : lacking(
          `nothing says how these were mended: ${missing.join(', ')}`,
          `fixed="${missing.map((id) => `${id}: HOW`).join('; ')}"`,
        );
  return found({ 'evidence-per-finding': probe });
};

/** The branch of the run, brought into the branch of the task. Nobody else's word moves anything: it would be refused. */
const merged: Gatherer = async ({ ports, caller, handle }) => {
  const run = runOf(handle);
  if (caller.actor.id !== run) return found({ merged: lacking(`only ${run} says that it is complete`, '') });
  const phase = await phaseOf(ports, handle);
  const lost = await lostWork(ports, phase);
  if (lost !== '') return found({ merged: lacking(lost, 'then say it again') });
  const { finding, head, commit } = mergeRun(ports, handle, phase, run);
  const rounds = await judgedRounds(ports, phase);
  const before = judgedAs(ports, rounds, head);
  // What was judged of the last round's files stands: the work has not moved. Those of an earlier round are a step back.
  if (before !== undefined && before !== rounds.at(-1))
    return found({
      merged: lacking(
        `these are the very files that ${before.review.display} looked at`,
        'mend what was found since, and commit it',
      ),
    });
  const work = before === undefined ? head : workOf(before);
  return { ...found({ merged: finding }), subjects: { work }, facts: { commit, head } };
};

/** What a verdict says, held against the tree and against what this round may speak of. */
const verdict: Gatherer = async ({ ports, handle, request }) => {
  const round = await roundOf(ports, lastLinked(handle, 'review'));
  const phase = await phaseOf(ports, handle);
  const commit = workOf(round);
  const before = (await judgedRounds(ports, phase)).filter(({ review }) => review.id !== round.review.id);
  const last = before.at(-1);
  const since = last === undefined ? '' : workOf(last);
  const findings = placed(findingsIn(request.arguments.findings ?? ''), `F-${handle.item.number}`, {
    isFirst: last === undefined,
    known: new Set(before.flatMap(({ findings: all }) => all.map(({ id }) => id))),
    changed: new Set(since === '' || commit === '' ? [] : ports.workspace.changed(since, commit)),
    floor: pinnedOf(handle).floor,
    since: last?.review.display ?? '',
  });
  const wrong = falseQuotes(findings, (path) => ports.git.readAt(commit, path)?.toString('utf8'));
  const fits = !isOpen(round.review)
    ? lacking(
        `${round.review.display} is ${round.review.item.state}: it takes no verdict any more`,
        'there is nothing left to do',
      )
    : wrong.length > 0
      ? lacking(wrong.join('; '), 'quote the lines as they stand, or leave the quote out')
      : seen('its findings fit the tree');
  const counting = findings.filter(({ counts }) => counts);
  const blocking = counting.filter(isGrave);
  const asides = findings.flatMap(({ id, aside }) => (aside === '' ? [] : [`${id}: ${aside}`]));
  return {
    probes: {
      'findings-fit': fits,
      'blocking-finding':
        blocking.length > 0
          ? seen(`${blocking.length} are critical or block`)
          : lacking('nothing of it is critical or blocks', ''),
      'counting-finding':
        counting.length > 0
          ? seen(`${counting.length} findings count`)
          : lacking(
              asides.length === 0
                ? 'it names no finding'
                : `none of its findings counts (${asides.join('; ')})`,
              'name what has to change, with its severity and place; or approve',
            ),
    },
    facts: { findings: findings as unknown as Json, commit },
  };
};

/** The review of a reviewer that is not needed any more. */
const reviewClosed: Gatherer = async ({ ports, handle }) => {
  const review = await loadById(ports, lastLinked(handle, 'review'));
  const { item, display } = review;
  const task = await taskGivenUp(ports, review);
  if (task !== '') return found({ 'review-closed': seen(`${task} was given up`) });
  return found({
    'review-closed': isOpen(review) ? lacking(`${display} is open`, '') : seen(`${display} is ${item.state}`),
  });
};

export const PHASE_LOOKS = {
  'work-moved': workMoved,
  'within-caps': withinCaps,
  'evidence-per-finding': evidencePerFinding,
  merged,
  'findings-fit': verdict,
  'blocking-finding': verdict,
  'counting-finding': verdict,
  'review-closed': reviewClosed,
  'none-coming': noneComing,
  'out-of-reach': outOfReach,
} as const satisfies { readonly [probe: string]: Gatherer };
