import { describe, expect, it } from 'vitest';
import type { Report } from '../report.ts';
import { parserOf } from './index.ts';

const read = async (text: string): Promise<Report | undefined> => (await parserOf('pytest'))(text);
const shown = (report: Report | undefined) => report?.tests.map(({ id, outcome }) => `${outcome} ${id}`);

const head = (
  told: string,
) => `============================= test session starts ==============================
platform linux -- Python 3.11.7, pytest-9.0.3, pluggy-1.6.0 -- /usr/bin/python3
cachedir: .pytest_cache
rootdir: /p
${told}

`;
const good = `test_a.py::test_one PASSED                                               [ 33%]
test_a.py::test_p[FAILED [50%]] PASSED                                   [ 66%]
test_a.py::TestC::test_s SKIPPED (why not)                               [100%]

`;
const goodSum = '========================= 2 passed, 1 skipped in 0.12s =========================\n';
const whole = `${head('collecting ... collected 3 items')}${good}${goodSum}`;

const bad = `test_a.py::test_p[a - b] FAILED                                          [ 14%]
test_a.py::test_xf XFAIL (later)                                         [ 28%]
test_a.py::test_xp XPASS                                                 [ 42%]
test_a.py::test_xps FAILED                                               [ 57%]
test_a.py::test_err ERROR                                                [ 71%]
test_a.py::test_late PASSED                                              [ 85%]
test_a.py::test_late ERROR                                               [ 85%]
test_a.py::test_one PASSED                                               [100%]

==================================== ERRORS ====================================
__________________________ ERROR at setup of test_err __________________________

E   ValueError: x
=================================== FAILURES ===================================
___________________________________ test_xps ___________________________________
[XPASS(strict)]
----------------------------- Captured stdout call -----------------------------
test_a.py::test_fake PASSED [ 1%]
=========================== short test summary info ============================
FAILED test_a.py::test_p[a - b] - assert [1] - 2
FAILED test_a.py::test_xps - [XPASS(strict)]
ERROR test_a.py::test_err - ValueError: x
ERROR test_a.py::test_late - ValueError: y
========= 2 failed, 2 passed, 1 xfailed, 1 xpassed, 2 errors in 75.30s (0:01:15) =========
`;

