import type { Caller } from '../../engine/caller.ts';
import { dispatch as dispatchTo } from '../../engine/dispatch.ts';
import { execute, type Outcome, plain } from '../../engine/execute.ts';
import type { Ports } from '../../engine/ports.ts';
import { todoOf } from '../../engine/todo.ts';
import { answerOutcome } from '../answer.ts';
import { type Cli, withSession } from '../context.ts';
import { nextText } from '../guide.ts';
import type { Register } from '../register.ts';

/** Commands of the table that need nothing but the item: who may take them is the protocol's to say. */
export const dispatch: Register = (program, run) => {
  program
    .command('dispatch <item>')
    .description('give a pending item to a specialist')
    .requiredOption('--to <actor>', 'the specialist')
    .option('--reason <text>', 'why', '')
    .action((ref: string, { to, reason }: { to: string; reason: string }) =>
      run((cli) =>
        take(cli, (ports, caller) => dispatchTo(ports, caller, { ref, to, reason }), `dispatched to ${to}`),
      ),
    );
};

export const release: Register = (program, run) => {
  program
    .command('release <item>')
    .description('take back to pending what was dispatched, or a claim that could not be checked')
    .option('--reason <text>', 'why', '')
    .action((ref: string, { reason }: { reason: string }) =>
      run((cli) => simple(cli, ref, 'release', reason, 'released')),
    );
};

export const retry: Register = (program, run) => {
  program
    .command('retry <item>')
    .description('begin a new attempt at a blocked item whose failures were acknowledged')
    .option('--reason <text>', 'why', '')
    .action((ref: string, { reason }: { reason: string }) =>
      run((cli) =>
        simple(cli, ref, 'retry', reason, 'reset to pending: a new attempt begins, nothing is carried over'),
      ),
    );
};

function simple(cli: Cli, ref: string, name: string, reason: string, done: string) {
  return take(cli, (ports, caller) => execute(ports, caller, { ...plain, ref, name, reason }), done);
}

function take(cli: Cli, work: (ports: Ports, caller: Caller) => Promise<Outcome>, done: string) {
  return withSession(cli, async ({ ports, caller }) =>
    answerOutcome(cli.output, await work(ports, caller), ({ handle, options }) => ({
      data: todoOf(handle),
      text: [`${handle.display} ${done}`, ...nextText(handle, options, cli.output)].join('\n'),
    })),
  );
}
