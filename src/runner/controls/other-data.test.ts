import { expect, it } from 'vitest';
import { withOtherData } from './other-data.ts';

const other = (path: string, text: string) => withOtherData(path, text)?.content;

it('data has other names, values, order and length', () => {
  expect(JSON.parse(other('a.json', '{"a": "A", "b": [1, true]}') ?? '')).toEqual({
    a7919: '',
    b7919: [false, -7919, false],
  });
  expect(other('a.json', '// no data\n')).toBe('');
  expect(other('README.md', '# Unit\n')).toBe('');
  expect(other('empty.txt', '')).toBeUndefined();
});

it('what starts the tests still does, and other commands do nothing', () => {
  const manifest =
    '{"type": "module", "main": "a.js", "scripts": {"test": "node --test", "greet": "node a.js"}}';
  expect(JSON.parse(other('package.json', manifest) ?? '')).toMatchObject({
    type: 'module',
    main7919: '',
    scripts: { test: 'node --test', greet: 'exit 0' },
  });
  expect(other('Makefile', 'all: a\n\t@echo 1 \\\n\t  2\n\nA = 1\n')).toBe('all: a\n\t@:\n\nA = 1\n');
});
