import type { CoverageReport } from './coverage-report.ts';
import { parseGoCover } from './go-cover.ts';
import { parseIstanbul, parseIstanbulSummary } from './istanbul.ts';
import { parseLcov } from './lcov.ts';

export const coverageFormats = ['lcov', 'istanbul', 'istanbul-summary', 'cobertura', 'go'] as const;
export type CoverageFormat = (typeof coverageFormats)[number];

/** Undefined for a text that is no whole report of the format. Never rejects: a report is hostile input. */
export async function parseCoverage(
  format: CoverageFormat,
  text: string,
): Promise<CoverageReport | undefined> {
  try {
    return await parsed(format, text);
  } catch {
    return undefined;
  }
}

async function parsed(format: CoverageFormat, text: string): Promise<CoverageReport | undefined> {
  switch (format) {
    case 'lcov':
      return parseLcov(text);
    case 'istanbul':
      return parseIstanbul(text);
    case 'istanbul-summary':
      return parseIstanbulSummary(text);
    case 'go':
      return parseGoCover(text);
    case 'cobertura':
      // Nobody else pays for the XML parser.
      return (await import('./cobertura.ts')).parseCobertura(text);
  }
}
