import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseCriteria } from './criteria.ts';
import type { CheckedOut, Progress, RunRequest } from './request.ts';
import { runVerification } from './run.ts';

let root: string;
let progress: Progress[];
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'run-')));
  progress = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const passing = "console.log('1..1\\nok 1 - works')";
const check = (id: string, script: string, more = {}) => ({
  id,
  kind: 'command',
  run: ['node', '-e', script],
  report: { format: 'tap' },
  ...more,
});

/** The port, with files written by hand and a tree id that is the content of one of them. */
function place(files: Readonly<Record<string, string>>, submodules: readonly string[] = []) {
  return async (folder: string): Promise<CheckedOut> => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const treeNow = async () => readFileSync(join(folder, 'f'), 'utf8');
    return { tree: await treeNow(), submodules, treeNow };
  };
}

async function run(checks: readonly object[], more: Partial<RunRequest> = {}, document = {}) {
  const text = JSON.stringify({ schema: 'countersign/criteria/1', name: 'default', checks, ...document });
  const criteria = await parseCriteria(new TextEncoder().encode(text), 'c.json');
  return runVerification({
    checkout: place({ f: 'start' }),
    criteria,
    base: undefined,
    item: { kind: 'code', noChange: false },
    statements: [],
    acceptance: undefined,
    acceptanceIndependent: false,
    workRoot: join(root, 'work'),
    cacheRoot: join(root, 'cache'),
    nonce: 'n-1',
    onProgress: (step) => progress.push(step),
    clock: () => new Date('2026-01-02T03:04:05Z'),
    ...more,
  });
}

it('says of a check that failed which folders of submodules are empty', async () => {
  const checkout = place({ f: 'start' }, ['vendor/x']);
  const { checks } = await run([check('a', 'process.exit(1)'), check('b', passing)], { checkout });
  expect(checks.map((one) => /submodules empty: vendor.x/.test(one.explanation))).toEqual([true, false]);
});

const wordsOf = (id: string) => {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8');
  } catch {
    return '';
  }
};
const leftovers = () => (existsSync(join(root, 'work')) ? readdirSync(join(root, 'work')) : []);

