import type { ReportFormat } from '../parsers/index.ts';

/** The test programs for which a must-fail test can be written. */
export type Host = 'vitest' | 'jest' | 'mocha' | 'node' | 'tape' | 'tap' | 'pytest';

const byFormat: Readonly<Partial<Record<ReportFormat, Host>>> = {
  vitest: 'vitest',
  jest: 'jest',
  mocha: 'mocha',
  node: 'node',
};

/** Which module gives a file away in the formats that many test programs write. */
const byModule: readonly (readonly [string, Host])[] = [
  ['tape', 'tape'],
  ['tap', 'tap'],
  ['vitest', 'vitest'],
  ['@jest/globals', 'jest'],
  ['node:test', 'node'],
];

const NO_TEST_FILE = /(^|\/)(__fixtures__|fixtures|__snapshots__|__mocks__|node_modules)\//;

/** The program whose tests a file seems to define; undefined for none, or none that is known. */
export function hostOf(file: string, text: string, format: ReportFormat | 'exit'): Host | undefined {
  if (NO_TEST_FILE.test(file) || format === 'exit' || format === 'go' || format === 'cargo') return undefined;
  if (/\.py$/.test(file))
    return (format === 'junit' || format === 'pytest') && /^(async\s+)?def test|^class Test/m.test(text)
      ? 'pytest'
      : undefined;
  if (!/(?<!\.d|-d)\.[cm]?[jt]sx?$/.test(file)) return undefined;
  const host = byFormat[format] ?? byModule.find(([module]) => wayTo(text, module) !== undefined)?.[1];
  if (host === undefined || (host === 'node' && wayTo(text, 'node:test') === undefined)) return undefined;
  return definesTests(text, host) ? host : undefined;
}

const TEST_CALL = /(?<![.\w$])(it|test|specify|describe|suite|context|fit|fdescribe)(\.\w+)*\s*(\(|`|<)/;

/** By its text alone: a call of one of the usual words or of the test module itself, or its words under other names. */
function definesTests(text: string, host: Host): boolean {
  if (TEST_CALL.test(text)) return true;
  const module = host === 'node' ? 'node:test' : host === 'jest' ? '@jest/globals' : host;
  const from = `\\s*(?:=\\s*require\\(|from\\s*)['"]${module}['"]`;
  if (new RegExp(`\\{[^}]*\\b(test|it|describe|suite)\\b[^}]*\\}${from}`).test(text)) return true;
  const given = new RegExp(`(?:import|const|let|var)\\s+(?:\\*\\s+as\\s+)?([\\w$]+)${from}`).exec(text)?.[1];
  if (given === undefined) return false;
  return new RegExp(`(?<![.\\w$])${given.replaceAll('$', '\\$')}(\\.\\w+)*\\s*\\(`).test(text);
}

/** How a file itself reaches a module, by what stands first in it; undefined when it does not. */
export function wayTo(text: string, module: string): 'import' | 'require' | 'dynamic' | undefined {
  const at = (pattern: string) => {
    const found = text.search(new RegExp(pattern, 'm'));
    return found < 0 ? Number.POSITIVE_INFINITY : found;
  };
  const name = `['"]${module}['"]`;
  const ways = [
    ['import', at(`^(?:import\\b[^;'"(]*|\\}\\s*from\\s*)${name}`)],
    ['require', at(`\\brequire\\(\\s*${name}\\s*\\)`)],
    ['dynamic', at(`\\bimport\\(\\s*${name}\\s*\\)`)],
  ] as const;
  const [first] = [...ways].sort(([, a], [, b]) => a - b);
  return first === undefined || first[1] === Number.POSITIVE_INFINITY ? undefined : first[0];
}
