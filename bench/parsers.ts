import { parserOf, reportFormats } from '../src/runner/parsers/index.ts';
import { type Figure, figure, type MeasureOptions } from './figure.ts';
import { fuzz } from './parsers/fuzz.ts';

const INPUTS = 200_000;
const SEED = 20_260_801;

/** Report parsers against hostile text: inputs that one of them accepted wrongly, threw at, or took a second for. */
export async function measure(options: MeasureOptions): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [n, format] of reportFormats.entries()) {
    const { faults, slowestMs } = fuzz(format, await parserOf(format), INPUTS, SEED + n);
    for (const { kind, family, text } of faults.slice(0, 3))
      console.error(`${format}: ${kind} (${family}): ${JSON.stringify(text.slice(0, 2_000))}`);
    const name = `parsers ${format}`;
    figures.push(
      figure(
        { figure: `${name} faults`, n: INPUTS, value: faults.length, unit: 'inputs', goal: '= 0' },
        options,
      ),
      figure(
        { figure: `${name} slowest`, n: INPUTS, value: slowestMs, unit: 'ms', goal: '<= 1000' },
        options,
      ),
    );
  }
  return figures;
}
