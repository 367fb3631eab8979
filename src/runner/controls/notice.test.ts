import { expect, test } from 'vitest';
import { judgedCheck } from '../../../tests/fixtures/judged.ts';

test('what the tests look at is built anew for each change of the code that is tried', async () => {
  const asks = (name: string, condition: string) =>
    [
      "import test from 'node:test';",
      `import { ${name} } from '../dist/${name}.mjs';`,
      `test('${name}', () => { if (!(${condition})) throw new Error('no'); });`,
    ].join('\n');
  const result = (condition: string) =>
    judgedCheck({
      base: {
        'lib/one.mjs': 'export const one = () => 1;\n',
        'test/one.test.mjs': asks('one', 'one() === 1'),
      },
      work: {
        'lib/twice.mjs': 'export const twice = (x) => x * 2;\n',
        'test/twice.test.mjs': asks('twice', condition),
      },
      checks: [
        {
          ...{ id: 'tests', kind: 'tests', report: { format: 'node' } },
          run: ['node', '--test', '--test-reporter=tap', 'test/'],
        },
      ],
      build: [['cp', '-r', 'lib', 'dist']],
    });
  expect(await result('twice(3) === 6')).toMatchObject({ outcome: 'pass', reason: '' });
  expect(await result('twice')).toMatchObject({ outcome: 'fail', reason: 'no-red-on-base' });
});
