import { expect, it } from 'vitest';
import type { Told } from '../../../bench/parsers/writer.ts';
import { writers } from '../../../bench/parsers/writers.ts';
import type { ParseReport } from '../report.ts';
import { parserOf, reportFormats } from './index.ts';

const told = (...outcomes: Told['outcome'][]): readonly Told[] =>
  outcomes.map((outcome, n) => ({ name: `reads é ${n}`, outcome }));

const lists: readonly (readonly Told[])[] = [
  told('passed'),
  told('passed', 'skipped', 'passed'),
  told('skipped', 'passed'),
  told('passed', 'skipped'),
  told('passed', 'passed', 'failed'),
  told('failed', 'passed'),
  told(...Array<'passed'>(12).fill('passed')),
];

/** What may be missing at the end: the end of the last line, and comments of which nothing counts. */
const rest = /(?:\n# duration_ms [^\n]*)?\s*$/;

function accepts(parse: ParseReport, text: string): boolean {
  const report = parse(text);
  return (
    report?.complete === true &&
    report.tests.some(({ outcome }) => outcome === 'passed') &&
    report.tests.every(({ outcome }) => outcome !== 'failed')
  );
}

it.each(reportFormats)('%s: whole it is accepted, cut at any byte it is not', async (format) => {
  const parse = await parserOf(format);
  for (const write of writers[format])
    for (const list of lists) {
      const whole = write(list, list);
      const bytes = Buffer.from(whole);
      const passes = list.every(({ outcome }) => outcome !== 'failed');
      expect(parse(whole)?.complete, whole).toBe(true);
      expect(accepts(parse, whole), whole).toBe(passes);
      const least = Buffer.byteLength(whole.replace(rest, ''));
      for (let end = 0; end < (passes ? least : bytes.length); end++) {
        const cut = bytes.subarray(0, end).toString('utf8');
        if (accepts(parse, cut)) expect.fail(`accepted: ${JSON.stringify(cut)}`);
      }
    }
});
