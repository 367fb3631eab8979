import type { Answer, Call, Files, Material } from './material.ts';
import { agreeing } from './oracle.ts';
import { TEMPLATES, type Template } from './templates.ts';
import { testFile, testText } from './test-texts.ts';

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const HIDDEN = 60;
const MOST_SHOWN = 8;

/**
 * A small repository with a known reference and one injected defect, decided by the seed alone. `node`: CommonJS with
 * types in comments, for node --test. `vitest`: TypeScript. Tests of the base are inputs on which the defect does not
 * show; the mending's tests add some on which it does. Throws when the seed's defect does not show at all.
 */
export function generated(seed: number, program: 'node' | 'vitest'): Material {
  const random = seeded(seed);
  const template = TEMPLATES[seed % TEMPLATES.length] as Template;
  const reference = template.source(random);
  const bug = template.bugs[Math.floor(seed / TEMPLATES.length) % template.bugs.length];
  const broken = bug === undefined ? reference : reference.replace(bug.find, () => bug.with);
  if (broken === reference) throw new Error(`seed ${seed}: ${template.name} has no place for ${bug?.kind}`);
  const calls = Array.from({ length: HIDDEN }, () => ({ export: 'default', args: template.input(random) }));
  const [onBase, onFixed] = [broken, reference].map((code) => answers(code, template.name, calls));
  if (onBase === undefined || onFixed === undefined) throw new Error('no answers');
  const pairs = calls.map((call, n) => ({ call, answer: onFixed[n] as Answer, before: onBase[n] as Answer }));
  const differing = unique(pairs.filter(({ answer, before }) => agreeing([before], [answer]) === 0));
  const same = unique(pairs.filter(({ answer, before }) => agreeing([before], [answer]) === 1));
  if (differing.length === 0 || same.length === 0)
    throw new Error(`seed ${seed}: ${bug?.kind} in ${template.name} shows on ${differing.length} inputs`);
  const shown = differing.slice(0, MOST_SHOWN).map(({ call, answer }) => ({ call, answer }));
  const layout = LAYOUTS[program](template.name);
  const tested = same.slice(0, 5).map((p, n) => caseOf(`${template.name} ${n + 1}`, p));
  const added = shown.slice(0, 3).map((p, n) => caseOf(`${template.name}: mended ${n + 1}`, p));
  const before = testFile(program, tested);
  return {
    id: `${program}-${seed}-${template.name}-${bug?.kind ?? ''}`,
    words: [
      ...['generated', program === 'node' ? 'cjs' : 'typescript', program, 'additive', 'one-file'],
      ...(same.length > 5 ? ['steady'] : []),
      ...(differing.length > 1 ? ['wide'] : []),
    ],
    program,
    base: { ...layout.files, [layout.main]: layout.text(broken), [layout.test]: before },
    source: { [layout.main]: layout.text(reference) },
    tests: { [layout.test]: `${before}\n${added.map((c) => testText(program, c)).join('\n')}` },
    main: layout.main,
    test: layout.test,
    other: layout.other,
    otherTest: layout.otherTest,
    entry: layout.entry,
    calls,
    onBase,
    onFixed,
    shown,
    steady: same.slice(5).map(({ call, answer }) => ({ call, answer })),
  };
}

const unique = <T extends { readonly call: Call }>(list: readonly T[]): readonly T[] => [
  ...new Map(list.map((p) => [JSON.stringify(p.call), p])).values(),
];

const caseOf = (name: string, { call, answer }: { call: Call; answer: Answer }) => ({
  name,
  actual: `unit(${call.args.map((arg) => JSON.stringify(arg)).join(', ')})`,
  expected: JSON.stringify('returns' in answer ? answer.returns : null),
});

/** The text of a template is a plain function, so that it can be asked right here. */
function answers(code: string, name: string, calls: readonly Call[]): readonly Answer[] {
  const unit = new Function(`${stripped(code)}\nreturn ${name};`)() as (
    ...args: readonly unknown[]
  ) => unknown;
  return calls.map(({ args }): Answer => {
    try {
      const value = unit(...(structuredClone(args) as unknown[]));
      return { returns: value === undefined ? null : JSON.parse(JSON.stringify(value)) };
    } catch {
      return { throws: true };
    }
  });
}

/** Types stand between marks in the templates: «: string». */
const stripped = (code: string) => code.replace(/«[^»]*»/g, '');
const typed = (code: string) => code.replace(/[«»]/g, '');

interface Layout {
  readonly files: Files;
  readonly main: string;
  readonly test: string;
  readonly other: string;
  readonly otherTest: string;
  readonly entry: string;
  text(code: string): string;
}

const manifest = (name: string, more: object) =>
  `${JSON.stringify({ name: `unit-${name.toLowerCase()}`, version: '1.0.0', license: 'MIT', ...more }, null, 2)}\n`;

const LAYOUTS: { readonly [program in 'node' | 'vitest']: (name: string) => Layout } = {
  node: (name) => ({
    files: {
      'package.json': manifest(name, {
        main: 'lib/index.js',
        files: ['lib'],
        scripts: { test: 'node --test test/' },
      }),
      'README.md': `# unit-${name.toLowerCase()}\n\nOne function.\n`,
      'lib/index.js': `'use strict';\nmodule.exports = require('./unit.js');\n`,
      'lib/identity.js': `'use strict';\n\n/** Answers what it is given. */\nmodule.exports = (value) => value;\n`,
      'test/identity.test.js': `'use strict';\nconst test = require('node:test');\nconst assert = require('node:assert/strict');\nconst identity = require('../lib/identity.js');\n\ntest('identity', () => {\n  assert.equal(identity(3), 3);\n});\n`,
    },
    main: 'lib/unit.js',
    test: 'test/unit.test.js',
    other: 'lib/identity.js',
    otherTest: 'test/identity.test.js',
    entry: 'lib/index.js',
    text: (code) => `'use strict';\n\n${stripped(code)}\nmodule.exports = ${name};\n`,
  }),
  vitest: (name) => ({
    files: {
      'package.json': manifest(name, { type: 'module', scripts: { test: 'vitest run' } }),
      'README.md': `# unit-${name.toLowerCase()}\n`,
      'src/index.ts': `export { default } from './unit.ts';\n`,
      'src/identity.ts': `/** Answers what it is given. */\nexport const identity = <T>(value: T): T => value;\n`,
      'test/identity.test.ts': `import { expect, test } from 'vitest';\nimport { identity } from '../src/identity.ts';\n\ntest('identity', () => {\n  expect(identity(3)).toEqual(3);\n});\n`,
    },
    main: 'src/unit.ts',
    test: 'test/unit.test.ts',
    other: 'src/identity.ts',
    otherTest: 'test/identity.test.ts',
    entry: 'src/index.ts',
    text: (code) => `${typed(code)}\nexport default ${name};\n`,
  }),
};

/** So many repositories, from the first seeds whose defect shows. */
export function generatedSet(count: number, program: 'node' | 'vitest', first = 0): readonly Material[] {
  const found: Material[] = [];
  for (let seed = first; found.length < count; seed++) {
    if (seed > first + 40 * count + 400) throw new Error('too few seeds make a repository');
    try {
      found.push(generated(seed, program));
    } catch {
      // A defect that no input shows is none.
    }
  }
  return found;
}
