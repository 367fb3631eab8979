import { expect, it } from 'vitest';
import { baseOf } from '../../../tests/change-of.ts';
import { besideFixtures } from './only-fixtures.ts';

const base = baseOf({
  'tests/test_a.py': 'def test_a(client_of_ours, tmp_path):\n    assert client_of_ours\n',
  'tests/test_b.py': 'import pytest\n\n@pytest.mark.usefixtures("ready")\ndef test_b():\n    gap = 1\n',
  'calc/core.py': 'def total(gap_text):\n    return 1\n',
});
const GAP = 'import pytest\n\n\n@pytest.fixture\ndef gap():\n    return "1,,2"\n';

it.each([
  GAP,
  '"""Shared."""\nfrom pathlib import Path\n\nimport pytest\n\nfrom calc.core import total\n\nHERE = Path(__file__).parent\n\n\ndef made(\n    text,\n):\n    return total(text)\n\n\n@pytest.fixture(\n    name="gap_text",\n    scope="module",\n)\ndef _gap(tmp_path_factory):\n    yield made("1,,2")\n',
  '# Fixtures.\nfrom pytest import fixture\n\n\n@fixture(params=["a", "b"])\nasync def letter(request):\n    return request.param\n',
])('fixtures alone are free: %j', async (text) => expect(await besideFixtures(text, base)).toBe(''));

it.each([
  [`${GAP}\n\ndef pytest_runtest_call(item):\n    pass\n`, 'pytest_runtest_call'],
  [`${GAP}\n\npytest_plugins = ["x"]\n`, 'pytest_plugins'],
  [GAP.replace('fixture', 'fixture(autouse=True)'), 'autouse'],
  [GAP.replace('fixture', 'fixture(**more)'), 'cannot be read'],
  [GAP.replace('fixture', 'fixture(name=N)'), 'cannot be read'],
  [GAP.replace('def gap', 'def client_of_ours'), 'client_of_ours already'],
  [GAP.replace('fixture', 'fixture(name="ready")'), 'ready already'],
  [GAP.replace('def gap', 'def tmp_path'), 'tmp_path already'],
  [`from calc.hooks import *\n${GAP}`, 'does more'],
  [`from calc.hooks import pytest_collection_modifyitems\n${GAP}`, 'pytest_collection'],
  [`import calc.core\n${GAP}\ncalc.core.total = lambda text: 3\n`, 'does more'],
  [`from calc import patch\n${GAP}\npatch()\n`, 'does more'],
  [`import sys\n${GAP}`, 'sys'],
])('everything else is not: %j', async (text, what) =>
  expect(await besideFixtures(text, base)).toContain(what),
);
