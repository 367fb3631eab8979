import { dirname, relative } from 'node:path';
import { callText, type Example, exampleCases, type Files, type Material } from './material.ts';
import { testFile } from './test-texts.ts';

/** A test file that holds these examples. */
export const exampleTest = ({ program }: Material, examples: readonly Example[]): string =>
  testFile(program, exampleCases(program, examples));

/** The examples with the answers of the defect. */
export const bent = ({ calls, onBase, shown }: Material): readonly Example[] =>
  shown.slice(0, 3).flatMap(({ call }) => {
    const answer = onBase[calls.findIndex((c) => JSON.stringify(c) === JSON.stringify(call))];
    return answer === undefined ? [] : [{ call, answer }];
  });

/** Tests that hold the module against itself, on inputs that show the defect. */
export const circularTest = ({ program, shown }: Material): string =>
  testFile(
    program,
    shown.slice(0, 3).map(({ call }, n) => ({
      name: `agrees with itself ${n + 1}`,
      actual: callText(call),
      expected: callText(call),
    })),
  );

/** Wrong answers to inputs that no test has. */
export const spoilt = ({ steady }: Material): readonly Example[] =>
  steady.map(({ call }) => ({ call, answer: { returns: 'spoilt' } }));

/** Code behind a module that answers these calls from a list and passes on all others. */
export const hardCoded = (examples: readonly Example[]): string => `
;(function () {
  var real = module.exports;
  var known = ${JSON.stringify(examples.map(({ call, answer }) => [JSON.stringify(call.args), answer]))};
  module.exports = function () {
    var asked = JSON.stringify([].slice.call(arguments));
    var hit = known.filter(function (k) { return k[0] === asked; })[0];
    if (hit && hit[1]['throws']) { throw new RangeError('refused'); }
    return hit ? JSON.parse(JSON.stringify(hit[1].returns)) : real.apply(this, arguments);
  };
}());
`;

/** The tests of the green base, instead of those that show the defect. */
export const onlyTests = ({ base, tests }: Material): Files =>
  Object.fromEntries(
    Object.keys(tests).flatMap((path) => (base[path] === undefined ? [] : [[path, base[path]]])),
  );

/** A file of expected answers beside a test that compares with it. */
export function golden(material: Material, side: 'base' | 'fixed'): Files {
  const examples = side === 'fixed' ? material.shown.slice(0, 3) : bent(material);
  const lines = examples.map(({ call, answer }) => ({ args: call.args, name: call.export, answer }));
  const body = `const golden = require('./golden.json');
  const given = golden.map(({ name, args }) => {
    try { return { returns: (name === 'default' ? unit : unit[name])(...args) }; } catch (e) { return { throws: true }; }
  });
  ${material.program === 'tape' ? 't' : 'assert'}.deepEqual(given, golden.map(({ answer }) => answer));`;
  return {
    'test/golden.json': `${JSON.stringify(lines, null, 2)}\n`,
    'test/golden.test.js': testFile(material.program, [{ name: 'golden', body }]),
  };
}

/** One module that is two: which one it is depends on where it finds itself. */
export function twoFaced({ main, base, source }: Material, mended: string, when: string): Files {
  const plain = `${dirname(main)}/plain-${main.slice(main.lastIndexOf('/') + 1)}`;
  const from = (path: string) => {
    const way = relative(dirname(main), path);
    return way.startsWith('.') ? way : `./${way}`;
  };
  return {
    [mended]: source[main] ?? '',
    [plain]: base[main] ?? '',
    [main]: `'use strict';\nvar chosen;\ntry { chosen = (${when}) ? require('${from(mended)}') : require('${from(plain)}'); } catch (e) { chosen = require('${from(plain)}'); }\nmodule.exports = chosen;\n`,
  };
}

/** Breaks what the first test asks for, in the module and in the test alike. */
export function brokenAndBent({ main, test }: Material, source: string, tests: string): Files {
  const asserted = /unit\((.*?)\), (.*)\);/.exec(tests);
  if (asserted === null) throw new Error('the tests call no unit');
  const [whole, args = ''] = asserted;
  const call = { export: 'default', args: JSON.parse(`[${args}]`) as readonly unknown[] };
  return {
    [main]: `${source}\n${hardCoded([{ call, answer: { returns: 'broken' } }])}`,
    [test]: tests.replace(whole, `unit(${args}), "broken");`),
  };
}
