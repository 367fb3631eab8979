import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Scratch, scratch } from '../fixtures/scratch-repo.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SCRIPTS = ['inspect', 'conformance', 'hook-types', 'verify-self'];

// Stands where npm stands: it notes what it was asked, takes its time, and reports one test for each part. It hangs in the
// second part, or has no report of that one, where it is told so.
const NPM = `#!/usr/bin/env bash
echo "$*" >>asked
if [ "$1" != test ]; then [ "$*" != "$FAILS" ]; exit; fi
sleep "$SLEEP"
for word; do case $word in --outputFile=*) report=\${word#--outputFile=} ;; esac; done
if [ "$(grep -c ^test asked)" -eq 2 ]; then
  [ "$SECOND" = hangs ] && sleep 90
  [ "$SECOND" = none ] && exit 0
  [ "$SECOND" = half ] && { echo '{"success":' >"$report"; exit 0; }
fi
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
  // What is lacking on a machine is not installed for this.
  writeFileSync(join(repo.root, 'bin/apt-get'), '#!/bin/sh\n', { mode: 0o755 });
  const script = (name: string) =>
    `if (process.env.HANGS === '${name}') setInterval(() => {}, 1e6);\nelse process.exit(process.env.FAILS === '${name}' ? 1 : 0);\n`;
  for (const name of SCRIPTS) repo.write(`scripts/${name}.mjs`, script(name));
  repo.commit({});
});
afterEach(() => repo.remove());

interface Setting {
  readonly status?: string;
  readonly second?: string;
  readonly sleep?: string;
  readonly seconds?: string;
  readonly fails?: string;
  readonly hangs?: string;
}

function ci(setting: Setting) {
  const { PATH } = process.env;
  rmSync(join(repo.top, 'asked'), { force: true });
  const { status, stdout } = spawnSync(join(repo.top, '.ci/run'), [], {
    cwd: repo.root,
    encoding: 'utf8',
    timeout: 300_000,
    env: {
      ...process.env,
      PATH: `${join(repo.root, 'bin')}:${PATH}`,
      STATUS: setting.status ?? 'passed',
      SLEEP: setting.sleep ?? '0',
      SECOND: setting.second ?? '',
      FAILS: setting.fails ?? '',
      HANGS: setting.hangs ?? '',
      COUNTERSIGN_CI_MARGIN: '0',
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

it('is red where a part hangs beside others that took a moment, and green where it may have lacked the time', () => {
  const hung = ci({ second: 'hangs', seconds: '20' });
  expect(hung).toMatchObject({ status: 1, last: '1 passed, 0 failed' });
  expect(hung.stdout).toMatch(/^failed: part \d+ took much longer than any other/m);
  const late = ci({ second: 'hangs', sleep: '12', seconds: '40' });
  expect({ ...late, parts: late.parts.length }).toMatchObject({ status: 0, parts: 2 });
  expect(late.stdout).toMatch(/^part \d+ was cut off/m);
  expect(late.last).toBe('1 passed, 0 failed');
});

it('is red where a check does not end, and has its last line', () => {
  const { status, last, stdout } = ci({ hangs: 'inspect', seconds: '8' });
  expect({ status, last }).toEqual({ status: 1, last: '0 passed, 0 failed' });
  expect(stdout).toContain('failed: node scripts/inspect.mjs');
});

it.each([
  ['a test that failed', { status: 'failed' }, '0 passed, 16 failed'],
  ['a test that was skipped', { status: 'skipped' }, '0 passed, 0 failed'],
  ['a part without a report', { second: 'none' }, '15 passed, 0 failed'],
  ['half a report', { second: 'half' }, '15 passed, 1 failed'],
])('is red for %s', (_, setting, expected) => {
  const { status, last } = ci(setting);
  expect({ status, last }).toEqual({ status: 1, last: expected });
});

it.each(['install', 'run check', ...SCRIPTS])(
  'is red where %s fails, and plays the tests all the same',
  (fails) => {
    const { status, last, stdout } = ci({ fails });
    expect({ status, last }).toEqual({ status: 1, last: '16 passed, 0 failed' });
    expect(stdout).toMatch(new RegExp(`^failed: .*${fails}`, 'm'));
  },
);
