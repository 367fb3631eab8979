import { guarded, type ParseReport } from '../report.ts';

/** The table of report formats: one file each, loaded when a check of the format has run. */
const loaders = {
  tap: () => import('./tap.ts'),
  node: () => import('./node.ts'),
  junit: () => import('./junit.ts'),
  ctrf: () => import('./ctrf.ts'),
  vitest: () => import('./vitest.ts'),
  jest: () => import('./jest.ts'),
  mocha: () => import('./mocha.ts'),
  go: () => import('./go.ts'),
  cargo: () => import('./cargo.ts'),
  pytest: () => import('./pytest.ts'),
} satisfies Record<string, () => Promise<{ readonly parse: ParseReport }>>;

export type ReportFormat = keyof typeof loaders;

/** Every format that names tests, in the order of the table. */
export const reportFormats = Object.keys(loaders) as readonly ReportFormat[];

/** The parser of a format. It never throws. */
export async function parserOf(format: ReportFormat): Promise<ParseReport> {
  return guarded((await loaders[format]()).parse);
}
