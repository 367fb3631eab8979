import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseCriteria } from './criteria.ts';
import { proposeCriteria } from './propose.ts';

type Scripts = Readonly<Record<string, string>>;
type Tier = 'light' | 'standard' | 'strict';

async function propose(scripts: Scripts, tier: Tier = 'standard', more: object = {}, files: Scripts = {}) {
  const all: Scripts = { ...files, 'package.json': JSON.stringify({ scripts, ...more }) };
  const names = [...new Set(Object.keys(all).map((path) => path.split('/')[0] ?? ''))];
  const read = async (path: string) => (path in all ? new TextEncoder().encode(all[path]) : undefined);
  const proposal = await proposeCriteria({ names, read }, { tier, name: 'default' });
  await parseCriteria(new TextEncoder().encode(proposal.text), 'default.yaml');
  const { checks } = parse(proposal.text);
  return { ...proposal, checks, tests: checks[0] };
}
const runOf = async (test: string, more: Scripts = {}) => (await propose({ ...more, test })).tests.run;

const MOCHA = '--reporter json --reporter-option output=countersign-report.json';
const JEST = '--ci --json --outputFile=countersign-report.json';
const VITEST = 'run --reporter=json --outputFile=countersign-report.json';
const NODE = '--test --test-reporter=tap';
const bin = './node_modules/.bin/';

describe('the words of a test script', () => {
  it.each([
    ['node --test', `node ${NODE}`],
    ["node --test --experimental-x 'test/*.js'", `node ${NODE} --experimental-x test/*.js`],
    ['node --test --require ./setup.cjs', `node ${NODE} --require ./setup.cjs`],
    ['node --import ./x.mjs --test', `node --import ./x.mjs ${NODE}`],
    ['node --test --test-reporter spec --watch t/a.js', `node ${NODE} t/a.js`],
    ['tsx --test --experimental-test-coverage', `${bin}tsx ${NODE}`],
    [
      'mocha -r ts-node/register --timeout 5000 -R dot -w',
      `${bin}mocha ${MOCHA} -r ts-node/register --timeout 5000`,
    ],
    ['npx --no-install mocha --bail', `${bin}mocha ${MOCHA}`],
    ['./node_modules/mocha/bin/_mocha t', `./node_modules/mocha/bin/_mocha ${MOCHA} t`],
    ['jest --coverage --config x.cjs --watchAll -i', `${bin}jest ${JEST} --config x.cjs -i`],
    [
      'node --experimental-vm-modules node_modules/jest/bin/jest.js --silent',
      `node --experimental-vm-modules node_modules/jest/bin/jest.js ${JEST} --silent`,
    ],
    ['vitest --config x', `${bin}vitest ${VITEST} --config x`],
    ['vitest run --config x --reporter=dot', `${bin}vitest ${VITEST} --config x`],
    ['vitest -c x watch', `${bin}vitest ${VITEST} -c x`],
    ["nyc --reporter text tape -r ./x 'test/**/*.js' | tap-spec", `${bin}tape -r ./x test/**/*.js`],
    ['tap -R spec --disable-coverage test', `${bin}tap --reporter=tap --disable-coverage test`],
    ['NODE_ENV=test mocha', `env NODE_ENV=test ${bin}mocha ${MOCHA}`],
    ['cross-env X=1 Y=2 jest', `env X=1 Y=2 ${bin}jest ${JEST}`],
    ['TZ=UTC vitest run', `env TZ=UTC ${bin}vitest ${VITEST}`],
  ])('%s', async (script, words) => {
    expect(await runOf(script)).toEqual(words.split(' '));
  });

  it.each([
    ['node --test test/*.test.js', `node ${NODE} test/*.test.js`],
    ["mocha -r x 'a b' spec/**/*.spec.js", `${bin}mocha ${MOCHA} -r x 'a b' spec/**/*.spec.js`],
    ['A="x y" node --test t/?.js', `env 'A=x y' node ${NODE} t/?.js`],
  ])('are left to a shell where it finds the files: %s', async (script, line) => {
    expect((await propose({ test: script })).tests).toMatchObject({ run: line, shell: true });
  });

  it.each([
    'mocha > out.txt',
    'mocha $FILES',
    'mocha; true',
    'mocha || true',
    'vitest bench',
    'run-s a b',
    'nyc report',
  ])('are no more than an exit code where they ask more: %s', async (script) => {
    expect((await propose({ test: script })).tests).toMatchObject({
      run: ['npm', 'test'],
      report: { format: 'exit' },
    });
  });

  it('say where vitest puts its report', async () => {
    const { tests } = await propose({ test: 'vitest --root ./y' });
    expect(tests.report).toEqual({ format: 'vitest', path: 'y/countersign-report.json' });
  });
});

