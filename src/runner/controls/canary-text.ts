import {
  assertProbes,
  chaiAssertProbes,
  chaiProbes,
  expectProbes,
  tapAssertions,
  tapeAssertions,
} from './canary-assertions.ts';
import { type Host, wayTo } from './canary-hosts.ts';
import { neutralVariable, type Random } from './neutral-name.ts';

export interface CanaryText {
  /** Stands on lines of its own, between any two statements of a file. */
  readonly text: string;
  /** How many failures it reports. */
  readonly failures: number;
}

/** Name and values of one must-fail test. */
export interface Wanted {
  readonly name: string;
  readonly values: readonly [string, string];
}

/**
 * One must-fail test for a file. Assertions that have to throw are tried first: if any of them stays silent, the test
 * ends as passed, which is what gives it away. Otherwise it fails by comparing the two values.
 */
export function canaryText(host: Host, file: string, wanted: Wanted, random: Random): CanaryText {
  const [actual, expected] = wanted.values;
  const name = JSON.stringify(wanted.name);
  if (host === 'pytest')
    return { text: `\n\n\ndef ${wanted.name}():\n    assert ${actual} == ${expected}\n`, failures: 1 };
  if (host === 'tape' || host === 'tap') {
    const v = neutralVariable(random);
    const start = `(${v}.default || ${v})${host === 'tap' ? '.test' : ''}`;
    const said = (host === 'tape' ? tapeAssertions : tapAssertions)('t', actual, expected, name);
    const call = `${start}(${name}, function (t) { ${said.join(' ')} t.end(); });`;
    return { text: onOneLine(`${reached(file, host, v).top}${call}`), failures: said.length };
  }
  const own = ownOf(host, file, random);
  const others = librariesOf(file, random);
  const probes = [...own.probes, ...others.flatMap((library) => library.probes)];
  const body = [
    ...others.map(({ inside }) => inside),
    `for (const f of [${asCalls(probes)}, ${inScope}]) {`,
    'let threw = false; try { await f(); } catch (x) { threw = true; } if (!threw) return; }',
    own.last(actual, expected),
  ].join(' ');
  const top = `${own.top}${others.map((library) => library.top).join('')}`;
  return {
    text: onOneLine(`${top}${own.wrap(`${own.test}(${name}, async function () { ${body} });`)}`),
    failures: 1,
  };
}

const asCalls = (probes: readonly string[]) => probes.map((probe) => `() => ${probe}`).join(', ');

/** What a file calls expect and assert, whatever it is: what is no assertion library throws for being called wrongly. */
const inScope = [
  `...(typeof expect === 'function' ? [${asCalls([...expectProbes('expect'), ...chaiProbes('expect')])}] : [])`,
  `...(typeof assert === 'function' ? [${asCalls(assertProbes('assert'))}] : [])`,
].join(', ');

// A compiler that minds types is told to overlook the next line, which is all there is.
const onOneLine = (code: string) => `\n;\n// @ts-ignore\n${code}\n`;

/** What a test program brings along: how a test is declared, and assertions to try and to fail with. */
interface Own {
  readonly top: string;
  readonly test: string;
  readonly probes: readonly string[];
  readonly last: (actual: string, expected: string) => string;
  readonly wrap: (call: string) => string;
}

const asIs = (call: string) => call;
const builtin = (name: string) => `(process.getBuiltinModule || require)('${name}')`;

function ownOf(host: 'vitest' | 'jest' | 'mocha' | 'node', file: string, random: Random): Own {
  const [t, e] = [neutralVariable(random), neutralVariable(random)];
  const byExpect = {
    probes: expectProbes(e),
    last: (a: string, b: string) => `${e}(${a}).toBe(${b});`,
    wrap: asIs,
  };
  if (host === 'vitest')
    return {
      ...byExpect,
      top: `import { test as ${t}, expect as ${e} } from 'vitest'; `,
      test: t,
      probes: [...byExpect.probes, ...chaiProbes(e)],
    };
  if (host === 'jest') {
    const { top } = reached(file, '@jest/globals', t);
    const from = (word: string) =>
      top === '' ? `(globalThis.${word} || require('@jest/globals').${word})` : `${t}.${word}`;
    return { ...byExpect, top: `${top}const ${e} = ${from('expect')}; `, test: from('test') };
  }
  const byAssert = {
    probes: [
      ...assertProbes(builtin('node:assert')),
      ...assertProbes(`${builtin('node:assert')}.strict`),
      '(7).should.equal(8)',
    ],
    last: (a: string, b: string) => `${builtin('node:assert')}.strictEqual(${a}, ${b});`,
    wrap: asIs,
  };
  if (host === 'node') {
    const { top } = reached(file, 'node:test', t);
    return { ...byAssert, top, test: top === '' ? `${builtin('node:test')}.test` : `${t}.test` };
  }
  // mocha runs the tests of a file before its suites: only a suite of its own comes last.
  return {
    ...byAssert,
    top: '',
    test: '(globalThis.it || globalThis.test)',
    last: (a, b) => `${GO_ON} ${byAssert.last(a, b)}`,
    wrap: (call) => `(globalThis.describe || globalThis.suite)('more', function () { ${call} });`,
  };
}

// A mocha that stops at its first failure would stop here.
const GO_ON =
  'let r = this.test.parent; while (r.parent) r = r.parent; (function go(s) { s.bail(false); s.suites.forEach(go); })(r);';

interface Library {
  readonly top: string;
  readonly inside: string;
  readonly probes: readonly string[];
}

/** The assertion libraries that a file loads itself, by its own way of loading them. */
function librariesOf(file: string, random: Random): readonly Library[] {
  const found: Library[] = [];
  const add = (module: string, probes: (v: string) => readonly string[]) => {
    const v = neutralVariable(random);
    const way = reached(file, module, v);
    if (way.top !== '' || way.inside !== '') found.push({ ...way, probes: probes(v) });
  };
  add('chai', (v) => [
    ...chaiProbes(`(${v}.expect || ${v}.default.expect)`),
    ...chaiAssertProbes(`(${v}.assert || ${v}.default.assert)`),
  ]);
  add('expect', (v) => expectProbes(`(${v}.expect || ${v}.default || ${v})`));
  for (const module of ['node:assert', 'assert', 'node:assert/strict', 'assert/strict'])
    add(module, (v) => assertProbes(`(${v}.default || ${v})`));
  return found;
}

/** Loads a module under a name as the file does: at the top, or inside of the test. */
function reached(
  file: string,
  module: string,
  name: string,
): { readonly top: string; readonly inside: string } {
  const way = wayTo(file, module);
  if (way === 'import') return { top: `import * as ${name} from '${module}'; `, inside: '' };
  if (way === 'require') return { top: `const ${name} = require('${module}'); `, inside: '' };
  return { top: '', inside: way === 'dynamic' ? `const ${name} = await import('${module}');` : '' };
}
