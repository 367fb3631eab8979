import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { AGENTS, type Crew, REPORT } from './crew.ts';
import { crewAt, PLANNED, TASK } from './walk.ts';

let crew: Crew;
const document = () => join(crew.tasks, TASK, 'task.md');
const report = (agent: string) => join(crew.tasks, TASK, `${TASK}-${agent}-requirements.md`);
beforeAll(async () => {
  crew = await crewAt('SYNTHESIS');
});
afterAll(() => crew.close());
beforeEach(() => {
  crew.write(document(), PLANNED());
  for (const agent of AGENTS) crew.write(report(agent), REPORT(agent));
});

interface Point {
  readonly name: string;
  readonly passed: boolean;
  readonly because: string;
  readonly fix: string;
}

/** How the point of the synthesis is judged; what it says, it says also when the plan is to be shown. */
async function point(): Promise<Point> {
  const { points } = (await crew.go('task', 'gate', TASK, 'present-plan')).data as unknown as {
    points: readonly Point[];
  };
  const found = points.find(({ name }) => name === 'synthesis');
  if (found === undefined) throw new Error('no such point');
  if (!found.passed) {
    const refused = await crew.go('task', 'present-plan', TASK);
    expect(refused.code).toBe(3);
    expect(refused.error.missing.map(({ because }) => because).join()).toContain(found.because);
  }
  return found;
}
const edit = (change: (text: string) => string) =>
  crew.write(document(), change(readFileSync(document(), 'utf8')));
const section = (title: string, text: string) =>
  edit((was) => was.replace(new RegExp(`(## ${title}\n\n)[^#]*`), `$1${text}\n\n`));

const LACKS: readonly (readonly [what: string, take: () => void, told: string])[] = [
  ['a report', () => rmSync(report('quality')), 'quality: requirements report missing'],
  [
    'requirements of a domain in its report',
    () => crew.write(report('tester'), `# What tester thinks\n\n${'It is good as it is. '.repeat(9)}\n`),
    'no requirement of its domain is in the report of tester (tests)',
  ],
  [
    'the conflicts',
    () =>
      crew.write(
        report('architect'),
        `${REPORT('architect')}\n- REQ-ARCHITECT-1: conflicts with REQ-QUALITY-1\n`,
      ),
    'the conflict of REQ-ARCHITECT-1 with REQ-QUALITY-1 is not resolved',
  ],
  ['a part of the document', () => section('Architecture', '_pending_'), 'task.md lacks Architecture'],
  [
    'the place of a requirement',
    () => edit((text) => text.replace('- REQ-QUALITY-1: src/dates.js\n', '')),
    'no place of the plan answers REQ-QUALITY-1',
  ],
  [
    'the reason of a trade-off',
    () => section('Trade-offs', '- a cache was left out: too early\n- moment.js rejected'),
    'the trade-off has no reason: moment.js rejected',
  ],
  [
    'criteria of a domain',
    () => edit((text) => text.replace('- quality: every date has a test\n', '')),
    'no success criteria for quality',
  ],
];

test.each(LACKS)('PROTO-232: a synthesis that lacks %s has a finding of its own', async (_, take, told) => {
  expect(await point()).toMatchObject({ passed: true });
  take();
  const found = await point();
  expect(found).toMatchObject({ passed: false, because: expect.stringContaining(told) });
  for (const [, , other] of LACKS) if (other !== told) expect(found.because).not.toContain(other);
  expect(found.fix).not.toBe('');
});

test('PROTO-232: what it lacks is told at once, and not one after the other', async () => {
  for (const [, take] of LACKS.slice(3)) take();
  const { because } = await point();
  for (const [, , told] of LACKS.slice(3)) expect(because).toContain(told);
});

test.each([
  [
    'a domain that asks for nothing says so',
    () => crew.write(report('tester'), `- Requirements: none\n\n${'It is covered. '.repeat(9)}`),
  ],
  [
    'one criterion for each domain',
    () => section('Success Criteria', 'For every domain: the suite is green.'),
  ],
  ['a reason on the next line', () => section('Trade-offs', '- moment.js rejected\n  because it is large')],
  ['nothing given up', () => section('Trade-offs', 'None.')],
] as const)('PROTO-232: %s, and that is whole', async (_, change) => {
  change();
  if (readFileSync(report('tester'), 'utf8').includes('none'))
    edit((t) => t.replace('- REQ-TESTER-1: src/dates.js\n', ''));
  expect(await point()).toMatchObject({ passed: true });
});
