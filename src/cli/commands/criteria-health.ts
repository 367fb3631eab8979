import { EngineError } from '../../engine/engine-error.ts';
import { type Cli, withSession } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { columns, printAnswer } from '../print.ts';
import type { Register } from '../register.ts';

export const criteriaHealth: Register = (group, run) => {
  group
    .command('health')
    .description('how often each check failed in past verifications, and which never did')
    .option('--runs <n>', 'from how many runs on a check that never failed is pointed out', '20')
    .action(({ runs }: { runs: string }) => run((cli) => health(cli, runs)));
};

function health(cli: Cli, runs: string): Promise<ExitCode> {
  if (!/^[1-9]\d{0,6}$/.test(runs)) throw new EngineError('BAD_INPUT', `--runs takes a number, not ${runs}`);
  return withSession(cli, async ({ ports }) => {
    const { criteriaHealth: read } = await import('../../engine/criteria-health.ts');
    const found = await read(ports, Number(runs));
    const rows = found.checks.map((c) => [
      c.criteria.replace(/^\.countersign\/criteria\//, ''),
      c.id,
      `${c.passed} passed`,
      `${c.failed} failed`,
      `${c.open} open`,
      c.neverFailed ? 'never failed: does it check anything?' : c.lastFailed && `last failed ${c.lastFailed}`,
    ]);
    const none = 'nothing has been verified yet';
    const text = rows.length === 0 ? none : `${columns(rows)}\n${found.runs} verifications`;
    printAnswer(cli.output, { data: found, text });
    return EXIT.ok;
  });
}
