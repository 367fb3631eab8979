import type { Finding as Found } from '../../kernel/command.ts';
import type { Json } from '../../kernel/event.ts';
import type { Caller } from '../caller.ts';
import { type Gatherer, lacking, seen } from '../gather/looked.ts';
import { type Handle, loadById } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { overCaps, personsWay } from './caps.ts';
import { noneComing, outOfReach } from './elsewhere.ts';
import { falseQuotes, findingsIn, isGrave, placed } from './findings.ts';
import { taskGivenUp } from './given-up.ts';
import { judgedAs, mendFirst, mendOn, standingOf } from './judged-already.ts';
import { lastLinked } from './links.ts';
import { lostWork } from './lost-work.ts';
import { mergeRun } from './merge-run.ts';
import { isOpen, judgedBefore, judgedRounds, roundOf, roundsOf, workOf } from './rounds.ts';
import { runOf } from './run-name.ts';
import { pinnedOf } from './settings.ts';
import { phaseOf } from './task-phases.ts';

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
          // No agent is deployed any more who would do it.
          handle.item.state === 'ESCALATED' ? mendOn(handle) : 'mend what was found, and commit it',
        )
      : seen(
          rounds.length === 0
            ? 'nobody has reviewed it yet'
            : `it changed since ${rounds.at(-1)?.review.display}`,
        );
  return { ...found({ 'work-moved': probe }), subjects: { commit: head } };
};

/** Review rounds and money that the phase may still use up. */
const withinCaps: Gatherer = async ({ ports, caller, handle }) => {
  const over = await overCaps(ports, handle);
  const probe = over === '' ? seen('it is within its caps') : await beyond(over, ports, caller, handle);
  return { ...found({ 'within-caps': probe }), subjects: { commit: standingOf(ports, handle) } };
};

async function beyond(over: string, ports: Ports, { actor }: Caller, phase: Handle): Promise<Found> {
  const { display, item } = phase;
  if (item.state !== 'ESCALATED')
    return lacking(over, `escalate it: countersign phase escalate ${display} --reason "WHY"`);
  // They are asked for their word, and not sent to what they are about to do.
  if (actor.kind === 'human') return lacking(`${over}, so that one more takes the word of a person`, '');
  return lacking(over, personsWay(display, await mendFirst(ports, phase)));
}

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
  const before = judgedBefore(await roundsOf(ports, phase), round.review.id);
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
