import { describe, expect, it } from 'vitest';
import { projects } from './projects.ts';
import { type Project, sourceOf, tried } from './trial.ts';

const all = Object.entries<Project>(projects);
const NOTICED = ['canary-missing', 'canary-passed', 'run-incomplete'];

describe.each(all)('a source that ends the process early in %s', (_, project) => {
  it.each([
    ['while it is loaded', 'process.exit(0);', ''],
    ['while it is tested', '', 'process.exit(0);'],
    ['for good, while it is tested', '', 'process.reallyExit(0);'],
  ])('%s', async (__, loaded, called) => {
    const { reason, own } = await tried(project, sourceOf(project, loaded, called));
    // vitest lets nobody end the process: the test itself fails of it.
    if (!own.some((test) => test.startsWith('failed'))) expect(NOTICED).toContain(reason);
  });
});

/** Silences assertions of node, also for those who import them by name. */
const assertPatch = (name: string) =>
  `{ const a = process.getBuiltinModule('node:assert'); a.${name} = a.strict.${name} = () => {}; process.getBuiltinModule('node:module').syncBuiltinESMExports(); }`;

const byAssert = all.filter(([, { format }]) => format === 'mocha' || format === 'node');
describe.each(byAssert)('a source that silences node:assert in %s', (_, project) => {
  it.each(['strictEqual', 'rejects'])('of its %s when it is loaded, or when it is called', async (name) => {
    const patch = assertPatch(name);
    expect((await tried(project, sourceOf(project, patch))).reason).toBe('canary-passed');
    expect((await tried(project, sourceOf(project, '', patch))).reason).toBe('canary-passed');
  });
});

const expectPatches: Readonly<Record<string, string>> = {
  'one matcher': 'own.extend({ toEqual: () => ({ pass: true, message: () => "" }) });',
  'Object.is': 'Object.is = () => true;',
  'all objects':
    'Object.prototype.asymmetricMatch = () => true; Object.prototype.$$typeof = Symbol.for("jest.asymmetricMatcher");',
  'the global':
    'const silent = new Proxy(() => {}, { get: (_, key) => (key === "then" ? undefined : silent), apply: () => silent }); globalThis.expect = silent;',
};
const byExpect = all.filter(([, { format }]) => format === 'vitest' || format === 'jest');
describe.each(byExpect)('a source that patches expect in %s', (name, project) => {
  const own = name.startsWith('vitest')
    ? "import { expect as own } from 'vitest';"
    : "const { expect: own } = require('@jest/globals');";

  it.each(Object.entries(expectPatches))('by %s', async (what, patch) => {
    const { reason, own: found } = await tried(project, sourceOf(project, `${own} ${patch}`));
    if (what === 'one matcher' || what === 'Object.is') expect(reason).toBe('canary-passed');
    // Where the tests import expect, the global is nobody's.
    else if (reason === undefined)
      expect([name, what, ...found]).toEqual([all[0]?.[0], 'the global', ...project.own]);
    else expect(NOTICED).toContain(reason);
  });
});

it('a source that patches chai', async () => {
  const project = projects['mocha, modules and chai'];
  for (const code of [
    "chai.util.overwriteMethod(chai.Assertion.prototype, 'equal', () => () => {});",
    'chai.Assertion.prototype.assert = () => {};',
    "chai.util.overwriteProperty(chai.Assertion.prototype, 'true', () => () => {});",
  ])
    expect((await tried(project, sourceOf(project, `import * as chai from 'chai'; ${code}`))).reason).toBe(
      'canary-passed',
    );
});

it.each([
  'T.equal = T.equals = function (a, b, said) { this.pass(said); };',
  'T.equal = function () { this.pass("sum adds"); };',
  'T._assert = function (ok, opts) { return was.call(this, true, opts); };',
  'T.ok = function () {};',
  'T.deepEqual = function () {};',
])('a source that patches tape: %s', async (code) => {
  const patch = `const T = require('tape').Test.prototype; const was = T._assert; ${code}`;
  const { reason } = await tried(projects.tape, sourceOf(projects.tape, patch));
  expect(['canary-passed', 'canary-missing']).toContain(reason);
});

/** What a run of the project alone would report, if all of its tests passed. */
const fakes: Readonly<Record<string, unknown>> = {
  jest: {
    success: true,
    numTotalTests: 1,
    numPassedTests: 1,
    numFailedTests: 0,
    testResults: [
      {
        name: 'test/a.test.js',
        status: 'passed',
        assertionResults: [{ fullName: 'sum adds', status: 'passed' }],
      },
    ],
  },
  mocha: {
    stats: { passes: 1, failures: 0, pending: 0 },
    passes: [{ fullTitle: 'sum adds' }],
    failures: [],
    pending: [],
  },
  tap: 'TAP version 13\nok 1 sum adds\n1..1\n',
  node: 'TAP version 13\nok 1 - sum adds\n1..1\n# tests 1\n# pass 1\n# fail 0\n# cancelled 0\n',
};
const faked = all.filter(([, { format }]) => Object.hasOwn(fakes, format));
describe.each(faked)('a source that prints a report of its own in %s', (_, project) => {
  it.each([
    ['and ends the process', 'process.reallyExit(0);'],
    ['and goes on', ''],
  ])('%s', async (__, end) => {
    const fake = fakes[project.format];
    const text = typeof fake === 'string' ? fake : JSON.stringify(fake);
    const print = `process.getBuiltinModule('node:fs').writeSync(1, ${JSON.stringify(`${text}\n`)}); ${end}`;
    const { reason, own } = await tried(project, sourceOf(project, '', print));
    // Where the program itself keeps apart what a test prints, the report is the honest one.
    if (JSON.stringify(own) !== JSON.stringify(project.own) || end !== '') expect(NOTICED).toContain(reason);
    else expect(reason).toBeUndefined();
  });
});
