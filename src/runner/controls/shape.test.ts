import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shapeOf } from './shape.ts';

test('functions of a script tell what those of the other side tell of themselves, and do what they did', () => {
  const before =
    'function one(a) { return a; }\nconst two = (a) => a + 1;\nconst three = async (a, b) => a + b;\nexports.four = function (a) { return a; };\nfunction same(a) { return a; }\nconst sum = (1 + 2);\n';
  const after =
    'function one(a, b) { return a; }\nconst two = function twice(a, { b } = {}, c) { return a + 1; };\nconst three = async ({ a = 1 }, ...b) => a;\nexports.four = (a, b, c = 2) => a;\nfunction same(b) { return b; }\nconst sum = (1 + 3);\n';
  const text = shapeOf('a.js', before, after);
  const exports: Record<string, (a: number) => number> = {};
  const unit = new Function('exports', `${before}\n${text}\nreturn { one, two, three, same };`)(exports);
  const { four } = exports;
  expect([unit.one, unit.two, unit.three, four, unit.same].map((f) => f.length)).toEqual([2, 1, 1, 2, 1]);
  expect([unit.one.name, unit.two.name, unit.one(3), unit.two(3), four?.(3)]).toEqual([
    ...['one', 'twice', 3, 4, 3],
  ]);
  expect(text).not.toContain('same');
  const typed = (more: string) => `export function a<T>(x: T${more}): T {\n  return x;\n}\n`;
  expect(shapeOf('a.ts', typed(''), typed(', y?: T'))).toBe(
    ";try { Object.defineProperty(a, 'length', { value: 2 }); } catch {}\n",
  );
});

test('a function that is handed out is known by that as well', () => {
  const before = 'function one(a) {\n  return a;\n}\nmodule.exports = one;\n';
  const after = `${before}module.exports = function two(a, b) {\n  return one(a);\n};\n`;
  const text = shapeOf('a.js', before, after);
  expect(text).toContain("module.exports, 'length', { value: 2 }");
  expect(text).toContain('module.exports, \'name\', { value: "two" }');
});

const BEFORE = `"""Old."""
import os


def total(text, *rest):
    """The sum."""
    return text * 2


class Box:
    def get(self, key):
        return key


def plain(x): return x
`;
const AFTER = `"""New."""
import os


def total(text: str, *rest, strict: bool = os.abort(), mode="a") -> int:
    """The sum, gaps too."""
    return text * 3


class Box:
    """A box."""

    def get(self, key, default=None):
        """One of them."""
        return default


def plain(x): return x
`;
const QUESTIONS = `
import inspect, json
print(json.dumps([__doc__, total.__doc__, Box.__doc__, Box.get.__doc__, plain.__doc__,
  str(inspect.signature(total)), str(inspect.signature(Box.get)), total(2), Box().get(1), plain(4)]))
`;
const answers = (program: string) =>
  JSON.parse(spawnSync('python3', ['-'], { input: `${program}\n${QUESTIONS}`, encoding: 'utf8' }).stdout);

test('programs of Python do so as well, and run nothing of the other side', () => {
  expect(answers(BEFORE + shapeOf('a.py', BEFORE, AFTER))).toEqual([
    ...['New.', 'The sum, gaps too.', 'A box.', 'One of them.', null],
    ...["(text, *rest, strict=None, mode='a')", '(self, key, default=None)', 4, 1, 4],
  ]);
  expect(shapeOf('a.py', BEFORE, BEFORE)).toBe('');
});

test('a program that shows its documentation keeps it', () => {
  const shown = (text: string) => `${text}\nprint(total.__doc__)\n`;
  expect(shapeOf('a.py', shown(BEFORE), shown(AFTER))).not.toContain('gaps too');
});
