import { EngineError } from '../../engine/engine-error.ts';
import { countAll, type Metrics, metricsOf } from '../../engine/metrics/metrics.ts';
import { prometheusText } from '../../engine/metrics/prometheus.ts';
import { withSession } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import { columns, printAnswer } from '../print.ts';
import type { Register } from '../register.ts';

const FORMATS = ['table', 'prometheus'];

export const metrics: Register = (program, run) => {
  program
    .command('metrics')
    .description('how often claims held, what was taken back, and where the time went')
    .option('--format <format>', `one of ${FORMATS.join(', ')}`, 'table')
    .action(({ format }: { format: string }) =>
      run((cli) =>
        withSession(cli, async ({ ports }) => {
          if (!FORMATS.includes(format))
            throw new EngineError(
              'BAD_INPUT',
              `there is no format ${format}`,
              `known: ${FORMATS.join(', ')}`,
            );
          const counts = await countAll(ports);
          const data = metricsOf(counts);
          const text = format === 'prometheus' ? prometheusText(counts).trimEnd() : textOf(data);
          printAnswer(cli.output, { data, text });
          return EXIT.ok;
        }),
      ),
    );
};

const percent = (rate: number | null): string => (rate === null ? '-' : `${(rate * 100).toFixed(1)} %`);

function textOf({ claims, protocols, states, failures, refusals }: Metrics): string {
  const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
    rows.length === 0 ? [] : [columns([head, ...rows]), ''];
  const lines = [
    ...table(
      ['AGENT', 'PROTOCOL', 'CLAIMS', 'PASSED', 'REFUSED', 'INCONCLUSIVE', 'FALSE CLAIMS'],
      claims.map((c) => [
        c.agent,
        c.protocol,
        `${c.claims}`,
        `${c.passed}`,
        `${c.refused}`,
        `${c.inconclusive}`,
        percent(c.false_claim_rate),
      ]),
    ),
    ...table(
      ['PROTOCOL', 'COMPLETED', 'TAKEN BACK', 'FALSE COMPLETIONS', 'REJECTED AFTER', 'REWORK'],
      protocols.map((p) => [
        ...[p.protocol, `${p.completions}`, `${p.verifier_misses}`, percent(p.false_completion_rate)],
        ...[`${p.rejections_after_verification}`, `${p.rework_rounds}`],
      ]),
    ),
    ...table(
      ['PROTOCOL', 'INDEPENDENCE', 'PASSES'],
      protocols.flatMap((p) =>
        Object.entries(p.independence).map(([level, n]) => [p.protocol, level, `${n}`]),
      ),
    ),
    ...table(
      ['PROTOCOL', 'STATE', 'STAYS', 'MEAN MINUTES'],
      states.map((s) => [s.protocol, s.state, `${s.stays}`, s.mean_minutes.toFixed(1)]),
    ),
    ...table(
      ['STATE', 'AGENT', 'FAILURES'],
      failures.map((f) => [f.state, f.agent, `${f.failures}`]),
    ),
    ...table(
      ['REFUSED BECAUSE', 'AGENT', 'TIMES'],
      refusals.map((r) => [r.code, r.agent, `${r.refusals}`]),
    ),
  ];
  return lines.length === 0 ? 'nothing has happened yet' : lines.join('\n').trimEnd();
}
