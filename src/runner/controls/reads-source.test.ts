import { expect, test } from 'vitest';
import { judgedCheck } from '../../../tests/fixtures/judged.ts';

/** Calls every function of the test files whose name says that it is a test, and prints how it ended. */
const RUN = `import importlib.util, pathlib, sys
sys.path.insert(0, '.')
sys.dont_write_bytecode = True
results = []
for path in sorted(pathlib.Path('tests').glob('test_*.py')):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    try:
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except Exception:
        continue
    for name, value in list(vars(module).items()):
        if not name.startswith('test_'):
            continue
        try:
            value()
            results.append(('ok', path.stem + ' ' + name))
        except Exception:
            results.append(('not ok', path.stem + ' ' + name))
print('TAP version 13')
for n, (outcome, name) in enumerate(results):
    print(outcome, n + 1, '-', name)
print('1..%d' % len(results))
sys.exit(any(outcome != 'ok' for outcome, _ in results))
`;

const base = {
  'unit.py': 'def price(amount):\n    """What it costs."""\n    return amount * 2\n',
  'run.py': RUN,
  'tests/test_unit.py': 'import unit\n\ndef test_nothing():\n    assert unit.price(0) == 0\n',
};
const check = {
  id: 'tests',
  kind: 'tests',
  run: ['python3', 'run.py'],
  report: { format: 'tap' },
};

const asked = (question: string) =>
  `import ast, inspect, linecache, pathlib, re\nimport unit\n\ndef test_new():\n    assert ${question}\n`;

async function refusal(work: Readonly<Record<string, string>>) {
  const { outcome, reason, explanation } = await judgedCheck({ base, work, checks: [check] });
  return outcome === 'indeterminate' ? [outcome, explanation] : [outcome, reason];
}

const documented = { 'unit.py': base['unit.py'].replace('costs.', 'costs, gaps too.') };
const signed = { 'unit.py': base['unit.py'].replace('(amount)', '(amount, strict=False)') };
const idle = { 'unit.py': `${base['unit.py']}\ndef _unused():\n    return 4711\n` };
const unreached = {
  'unit.py': base['unit.py'].replace(
    '    return',
    '    if amount is Ellipsis:\n        return 4711\n    return',
  ),
};

test.each([
  ['the text of a function', unreached, "'4711' in inspect.getsource(unit.price)"],
  ['lines', unreached, "any('4711' in linecache.getline(unit.__file__, n) for n in range(30))"],
  ['constants', unreached, '4711 in unit.price.__code__.co_consts'],
  [
    'constants by a name that is put together',
    unreached,
    "4711 in getattr(getattr(unit.price, '__co' + 'de__'), 'co_consts')",
  ],
  ['how long the code is', unreached, 'len(unit.price.__code__.co_code) > 30'],
  [
    'the tree',
    unreached,
    'any(isinstance(n, ast.If) for n in ast.walk(ast.parse(pathlib.Path(unit.__file__).read_text())))',
  ],
  ['what documents it', documented, "unit.price.__doc__.endswith('gaps too.')"],
  ['what it takes', signed, "'strict' in inspect.signature(unit.price).parameters"],
  [
    'the text without its comments',
    idle,
    "'4711' in re.sub(r'#.*', '', pathlib.Path(unit.__file__).read_text())",
  ],
])(
  'a test that passes by what a program of Python tells of itself shows nothing: %s',
  async (_, work, question) => {
    const found = await refusal({ ...work, 'tests/test_new.py': asked(question) });
    expect(found[0]).toBe('fail');
    expect(['reads-source', 'no-red-on-base']).toContain(found[1]);
  },
);

test('the same for a module that base does not have', async () => {
  const work = { 'more.py': 'def more(amount):\n    if amount == 1:\n        return 4711\n    return 3\n' };
  const reading = (question: string) => asked(question).replace('import unit\n', 'import more\n');
  for (const question of [
    '4711 in more.more.__code__.co_consts',
    "'4711' in inspect.getsource(more.more)",
    "hash(open(more.__file__).read()) == hash(pathlib.Path('more.py').read_text())",
    "open(more.__file__).read().startswith('def more') and '4711' in open(more.__file__).read()",
  ]) {
    const found = await refusal({ ...work, 'tests/test_new.py': reading(question) });
    expect([question, found[0]]).toEqual([question, 'fail']);
  }
  const honest = await refusal({ ...work, 'tests/test_new.py': reading('more.more(1) == 4711') });
  expect(honest).toEqual(['pass', '']);
});

