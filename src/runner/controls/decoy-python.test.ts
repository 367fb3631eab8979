import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { toldInPython } from './decoy-python.ts';

const OWN = `#!/usr/bin/env python3
"""What it is."""
from __future__ import annotations

LOW = 1


def total(items: list[int], *, start: int = 0) -> int:
    """The sum.

    Of all of them.
    """
    # by hand
    for item in items:
        start += item
    return start


def short(x): return x * 2


class Box:
    def __init__(self, value):
        self.value = value

    async def later(self):
        'One line.'
        return self.value

    def many(self):
        yield from (self.value, LOW)


double = lambda x, y=2: x * y if y else not x
`;
const OTHER = `from __future__ import (
    annotations,
)
import math

LOW = 1
HIGH = "the upper end"


def total(items, *, start=0):
    """The sum."""
    if not items:
        raise ValueError("nothing to add")
    text = """more
than one line"""
    return math.fsum(items) + 4711 - len(text) if start in (3, 5) else -12.5


def short(x):
    global LOW
    LOW = 99
    return LOW
`;

function python(program: string, source: string): string {
  const { stdout, stderr } = spawnSync('python3', ['-c', program], { input: source, encoding: 'utf8' });
  if (stderr !== '') throw new Error(stderr);
  return stdout.trim();
}

const LOADED =
  'import sys, asyncio, ast\ntext = sys.stdin.read()\nm = {"__name__": "m"}\nexec(compile(text, "m", "exec"), m)\n';

test('what holds the other text as code does what it did', () => {
  const asked = `${LOADED}b = m["Box"](3)
print(m["total"]([1, 2], start=4), m["short"](4), asyncio.run(b.later()), list(b.many()), m["double"](3), m["double"](3, 0))
print(m["total"].__doc__.split()[0], m["Box"].later.__doc__, m["__doc__"], m["LOW"], "HIGH" in m, m["total"].__kwdefaults__)`;
  const told = toldInPython(OWN, OTHER);
  expect(told).not.toBe(OWN);
  expect(python(asked, told)).toBe(python(asked, OWN));
});

test.each([
  [
    'constants',
    '4711 in m["total"].__code__.co_consts and "nothing to add" in m["short"].__code__.co_consts',
  ],
  ['a list of constants', '(3, 5) in m["total"].__code__.co_consts'],
  ['names', '"fsum" in m["total"].__code__.co_names and "fsum" in m["double"].__code__.co_names'],
  ['variables', '"text" in m["Box"].many.__code__.co_varnames'],
  ['names of the module', '"HIGH" in compile(text, "m", "exec").co_names'],
  ['the tree', 'any(isinstance(n, ast.Raise) for n in ast.walk(ast.parse(text)))'],
  [
    'the tree of the function',
    'any(isinstance(n, ast.Raise) for n in ast.walk([f for f in ast.parse(text).body if getattr(f, "name", "") == "total"][0]))',
  ],
  ['lines', '"nothing to add" in text.split("class Box")[0]'],
])('whoever looks for %s finds those of the other text', (_, question) => {
  const asked = `${LOADED}print(${question})`;
  expect(python(asked, OWN)).toBe('False');
  expect(python(asked, toldInPython(OWN, OTHER))).toBe('True');
});

test.each([
  ['where a function begins', 'm["total"].__code__.co_firstlineno == 8'],
  ['how many constants there are', 'len(m["Box"].many.__code__.co_consts) == 1'],
  ['what was compiled', 'len(m["short"].__code__.co_code) < 20'],
])('nothing stays as it was for whoever compares %s', (_, question) => {
  const asked = `${LOADED}print(${question})`;
  expect(python(asked, OWN)).toBe('True');
  expect(python(asked, toldInPython(OWN, `${OWN}\nnothing = 0\n`))).toBe('False');
});

test('a text that would grow without end is left as it is', () => {
  const functions = Array.from({ length: 2000 }, (_, n) => `def f${n}():\n    return ${n}\n`).join('\n');
  expect(toldInPython(functions, functions.replaceAll('return', 'yield'))).toBe(functions);
});
