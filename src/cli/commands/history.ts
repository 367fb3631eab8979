import { verifications } from '../../engine/goals.ts';
import { loadItem } from '../../engine/handle.ts';
import { lifecycleEvents, stateHistory } from '../../engine/history.ts';
import { verificationLine } from '../../engine/in-goal.ts';
import { nowOf } from '../../engine/ports.ts';
import { briefing, type TaskState, taskState, timeMetrics } from '../../engine/task-state.ts';
import { withSession } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import { columns, printAnswer } from '../print.ts';
import type { Register } from '../register.ts';

export const history: Register = (program, run) => {
  program
    .command('history <item>')
    .description('the transitions of an item, how long it was where, and what was tried')
    .option('--events', 'every event in the format of a lifecycle log, one JSON object a line')
    .action((ref: string, { events }: { events?: boolean }) =>
      run((cli) =>
        withSession(cli, async ({ ports }) => {
          if (events === true) {
            const told = await lifecycleEvents(ports, ref);
            printAnswer(cli.output, { data: told, text: told.map((e) => JSON.stringify(e)).join('\n') });
            return EXIT.ok;
          }
          const handle = await loadItem(ports, ref);
          const transitions = await stateHistory(ports, ref);
          const now = nowOf(ports);
          const state = taskState(handle, transitions, now);
          const times = timeMetrics(handle, now);
          const brief = briefing(handle);
          const past = handle.protocol.name === 'goal-task' ? verifications(handle) : [];
          const table = transitions.map((t) => [
            t.timestamp,
            t.actor,
            `${t.fromState || '-'} > ${t.toState}`,
            t.reason,
          ]);
          const text = [
            columns(table),
            ...Object.entries(times.timeByState).map(([s, m]) => `${s}: ${Math.round(m)} min`),
            ...countsOf(state),
            ...brief.guidance.map((g) => `guidance by ${g.by} (${g.outcome}): ${g.text}`),
            ...state.overrides.map(
              (o) => `OVERRIDE by ${o.actor}, ${o.fromState} > ${o.toState}: ${o.reason}`,
            ),
            ...past.map(verificationLine),
          ];
          const data = { ...state, times, briefing: brief, verifications: past };
          printAnswer(cli.output, { data, text: text.join('\n') });
          return EXIT.ok;
        }),
      ),
    );
};

/** Failures that count now, beside those of its whole life. */
function countsOf({ failures, failuresEver, ctoAttempts }: TaskState): readonly string[] {
  const told = Object.entries(failuresEver).map(
    ([state, n]) => `${state} ${failures[state] ?? 0} (${n} ever)`,
  );
  return [
    ...(told.length === 0 ? [] : [`failures: ${told.join(', ')}`]),
    ...(ctoAttempts === 0 ? [] : [`interventions: ${ctoAttempts}`]),
  ];
}