test('a test that asks what the program does is taken, however its functions are written', async () => {
  const sources = [
    'def price(amount):\n    """What it costs."""\n    return amount * 3\n',
    'price = lambda amount: amount * 3\n',
    'from functools import lru_cache\n\n@lru_cache\ndef price(amount, *, times=3): return amount * times\n',
    'class Price:\n    def __call__(self, amount):\n        async def later():\n            yield amount\n        return amount * 3\n\nprice = Price()\n',
  ];
  for (const source of sources)
    expect(await refusal({ 'unit.py': source, 'tests/test_new.py': asked('unit.price(2) == 6') })).toEqual([
      'pass',
      '',
    ]);
});

test.each([
  ['the place where it broke off', '\n', '', 'where(() => unit.price(null)) === 3', true],
  ['how many parameters it names', '', 'amount, more', 'unit.price.length === 2', true],
  ['how it is called', '', 'amount', "unit.price.name === 'cost'", true],
  ['what it does with them', '', 'amount, more = 1', 'unit.price(2, 5) === 10', false],
])('a test of a script that asks for %s', async (_, above, parameters, question, isText) => {
  const named = question.includes('cost') ? 'cost' : '';
  const times = parameters.includes('=') ? 'more' : '2';
  const { outcome, reason } = await judgedCheck({
    base: {
      'unit.js': 'exports.price = function (amount) {\n  return amount.cents * 2 || amount * 2;\n};\n',
      'test/a.test.js': "require('node:test').test('a', () => {});\n",
    },
    work: {
      'unit.js': `${above}exports.price = function ${named}(${parameters || 'amount'}) {\n  return amount.cents * 2 || amount * ${times};\n};\n`,
      'test/b.test.js': `const unit = require('../unit.js');\nconst where = (f) => { try { f(); } catch (e) { return Number(/unit\\.js:(\\d+)/.exec(e.stack)[1]); } };\nrequire('node:test').test('b', () => { if (!(${question})) throw new Error(); });\n`,
    },
    checks: [
      {
        id: 'tests',
        kind: 'tests',
        run: ['node', '--test', '--test-reporter=tap', 'test/'],
        report: { format: 'node' },
      },
    ],
  });
  expect([outcome, reason]).toEqual(isText ? ['fail', 'reads-source'] : ['pass', '']);
});

test('a script is read without its comments', async () => {
  const program = 'module.exports = (amount) => {\n  return amount * 2;\n};\n';
  const reading = (from: string) =>
    `const { test } = require('node:test');\nconst unit = require('../unit.js');\nconst bare = (text) => text.replace(/\\/\\*[\\s\\S]*?\\*\\//g, '');\ntest('new', () => { if (!bare(${from}).includes('handled')) throw new Error(); });\n`;
  for (const from of ["require('fs').readFileSync('unit.js', 'utf8')", 'String(unit)']) {
    const { outcome, reason } = await judgedCheck({
      base: { 'unit.js': program, 'test/a.test.js': "require('node:test').test('a', () => {});\n" },
      work: {
        'unit.js': program.replace('  return', '  const handled = 1;\n  return'),
        'test/b.test.js': reading(from),
      },
      checks: [
        {
          id: 'tests',
          kind: 'tests',
          run: ['node', '--test', '--test-reporter=tap', 'test/'],
          report: { format: 'node' },
        },
      ],
    });
    expect([outcome, reason]).toEqual(['fail', 'reads-source']);
  }
});

test('a test that only misses a new file shows as little as one that could not be loaded', async () => {
  const base = {
    'unit.js': 'exports.unit = (n) => n;\n',
    'test/a.test.js': "require('node:test').test('a', () => {});\n",
  };
  const more = 'exports.more = (n) => (n === 1 ? 4711 : 3);\n';
  const asked = async (body: string, unit = base['unit.js']) => {
    const { outcome, reason } = await judgedCheck({
      base,
      work: {
        'more.js': more,
        'unit.js': unit,
        'test/b.test.js': `require('node:test').test('b', () => { if (!(${body})) throw new Error(); });\n`,
      },
      checks: [
        {
          id: 'tests',
          kind: 'tests',
          run: ['node', '--test', '--test-reporter=tap', 'test/'],
          report: { format: 'node' },
        },
      ],
    });
    return [outcome, reason];
  };
  expect(await asked("require('fs').readFileSync('more.js', 'utf8').includes('4711')")).toEqual([
    'fail',
    'no-red-on-base',
  ]);
  expect(await asked("require('../more.js').more(1) === 4711")).toEqual(['pass', '']);
  const using = "const { more } = require('./more.js');\nexports.unit = (n) => more(n);\n";
  expect(await asked("require('../unit.js').unit(1) === 4711", using)).toEqual(['pass', '']);
});
