import { stopTask } from '../../engine/staged/stop-task.ts';
import { LEGITIMATE } from '../../engine/staged/stops.ts';
import { lintTask } from '../../engine/staged/task-wording.ts';
import { findingText } from '../../engine/staged/wording.ts';
import { EXIT } from '../exit-code.ts';
import { printAnswer } from '../print.ts';
import { beside, type RegisterTask, sessionOf } from './task-context.ts';

const lint: RegisterTask = (tasks, run) => {
  tasks
    .command('lint <task>')
    .description('does the plan say who implements, who calls them and where? Nothing is changed')
    .option('--reply <text>', 'judge this reply instead, by the state of the task')
    .action((name: string, { reply }: { reply?: string }) =>
      run((cli) =>
        beside(cli, name, async ({ ports }) => {
          const linted = await lintTask(ports, name, reply);
          const { findings } = linted;
          printAnswer(cli.output, {
            data: linted,
            text: findings.length === 0 ? 'nothing to say against it' : findings.map(findingText).join('\n'),
          });
          return findings.some(({ level }) => level === 'error') ? EXIT.refused : EXIT.ok;
        }),
      ),
    );
};

interface StopOptions {
  readonly category: string;
  readonly evidence: readonly string[];
}

const stop: RegisterTask = (tasks, run, session) => {
  tasks
    .command('stop <task>')
    .description('stop in the middle, for a reason that counts: it is put on record')
    .requiredOption('--category <category>', `one of ${Object.keys(LEGITIMATE).join(', ')}`)
    .option('--evidence <text...>', 'what shows it; for ambiguity both requirements, quoted', [])
    .action((name: string, { category, evidence }: StopOptions) =>
      run((cli) =>
        beside(cli, name, async ({ ports, caller }) => {
          const asked = { task: name, session: sessionOf(cli, session()), category, evidence };
          const stopped = await stopTask(ports, caller, asked);
          printAnswer(cli.output, {
            data: { task: name, ...stopped },
            text: `${name} stands in ${stopped.state} for ${stopped.category}: tell the user what is missing`,
          });
          return EXIT.ok;
        }),
      ),
    );
};

export const WORDS: readonly RegisterTask[] = [lint, stop];
