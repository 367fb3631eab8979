import { join } from 'node:path';
import type { TestProgram } from './test-texts.ts';

/** What a repository's tests are run by; `modules` is the folder of installed packages. */
function testRun(program: TestProgram, modules: string): readonly string[] {
  if (program === 'node')
    return ['    run: [node, --test, --test-reporter=tap, test/]', '    report: {format: node}'];
  // Nothing lies above a checkout: what tests load has to be in it.
  const linked = (words: string) =>
    `    shell: true\n    run: ${JSON.stringify(`ln -sfn ${modules} node_modules && exec node ${words}`)}`;
  if (program === 'tape')
    return [linked(`${join(modules, 'tape/bin/tape')} 'test/**/*.js'`), '    report: {format: tap}'];
  const path = 'countersign-report.json';
  const vitest = join(modules, 'vitest/vitest.mjs');
  return [
    linked(`${vitest} run --reporter=json --outputFile=${path}`),
    `    report: {format: vitest, path: ${path}}`,
  ];
}

/** What a task asks of its criteria beside the tier. */
interface Asked {
  readonly attempts?: number;
  readonly tolerate?: boolean;
  /** Paths that may change; none = all. */
  readonly inside?: readonly string[];
}

const KINDS = '[code, refactor, chore, tests, docs, research, verification-only]';

/** Tests alone; tests with controls and the rules for a change; all of that with mutants and the packed package. */
export function criteriaText(
  tier: 'light' | 'standard' | 'strict',
  program: TestProgram,
  modules: string,
  { attempts = 1, tolerate = false, inside = [] }: Asked = {},
): string {
  const name = tier === 'standard' ? 'default' : tier;
  const strict = tier === 'strict' ? STRICT : '';
  const allow = inside.length === 0 ? '' : `    allow: ${JSON.stringify(inside)}\n`;
  const held =
    tier === 'light'
      ? '    controls: []\n'
      : `    attempts: ${attempts}\n    known_failures: ${tolerate ? 'tolerate' : 'refuse'}\n`;
  return `schema: countersign/criteria/1
name: ${name}
tier: ${tier}
applies_to: ${KINDS}
setup: {install: none}
checks:
  - id: tests
    kind: tests
${testRun(program, modules).join('\n')}
    timeout: 30s
${held}${tier === 'light' ? '' : CHANGE}${allow}${strict}`;
}

const CHANGE = `  - id: change
    kind: diff
`;

const STRICT = `  - id: mutants
    kind: mutation
    of: tests
    max: 6
  - id: package
    kind: artifact
    pack: npm
`;
