import type { Condition } from '../../engine/condition.ts';
import { levelInForce } from '../../engine/doctor-level.ts';
import { EXIT } from '../exit-code.ts';
import { columns, paint, printAnswer } from '../print.ts';
import type { Register } from '../register.ts';

export const doctor: Register = (program, run) => {
  program
    .command('doctor')
    .description('what Countersign needs here, what is missing, and which protection it can promise')
    .action(() =>
      run(async (cli) => {
        const { examine } = await import('../../engine/doctor.ts');
        const conditions = await examine(cli.composition);
        const failed = conditions.filter((c) => c.status === 'fail').length;
        const rows = conditions.flatMap(({ name, status, says, next }) => [
          [paint(cli.output, STYLE[status], status), name, says],
          ...(next === '' ? [] : [['', '', `next: ${next}`]]),
        ]);
        const summary = failed === 0 ? 'nothing stands in the way' : `${failed} to be mended`;
        const data = { healthy: failed === 0, level: levelInForce(cli.composition.protection()), conditions };
        printAnswer(cli.output, { data, text: `${columns(rows)}\n${summary}` });
        return failed === 0 ? EXIT.ok : EXIT.refused;
      }),
    );
};

const STYLE: { readonly [status in Condition['status']]: 'green' | 'yellow' | 'red' } = {
  ok: 'green',
  warn: 'yellow',
  fail: 'red',
};