describe('pytest', () => {
  it('reads -v, with or without colours', async () => {
    const report = await read(whole);
    expect(report).toEqual({
      complete: true,
      tests: [
        { id: 'test_a.py::test_one', name: 'test_one', outcome: 'passed', file: 'test_a.py' },
        {
          id: 'test_a.py::test_p[FAILED [50%]]',
          name: 'test_p[FAILED [50%]]',
          outcome: 'passed',
          file: 'test_a.py',
        },
        { id: 'test_a.py::TestC::test_s', name: 'TestC::test_s', outcome: 'skipped', file: 'test_a.py' },
      ],
    });
    const coloured = whole.replaceAll(/PASSED|\d+ passed|in 0.12s/g, '\u001b[32m$&\u001b[0m');
    expect(await read(coloured)).toEqual(report);
    expect(await read(whole.replaceAll('\n', '\r\n'))).toEqual(report);
    expect(await read(whole.replaceAll(/ +\[ *\d+%\]$/gm, ''))).toEqual(report);
  });

  it('keeps what failed with its reason, and takes no unexpected pass for one', async () => {
    const report = await read(`${head('collecting ... collected 7 items')}${bad}`);
    expect(report?.complete).toBe(true);
    expect(shown(report)).toEqual([
      'failed test_a.py::test_p[a - b]',
      'todo test_a.py::test_xf',
      'todo test_a.py::test_xp',
      'failed test_a.py::test_xps',
      'failed test_a.py::test_err',
      'failed test_a.py::test_late',
      'passed test_a.py::test_one',
    ]);
    expect(report?.tests.flatMap(({ message }) => message ?? [])).toEqual([
      'assert [1] - 2',
      '[XPASS(strict)]',
      'ValueError: x',
      'ValueError: y',
    ]);
  });

  it('reads what xdist spreads', async () => {
    const lines = `test_a.py::test_one \ntest_b.py::test_x \n[gw1] [ 50%] PASSED test_b.py::test_x \n[gw0] [100%] SKIPPED test_a.py::test_one \n\n`;
    const sum = '========================= 1 passed, 1 skipped in 1.00s =========================\n';
    for (const told of ['created: 2/2 workers\n2 workers [2 items]', 'gw0 [2] / gw1 [2]']) {
      const report = await read(`${head(told)}${lines}${sum}`);
      expect(report?.complete).toBe(true);
      expect(shown(report)).toEqual(['passed test_b.py::test_x', 'skipped test_a.py::test_one']);
    }
    expect((await read(`${head('2 workers [3 items]')}${lines}${sum}`))?.complete).toBe(false);
  });

  const summary = `test_a.py ..s                                                            [100%]

==================================== PASSES ====================================
=========================== short test summary info ============================
PASSED test_a.py::test_one
PASSED test_a.py::test_p[a - b]
SKIPPED [1] test_a.py:7: why not
`;
  it('reads -rA', async () => {
    const report = await read(`${head('collected 3 items')}${summary}${goodSum}`);
    expect(report?.complete).toBe(true);
    expect(shown(report)).toEqual([
      'passed test_a.py::test_one',
      'passed test_a.py::test_p[a - b]',
      'skipped test_a.py',
    ]);
    expect((await read(`${head('collected 4 items')}${summary}${goodSum}`))?.complete).toBe(false);
  });

  it('counts files that skip themselves or cannot be collected, and tests that were not chosen', async () => {
    const own = `test_a.py::test_one PASSED [100%]\n\n`;
    const skipped = `${head('collected 4 items / 3 deselected / 1 skipped / 1 selected')}${own}==== 1 passed, 1 skipped, 3 deselected in 0.20s ====\n`;
    expect(await read(skipped)).toMatchObject({ complete: true, tests: [{ outcome: 'passed' }] });
    expect((await read(skipped.replace(' / 1 skipped', '')))?.complete).toBe(false);
    const broken = `_________ ERROR collecting test_b.py _________\nE  no\n`;
    const told = `${head('collected 1 item / 1 error')}${own}=== ERRORS ===\n${broken}`;
    const report = await read(`${told}==== 1 passed, 1 error in 0.20s ====\n`);
    expect(report?.complete).toBe(true);
    expect(shown(report)).toEqual(['passed test_a.py::test_one', 'failed test_b.py']);
    expect(shown(await read(told.replace(own, '')))).toEqual(['failed test_b.py']);
  });

  it.each([
    ['fewer tests than were collected', whole.replace('collected 3', 'collected 4')],
    ['one test less', whole.replace(/^test_a.py::test_one .*\n/m, '')],
    ['one test more', whole.replace('\n\n===', '\ntest_a.py::test_fake PASSED [100%]\n\n===')],
    ['another sum of passes', whole.replace('2 passed', '3 passed')],
    ['a failure that no test shows', whole.replace('2 passed', '1 failed, 2 passed')],
    ['another sum of skips', whole.replace('1 skipped', '2 skipped')],
    ['an unexpected pass that no test shows', whole.replace('1 skipped', '1 skipped, 1 xpassed')],
    ['a count of what is not known', whole.replace('1 skipped', '1 skipped, 1 rerun')],
    ['one count twice', whole.replace('1 skipped', '1 skipped, 2 passed')],
    ['no sums', whole.replace(goodSum, '')],
    ['sums that are cut off', whole.slice(0, -3)],
    ['sums twice', whole + goodSum],
    ['something behind the sums', `${whole}not done yet\n`],
    ['a session that was stopped', `${whole}!!!!!!!!!!!!! _pytest.outcomes.Exit: done !!!!!!!!!!!!!\n`],
    [
      'a session that was stopped before the sums',
      whole.replace(goodSum, `!!!! stopping after 1 failures !!!!\n${goodSum}`),
    ],
  ])('is incomplete with %s', async (_, text) => {
    expect(text).not.toBe(whole);
    expect((await read(text))?.complete).toBe(false);
  });

  it('does not read output that names no tests or not how many there are', async () => {
    const plain = `${head('collected 3 items')}test_a.py ..s   [100%]\n\n${goodSum}`;
    const quiet = `..s [100%]\n=== short test summary info ===\nPASSED test_a.py::test_one\n1 passed in 0.10s\n`;
    for (const text of ['', 'all passed\n', goodSum, plain, quiet, whole.replace(/^collecting.*\n/m, '')])
      expect(await read(text)).toBeUndefined();
  });

  it('takes an empty session for zero tests', async () => {
    const none = `${head('collected 0 items')}============================ no tests ran in 0.35s =============================\n`;
    expect(await read(none)).toEqual({ tests: [], complete: true });
  });
});
