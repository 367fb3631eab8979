import { sha256Hex } from '../../attestation/digest.ts';
import { EngineError } from '../../engine/engine-error.ts';
import { forceShown, takeLease, tellLease } from '../../engine/staged/lease-hands.ts';
import { assertSession, foreign, leaseOf, OPERATIONS, readLease, shown } from '../../engine/staged/leases.ts';
import { type Cli, confirmed, withSession } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import { printAnswer } from '../print.ts';
import type { Register, Run } from '../register.ts';
import { sessionOf } from './task-context.ts';

/** Who holds a task or the main worktree. Nothing ends by itself: the holder gives it back, or a person takes it away. */
export const lease: Register = (program, run) => {
  const leases = program
    .command('lease')
    .description('who holds a task, or the main worktree: `main` or the name of a task')
    .option('--session <id>', 'the session that asks (or COUNTERSIGN_SESSION)');
  const session = (cli: Cli) => sessionOf(cli, leases.opts<{ session?: string }>().session);

  leases
    .command('show <what>')
    .description('who holds it, since when, and when they were last seen')
    .action((what: string) => run((cli) => show(cli, what)));

  leases
    .command('take <what>')
    .description('hold the main worktree, before anything is changed in it')
    .option('--operation <kind>', `what for: ${OPERATIONS.join(', ')}`, OPERATIONS[0])
    .action((what: string, { operation }: { operation: string }) =>
      run((cli) => take(cli, what, operation, session(cli))),
    );

  tell(leases.command('release <what>').description('give it back'), run, 'release', session);
  tell(
    leases.command('beat <what>').description('show that its holder is still there'),
    run,
    'beat',
    session,
  );

  leases
    .command('force <what>')
    .description('as a person at a terminal: take it away from its holder')
    .requiredOption('--reason <text>', 'why')
    .action((what: string, { reason }: { reason: string }) => run((cli) => force(cli, what, reason)));
};

const show = (cli: Cli, what: string) =>
  withSession(cli, async ({ ports }) => {
    const { stream, holder } = await readLease(ports, leaseOf(what));
    printAnswer(cli.output, {
      data: { what, holder: holder ?? null },
      text:
        holder === undefined
          ? `nobody holds ${shown(stream)}`
          : `${shown(stream)}: session ${holder.session} (${holder.actor}), since ${holder.since}, last seen ${holder.beat}`,
    });
    return EXIT.ok;
  });

const take = (cli: Cli, what: string, operation: string, session: string) =>
  withSession(cli, async ({ ports, caller }) => {
    if (what !== 'main')
      throw new EngineError(
        'BAD_INPUT',
        'a task is taken up, not held alone',
        `countersign task start ${what}`,
      );
    if (!OPERATIONS.some((known) => known === operation))
      throw new EngineError(
        'BAD_INPUT',
        `there is no operation ${operation}`,
        `known: ${OPERATIONS.join(', ')}`,
      );
    const { kind, holder } = await takeLease(ports, caller, { stream: leaseOf(what), session, operation });
    if (kind === 'held') throw foreign(leaseOf(what), holder);
    printAnswer(cli.output, {
      data: { what, kind, holder },
      text:
        kind === 'taken'
          ? `MAIN_LOCK_SUCCESS: session ${session} holds the main worktree`
          : 'already held: go on',
    });
    return EXIT.ok;
  });

function tell(
  command: ReturnType<Parameters<Register>[0]['command']>,
  run: Run,
  act: 'release' | 'beat',
  session: (cli: Cli) => string,
): void {
  command.option('--reason <text>', 'why', '').action((what: string, { reason }: { reason: string }) =>
    run((cli) =>
      withSession(cli, async ({ ports, caller }) => {
        const asked = { stream: leaseOf(what), session: session(cli), what: act, reason };
        assertSession(asked.session);
        await tellLease(ports, caller, asked);
        printAnswer(cli.output, {
          data: { what, [act]: true },
          text: act === 'release' ? `${shown(asked.stream)} is free` : `${shown(asked.stream)}: seen now`,
        });
        return EXIT.ok;
      }),
    ),
  );
}

const force = (cli: Cli, what: string, reason: string) =>
  withSession(cli, async ({ ports, caller }) => {
    const stream = leaseOf(what);
    const { holder } = await readLease(ports, stream);
    if (holder === undefined)
      throw new EngineError('NOT_FOUND', `nobody holds ${shown(stream)}`, `countersign lease show ${what}`);
    const told = forceShown(stream, holder, reason);
    const person = await confirmed(cli, caller, {
      title: `Take ${shown(stream)} away`,
      shown: told,
      digest: sha256Hex(told),
      purpose: `lease force ${what}`,
    });
    await tellLease(ports, person, { stream, session: '', what: 'force', reason });
    printAnswer(cli.output, {
      data: { what, was: holder },
      text: `${shown(stream)} is free; session ${holder.session} writes nothing of it any more`,
    });
    return EXIT.ok;
  });
