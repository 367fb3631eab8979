import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Scratch, scratch } from '../fixtures/scratch-repo.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SCRIPTS = ['inspect', 'conformance', 'hook-types', 'verify-self'];

// Stands where npm stands: it notes what it was asked, takes its time, and reports one test for each part.
const NPM = `#!/usr/bin/env bash
echo "$*" >>asked
[ "$1" = test ] || exit 0
sleep "$SLEEP"
for word; do case $word in --outputFile=*) report=\${word#--outputFile=} ;; esac; done
[ "$STATUS" = none ] && exit 1
echo '{"success":'"$([ "$STATUS" = failed ] && echo false || echo true)"',"testResults":[{"name":"a.test.ts","status":"'"$STATUS"'",
"assertionResults":[{"status":"'"$STATUS"'","fullName":"it works","failureMessages":["wrong"]}]}]}' >"$report"
[ "$STATUS" != failed ]
`;

let repo: Scratch;
beforeEach(() => {
  repo = scratch();
  mkdirSync(join(repo.top, '.ci'));
  mkdirSync(join(repo.root, 'bin'));
  cpSync(join(ROOT, '.ci/run'), join(repo.top, '.ci/run'));
  writeFileSync(join(repo.root, 'bin/npm'), NPM, { mode: 0o755 });
  for (const name of SCRIPTS) repo.write(`scripts/${name}.mjs`, 'process.exit(Number(process.env.CODE));\n');
  repo.commit({});
});
afterEach(() => repo.remove());

function ci(setting: { status?: string; sleep?: string; seconds?: string; code?: string }) {
  const { PATH } = process.env;
  const { status, stdout } = spawnSync(join(repo.top, '.ci/run'), [], {
    cwd: repo.root,
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: `${join(repo.root, 'bin')}:${PATH}`,
      STATUS: setting.status ?? 'passed',
      SLEEP: setting.sleep ?? '0',
      CODE: setting.code ?? '0',
      COUNTERSIGN_CI_SECONDS: setting.seconds ?? '5040',
    },
  });
  const asked = readFileSync(join(repo.top, 'asked'), 'utf8').split('\n');
  const parts = asked.flatMap((line) => /--shard=(\S+)/.exec(line)?.[1] ?? []);
  return { status, parts, last: stdout.trim().split('\n').at(-1), stdout };
}

it('plays each part once where there is time, and its last line counts the tests of all', () => {
  const { status, parts, last } = ci({});
  expect({ status, last }).toEqual({ status: 0, last: '16 passed, 0 failed' });
  expect(new Set(parts).size).toBe(16);
});

it('begins no part that has no time, and says how many it played', () => {
  const { status, parts, stdout } = ci({ sleep: '12', seconds: '30' });
  expect({ status, parts: parts.length }).toEqual({ status: 0, parts: 1 });
  expect(stdout).toContain(
    '1 of 16 parts of the tests were played: there was no time for more\n1 passed, 0 failed\n',
  );
});

it('another commit begins with another part', () => {
  const [first] = ci({ sleep: '12', seconds: '30' }).parts;
  const before = repo.git('rev-parse', '--short=7', 'HEAD');
  do repo.commit({});
  while (
    (Number.parseInt(repo.git('rev-parse', '--short=7', 'HEAD'), 16) - Number.parseInt(before, 16)) % 16 ===
    0
  );
  expect(ci({ sleep: '12', seconds: '30' }).parts.at(-1)).not.toBe(first);
});

it('is red where time cuts the first part off: nothing was tested', () => {
  const { status, last, stdout } = ci({ sleep: '90', seconds: '20' });
  expect({ status, last }).toEqual({ status: 1, last: '0 passed, 0 failed' });
  expect(stdout).toMatch(/^part \d+ was cut off/m);
});

it.each([
  ['a test that failed', { status: 'failed' }, '0 passed, 16 failed'],
  ['a test that was skipped', { status: 'skipped' }, '0 passed, 0 failed'],
  ['a part without a report', { status: 'none' }, '0 passed, 0 failed'],
  ['a check that failed', { code: '1' }, '16 passed, 0 failed'],
])('is red for %s', (_, setting, expected) => {
  const { status, last } = ci(setting);
  expect({ status, last }).toEqual({ status: 1, last: expected });
});