describe('what a test script does besides', () => {
  it('makes what tests need in front of them, with every run', async () => {
    const build = { build: 'node build.js' };
    const line = `npm run build >&2 && node ${NODE}`;
    expect(await runOf('node --test', { ...build, pretest: 'npm run build' })).toBe(line);
    expect(await runOf('npm run build && node --test', build)).toBe(line);
    expect(await runOf('node --test', { pretest: 'a > b' })).toBe(`npm run pretest >&2 && node ${NODE}`);
    expect(await runOf('tsc -p . && jest')).toBe(`${bin}tsc -p . && ${bin}jest ${JEST}`);
  });

  it('leaves linters to checks of their own', async () => {
    const scripts = {
      lint: 'eslint .',
      pretest: 'npm run lint',
      test: 'tsc --noEmit && prettier -c . && mocha',
    };
    const { found, checks } = await propose(scripts);
    expect(found).toEqual(['lint', 'typecheck', 'prettier', 'tests', 'change']);
    expect(checks[3].run.slice(0, 2)).toEqual([`${bin}mocha`, '--reporter']);
    expect(checks[1].run).toEqual([`${bin}tsc`, '--noEmit']);
    expect((await propose(scripts, 'light')).found).toEqual(['tests']);
  });

  it('keeps in every tier what comes behind the tests', async () => {
    const scripts = { test: 'mocha && npm run test:types', 'test:types': 'tsd', posttest: './more.sh' };
    const { found, checks } = await propose(scripts, 'light');
    expect(found).toEqual(['tests', 'test-types', 'more.sh']);
    expect(checks[1]).toMatchObject({ kind: 'command', run: ['npm', 'run', 'test:types'] });
  });

  it('gives each check a name of its own', async () => {
    const test = 'npm run -s lint && eslint src && mocha && node a && node b && npm run change';
    const { found } = await propose({ test, lint: 'x', change: 'y' });
    expect(found).toEqual(['lint', 'lint-2', 'tests', 'node', 'node-2', 'script-change', 'change']);
  });

  it('says what no check repeats', async () => {
    const { notes, text } = await propose({ test: 'nyc mocha && nyc report', posttest: 'aud --production' });
    expect(notes.join()).toContain('no check does: aud --production');
    expect(text).toContain('# npm test runs as well, and no check does: nyc report\n');
  });

  it('is found through other scripts, with the words that are handed on', async () => {
    const scripts = {
      'test:unit': 'node --test',
      'pretest:unit': 'rm -rf out',
      test: 'X=1 npm run -s test:unit -- --test-only',
    };
    expect((await propose(scripts)).tests.run).toBe(`rm -rf out >&2 && env X=1 node ${NODE} --test-only`);
    expect(await runOf('npm test')).toEqual(['npm', 'test']);
  });

  it('may be several test programs, a check for each', async () => {
    const scripts = { a: 'mocha', b: 'node --test', test: 'npm run a && npm run b && mocha t' };
    const { found, checks } = await propose(scripts);
    expect(found).toEqual(['a', 'b', 'test', 'change']);
    expect(checks[0].controls).toEqual(['canary', 'census', 'base-tests']);
  });
});

describe('where tests lie', () => {
  it.each<[string, readonly string[] | undefined]>([
    ['node --test t/neg.js t/sum.js', ['t/**']],
    ['mocha t', ['t/**']],
    ['tape "t/*.js"', ['t/**']],
    ['mocha "src/**/*.t.js"', ['src/**/*.t.js']],
    ['mocha "{one,two}/**/*.{js,ts}"', ['one/**', 'two/**']],
    ['node --test src/self.js check.js', ['src/self.js', 'check.js']],
    ['node --require ./boot.js --test', undefined],
    ['mocha -r ./boot.js test/deep/*.js "src/**/*.spec.js"', undefined],
    ['jest t', undefined],
  ])('%s', async (script, files) => {
    expect((await propose({ test: script })).tests.files).toEqual(files);
  });

  it('keeps the usual places where tests may lie as well', async () => {
    const { tests } = await propose({ test: 'mocha t/*.js test' });
    expect(tests.files.slice(0, 2)).toEqual(['t/**', '**/*.test.*']);
    const beside = await propose({ test: 'mocha t' }, 'standard', {}, { 'test/a.js': '' });
    expect(beside.tests.files).toContain('**/test/**');
  });

  it('is what the settings of mocha say, where its words do not', async () => {
    const yaml = { '.mocharc.yml': 'spec: ["t/*.js"]\n' };
    expect((await propose({ test: 'mocha' }, 'standard', {}, yaml)).tests.files).toEqual(['t/**']);
    expect((await propose({ test: 'mocha u' }, 'standard', {}, yaml)).tests.files).toEqual(['u/**']);
    expect((await propose({ test: 'mocha' }, 'standard', { mocha: { spec: 't/a.js' } })).tests.files).toEqual(
      ['t/**'],
    );
  });
});
