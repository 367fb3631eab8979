import { acceptanceOf, isAcceptanceIndependent } from '../../engine/acceptance.ts';
import { accountability } from '../../engine/accountability.ts';
import type { Awaited } from '../../engine/awaited.ts';
import type { Caller } from '../../engine/caller.ts';
import { isAtGate } from '../../engine/gates.ts';
import { overridesIn } from '../../engine/history.ts';
import { interventionsIn } from '../../engine/interventions.ts';
import { placeData, placeLines } from '../../engine/migration.ts';
import type { Ports } from '../../engine/ports.ts';
import { type Shown, show as showItem } from '../../engine/query.ts';
import { accountabilityView, claimsNoChange, hardBlockReport } from '../../engine/reports.ts';
import { todoOf } from '../../engine/todo.ts';
import { builtIn } from '../../protocols/index.ts';
import { withSession } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import { nextLines, nextText } from '../guide.ts';
import { note, type Output, printAnswer } from '../print.ts';
import type { Register } from '../register.ts';

export const show: Register = (program, run) => {
  program
    .command('show <item>')
    .description('one item: its state, who did and who confirmed, and what may come next')
    .action((ref: string) =>
      run((cli) =>
        withSession(cli, async ({ ports, caller }) => {
          const shown = await showItem(ports, caller.actor, ref);
          const awaited = await awaitedWords(ports, shown);
          const around = await aroundOf(ports, shown);
          await noteBroken(cli.output, ports, shown);
          printAnswer(cli.output, {
            data: { ...dataOf(shown, cli.output), ...around.data, awaited },
            text: textOf(shown, around.lines, await wordOf(ports, caller, shown), awaited, cli.output),
          });
          return EXIT.ok;
        }),
      ),
    );
};

/** What there is to say of an item as a task of a goal, or as a goal; loaded only for those. */
async function aroundOf(ports: Ports, { handle }: Shown) {
  if (!['goal', 'goal-task'].includes(handle.protocol.name)) return { data: {}, lines: [] };
  const { inGoal, inGoalLines } = await import('../../engine/in-goal.ts');
  const data = await inGoal(ports, handle);
  return { data, lines: inGoalLines(data) };
}

/** Who did and who confirmed it; of what belongs to a task in phases, how its phase stands. */
async function wordOf(ports: Ports, { actor }: Pick<Caller, 'actor'>, { handle }: Shown): Promise<string> {
  if (!OF_PHASES.has(handle.protocol.name)) return accountabilityView(handle);
  const [{ phaseStatus }, { statusText }] = await Promise.all([
    import('../../engine/phases/status.ts'),
    import('../phase-text.ts'),
  ]);
  return statusText(await phaseStatus(ports, handle.id, actor));
}

const OF_PHASES: ReadonlySet<string> = new Set(['phased-task', 'phase', 'review', 'reviewer', 'agent-run']);

/** An item keeps the table that it was opened with, whatever has become of the file since. */
async function noteBroken(output: Output, ports: Ports, { handle }: Shown): Promise<void> {
  const { name } = handle.protocol;
  if (builtIn(name) !== undefined) return;
  const { brokenProtocols } = await import('../../engine/project-protocols.ts');
  const wrong = (await brokenProtocols(ports)).get(name);
  if (wrong === undefined) return;
  note(
    output,
    `note: ${wrong.message}\nnote: ${handle.display} goes on by the table that it was opened with; no new item can follow ${name}`,
  );
}

/** What the criteria still want to be said of a claim; they are read for nothing else. */
async function awaitedWords(ports: Ports, { handle, world }: Shown): Promise<readonly Awaited[]> {
  if (!isAtGate(handle)) return [];
  const { awaitedBy } = await import('../../engine/awaited.ts');
  // What cannot be read is told by the command that needs it; a view goes on without.
  return awaitedBy(ports, handle, world).catch(() => []);
}

/** That there are examples and who gave them; never what is in them. */
function examplesOf({ handle: { item }, world }: Shown) {
  const given = acceptanceOf(item);
  if (given === undefined) return undefined;
  return { by: given.by, independent: isAcceptanceIndependent(item, world) };
}

function dataOf(shown: Shown, output: Output) {
  const { handle, options, dependsOn } = shown;
  const acceptance = examplesOf(shown);
  const { item } = handle;
  return {
    ...(acceptance === undefined ? {} : { acceptance }),
    ...todoOf(handle),
    uuid: handle.id,
    list: item.list,
    kind: item.kind,
    protocol: item.protocol,
    settings: item.settings,
    ...placeData(item),
    depends_on: dependsOn,
    attempt: item.attempt,
    accountability: accountability(handle),
    no_change: claimsNoChange(handle),
    ...triedOf(shown),
    next: nextLines(handle, options, output),
    options,
  };
}

/** What was tried and advised before, and what was bypassed by authority; nothing where nothing was. */
function triedOf({ handle }: Shown) {
  const guidance = interventionsIn(handle).filter(({ recovery }) => recovery !== '');
  const overrides = overridesIn(handle);
  return {
    ...(guidance.length === 0 ? {} : { guidance }),
    ...(overrides.length === 0 ? {} : { overrides }),
  };
}

function triedLines(shown: Shown): readonly string[] {
  const { guidance = [], overrides = [] } = triedOf(shown);
  return [
    ...guidance.map((g) => `guidance        by ${g.by} (${g.outcome}): ${g.guidance}`),
    ...overrides.map((o) => `OVERRIDE by ${o.actor}, ${o.fromState} > ${o.toState}: ${o.reason}`),
  ];
}

function textOf(
  shown: Shown,
  around: readonly string[],
  word: string,
  awaited: readonly Awaited[],
  output: Output,
): string {
  const { handle, options, dependsOn } = shown;
  const { item, display } = handle;
  const gone = item.links.some(({ kind }) => kind === 'superseded-by') ? ' (replaced)' : '';
  const lines = [
    `${display} ${item.title}`,
    `state ${item.state.toUpperCase()}${gone}, list ${item.list}, kind ${item.kind}, attempt ${item.attempt}`,
    ...(dependsOn.length > 0 ? [`depends on ${dependsOn.join(', ')}`] : []),
    ...placeLines(item),
    // A goal is named as what it is called, among what is around the item.
    ...item.links.filter(({ kind }) => kind === 'regression').map((l) => `${l.kind} ${l.to}`),
    ...around,
    ...examplesLine(shown),
    '',
    word,
    ...triedLines(shown),
    ...awaited.map((a) => `awaits          ${a.because}: ${a.command}`),
  ];
  if (item.state === 'blocked') lines.push('', hardBlockReport(handle));
  const next = nextText(handle, options, output);
  if (next.length > 0) lines.push('', ...next);
  return lines.join('\n');
}

function examplesLine(shown: Shown): readonly string[] {
  const given = examplesOf(shown);
  if (given === undefined) return [];
  const weight = given.independent
    ? ''
    : ', who is not known to stand outside the work: they count for no grade';
  return [`acceptance examples by ${given.by}${weight}`];
}
