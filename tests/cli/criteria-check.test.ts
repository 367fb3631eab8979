import { expect, it } from 'vitest';
import { eachAtADesk } from './each-desk.ts';
import type { Desk } from './program.ts';

let desk: Desk;
eachAtADesk((opened) => {
  desk = opened;
});

const PATH = '.countersign/criteria/default.yaml';
const EXAMPLES = '.countersign/acceptance/default.yaml';
const criteria = (...checks: readonly object[]) =>
  JSON.stringify({
    schema: 'countersign/criteria/1',
    name: 'default',
    setup: { install: 'none' },
    checks,
  });

it('takes the examples of an artefact, and what is committed, from the commit', () => {
  const examples = [{ id: 'adds', call: { export: 'add', args: [1, 2] }, returns: 3 }];
  desk.repo.commit({
    'package.json': '{"name": "add", "version": "1.0.0", "main": "add.js"}',
    'add.js': 'exports.add = (a, b) => a + b;\n',
    [EXAMPLES]: JSON.stringify({ schema: 'countersign/acceptance/1', examples }),
    [PATH]: criteria({ id: 'package', kind: 'artifact', pack: 'npm', examples: EXAMPLES }),
  });
  expect(desk.say('criteria', 'check')).toMatchObject({
    code: 0,
    data: { checks: [{ canFail: 'yes', because: 'fails with a package that answers nothing' }] },
  });
  desk.repo.git('rm', '-q', EXAMPLES);
  desk.repo.git('commit', '-q', '-m', 'gone');
  expect(desk.run('criteria', 'check')).toMatchObject({
    code: 4,
    err: expect.stringContaining(`base has no ${EXAMPLES}`),
  });
});

it('shows the end of what a check wrote that does not pass now, and nothing that moves the cursor', () => {
  const said = `console.error('\\u001b[31mCannot find it\\u001b[0m\\u0007'); process.exit(1)`;
  const run = ['node', '-e', said];
  desk.repo.write(PATH, criteria({ id: 'tests', kind: 'command', run, report: { format: 'tap' } }));
  const told = desk.run('criteria', 'check');
  expect(told.code).toBe(4);
  expect(told.err).toContain('and there is no report');
  expect(told.err).toContain('\ntests wrote at its end:\n  | Cannot find it\n');
  expect(desk.say('criteria', 'check')).toMatchObject({
    error: { checks: [{ output: ['Cannot find it'] }] },
  });
});
