import type { CoverageFormat } from '../parsers/coverage/parse-coverage.ts';

/** A whole coverage report on one file, of which no line ran. */
export function idleReport(format: CoverageFormat, path: string, lines: number): string {
  const numbers = Array.from({ length: lines }, (_, n) => n + 1);
  switch (format) {
    case 'lcov':
      return `SF:${path}\n${numbers.map((line) => `DA:${line},0\n`).join('')}end_of_record\n`;
    case 'istanbul': {
      const statementMap = Object.fromEntries(numbers.map((line) => [line, { start: { line } }]));
      const s = Object.fromEntries(numbers.map((line) => [line, 0]));
      return JSON.stringify({ [path]: { path, statementMap, s } });
    }
    case 'istanbul-summary':
      return JSON.stringify({ total: { lines: { total: lines, covered: 0 } } });
    case 'cobertura': {
      const entries = numbers.map((line) => `<line number="${line}" hits="0"/>`).join('');
      const name = path.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
      return `<coverage><packages><package><classes><class filename="${name}"><lines>${entries}</lines></class></classes></package></packages></coverage>`;
    }
    case 'go':
      return `mode: set\n${path}:1.1,${lines}.1 1 0\n`;
  }
}
