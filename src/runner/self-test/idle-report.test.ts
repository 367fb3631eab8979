import { expect, it } from 'vitest';
import { coverageFormats, parseCoverage } from '../parsers/coverage/parse-coverage.ts';
import { idleReport } from './idle-report.ts';

it.each(coverageFormats)('is a whole report of the format %s, and no line ran', async (format) => {
  const report = await parseCoverage(format, idleReport(format, 'src/a "b" <c> & d.ts', 3));
  expect(report).toMatchObject({ covered: 0, total: 3 });
  const files =
    format === 'istanbul-summary' ? undefined : [expect.objectContaining({ path: 'src/a "b" <c> & d.ts' })];
  expect(report?.files).toEqual(files);
});