describe('runVerification', () => {
  it('passes when every check passes, and records where it ran', async () => {
    const result = await run([check('a', passing), { id: 'b', kind: 'file', path: 'f' }], {
      facts: { git: '2.40' },
    });
    expect(result).toMatchObject({
      verdict: 'pass',
      cause: 'all 2 checks passed',
      nonce: 'n-1',
      startedAt: '2026-01-02T03:04:05.000Z',
      endedAt: '2026-01-02T03:04:05.000Z',
      tree: { start: 'start', end: 'start' },
      setup: { outcome: 'nothing-to-do' },
      environment: {
        git: '2.40',
        node: process.version,
        platform: process.platform,
        arch: process.arch,
        network: expect.stringMatching(/^(none|host)$/),
        tree_end: 'start',
        submodules: '[]',
        setup: 'nothing-to-do',
      },
    });
    expect(result.checks.map(({ id, outcome, strength }) => [id, outcome, strength])).toEqual([
      ['a', 'pass', 'tests'],
      ['b', 'pass', 'content'],
    ]);
    expect(progress.map(({ phase, check: id, done, total }) => `${phase} ${id} ${done}/${total}`)).toEqual([
      'checkout  0/2',
      'check b 0/2',
      'setup  1/2',
      'check a 1/2',
      'end  2/2',
    ]);
    expect(leftovers()).toEqual([]);
  });

  it('runs all checks and reports them together, and a failure outweighs what is open', async () => {
    const result = await run([
      check('a', "console.log('1..1\\nnot ok 1 - sum')"),
      check('b', '', { run: ['no-such-program'] }),
      check('c', passing),
    ]);
    expect(result.checks.map(({ outcome }) => outcome)).toEqual(['fail', 'indeterminate', 'pass']);
    expect(result).toMatchObject({
      verdict: 'fail',
      cause: 'a: 1 of 1 tests failed: sum; the exit code 0 says otherwise',
    });
  });

  it('runs a check that stands apart beside the others, in a checkout of its own', async () => {
    // Each waits for the other's mark: one after the other they would wait in vain.
    const meet = (own: string, other: string) =>
      `const fs = require('node:fs'); const at = ${JSON.stringify(root)};
       fs.writeFileSync('f', fs.readFileSync('f')); fs.writeFileSync(at + '/${own}', process.cwd());
       const end = Date.now() + 20000;
       while (!fs.existsSync(at + '/${other}')) if (Date.now() > end) process.exit(1);
       ${passing}`;
    const checks = [check('a', meet('one', 'two')), check('b', meet('two', 'one'), { apart: true })];
    expect(await run(checks)).toMatchObject({ verdict: 'pass', cause: 'all 2 checks passed' });
    const [one, two] = ['one', 'two'].map((name) => readFileSync(join(root, name), 'utf8'));
    expect(one).not.toBe(two);
  });

  it('is indeterminate when one check is open and none fails', async () => {
    expect(await run([check('a', passing), check('b', '0')])).toMatchObject({
      verdict: 'indeterminate',
      cause: expect.stringMatching(/^b: /),
    });
  });

  it('never passes without a check', async () => {
    expect(await run([check('a', passing)], {}, { applies_to: ['docs'] })).toMatchObject({
      verdict: 'indeterminate',
      checks: [],
    });
  });

  it('is indeterminate when the checkout fails, and when the tree cannot be read again', async () => {
    const checkout = async () => {
      throw new Error('object is missing');
    };
    expect(await run([check('a', passing)], { checkout })).toMatchObject({
      verdict: 'indeterminate',
      cause: 'the run broke off: object is missing',
      tree: { start: '', end: '' },
    });
    expect(leftovers()).toEqual([]);
    const result = await run([check('a', `require('node:fs').rmSync('f'); ${passing}`)]);
    expect(result.tree).toEqual({ start: 'start', end: '' });
  });

  it('fails a run that changed tracked files, and names five of them', async () => {
    const files = Object.fromEntries([...'fghijkl'].map((name) => [name, 'start']));
    const spoil = check(
      'a',
      `for (const f of 'fghijkl') require('node:fs').writeFileSync(f, 'end'); ${passing}`,
    );
    const result = await run([spoil], { checkout: place(files) });
    expect(result).toMatchObject({
      verdict: 'fail',
      cause: 'tracked-files: the checks changed tracked files: "f", "g", "h", "i", "j", and 2 more',
      tree: { start: 'start', end: 'end' },
      environment: { tree_end: 'end' },
      checks: [{ outcome: 'pass' }, { id: 'tracked-files', outcome: 'fail' }],
    });
    expect(await run([spoil], {}, { allow_changes: true })).toMatchObject({
      verdict: 'pass',
      environment: { tree_end: 'end' },
    });
  });

  it('fails a build that changed tracked files, and leaves it open when the set-up failed as well', async () => {
    const build = (script: string) => ({ setup: { build: [['node', '-e', script]] } });
    const spoil = "require('node:fs').writeFileSync('f', 'end')";
    expect(await run([check('a', passing)], {}, build(spoil))).toMatchObject({ verdict: 'fail' });
    expect(await run([check('a', passing)], {}, build(`${spoil}; process.exit(1)`))).toMatchObject({
      verdict: 'indeterminate',
      environment: { setup: expect.stringMatching(/^indeterminate: build: /) },
    });
  });

  it('judges tracked files and pins before anything runs, and other files afterwards', async () => {
    const make = check(
      'a',
      `for (const f of ['f', 'made']) require('node:fs').writeFileSync(f, 'end'); ${passing}`,
    );
    const file = (id: string, path: string, more: object) => ({ id, kind: 'file', path, ...more });
    const pin = createHash('sha256').update('end').digest('hex');
    const result = await run([
      make,
      file('tracked', 'f', { contains: 'end' }),
      file('product', 'made', { contains: 'end' }),
      file('pin', 'made', { sha256: pin }),
    ]);
    expect(result.checks.map(({ outcome }) => outcome)).toEqual(['pass', 'fail', 'pass', 'fail', 'fail']);
  });

  it('leaves command checks open when the set-up fails, and still looks at files', async () => {
    const checkout = place({ f: '1', 'package.json': '{"dependencies":{"x":"1"}}' });
    const result = await run([check('a', passing), { id: 'b', kind: 'file', path: 'f' }], { checkout });
    expect(result).toMatchObject({ verdict: 'indeterminate', setup: { outcome: 'indeterminate' } });
    expect(result.checks.map(({ outcome }) => outcome)).toEqual(['indeterminate', 'pass']);
  });

  it('works in a closed folder with an empty home for each check and nothing of the caller', async () => {
    process.env.COUNTERSIGN_TEST_SECRET = 'x';
    const look = `const fs = require('node:fs'); const out = [Object.keys(process.env).sort().join(), fs.readdirSync(process.env.HOME).length, fs.readdirSync(process.env.TMPDIR).length, (fs.statSync('..').mode & 0o777).toString(8)];
      fs.writeFileSync(process.env.HOME + '/.npmrc', 'x'); console.log('# ' + JSON.stringify(out)); ${passing}`;
    const result = await run([check('a', look), check('b', look)]);
    delete process.env.COUNTERSIGN_TEST_SECRET;
    for (const { output } of result.checks) {
      const line = /^# (.*)$/m.exec(String(output))?.[1] ?? '[]';
      expect(JSON.parse(line)).toEqual([
        'CI,GIT_CEILING_DIRECTORIES,HOME,LANG,NO_COLOR,PATH,TMPDIR,TZ',
        0,
        0,
        '700',
      ]);
    }
  });

  it('ends what a check leaves running, and removes what it locked', async () => {
    // A length of sleep like no other: what a check sees as a process id may mean another process here.
    const long = `300.${Date.now()}`;
    const stay = `const c = require('node:child_process').spawn('sleep', ['${long}'], { detached: true, stdio: 'ignore' }); c.unref();
      const fs = require('node:fs'); fs.mkdirSync('locked/in', { recursive: true }); fs.chmodSync('locked', 0); ${passing}`;
    expect((await run([check('a', stay)])).verdict).toBe('pass');
    const runs = () =>
      readdirSync('/proc').some((id) => /^\d+$/.test(id) && wordsOf(id) === `sleep\0${long}\0`);
    for (let tries = 0; tries < 100 && runs(); tries += 1) await sleep(50);
    expect(runs()).toBe(false);
    expect(leftovers()).toEqual([]);
  });

  it('is indeterminate after an abort and leaves no folder', async () => {
    const controller = new AbortController();
    const started = join(root, 'started');
    const script = `require('node:fs').writeFileSync(${JSON.stringify(started)}, ''); setInterval(() => {}, 1000)`;
    const running = run([check('a', script), check('b', passing)], { signal: controller.signal });
    while (!existsSync(started)) await sleep(20);
    expect(lstatSync(join(root, 'work', leftovers()[0] ?? '')).mode & 0o777).toBe(0o700);
    controller.abort();
    const result = await running;
    expect(progress.filter(({ check: id }) => id === 'b')).toEqual([]);
    expect(result.verdict).toBe('indeterminate');
    expect(result.checks.map(({ explanation }) => explanation)).toEqual([
      'the run was aborted',
      'the run was aborted',
    ]);
    expect(leftovers()).toEqual([]);
  });

  it('runs a check that names its inputs once for the same inputs, and says so', async () => {
    const seal = {
      mark: (text: string) => `m${text}`,
      holds: (text: string, mark: string) => mark === `m${text}`,
    };
    const count = join(root, 'count');
    const script = `require('node:fs').appendFileSync(${JSON.stringify(count)}, 'x'); ${passing}`;
    const named = [check('a', script, { inputs: ['f'] })];
    const notes = async (files: Readonly<Record<string, string>>, checks: readonly object[]) => {
      const { checks: results } = await run(checks, { checkout: place(files), seal });
      return results.map(({ notes: lines }) => lines.join());
    };
    const again = 'not run again: the same command passed on the same inputs at 2026-01-02T03:04:05.000Z';
    expect(await notes({ f: 'one', g: '1' }, named)).toEqual(['']);
    expect(await notes({ f: 'one', g: '2' }, named)).toEqual([again]);
    expect(await notes({ f: 'two', g: '2' }, named)).toEqual(['']);
    expect(await notes({ f: 'one', 'package.json': '{}' }, named)).toEqual(['']);
    expect(await notes({ f: 'one' }, [check('a', script)])).toEqual(['']);
    expect(readFileSync(count, 'utf8')).toBe('xxxx');
  });
});
