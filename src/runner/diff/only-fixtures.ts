import type { BaseFiles } from '../change.ts';
import { readSource } from './source.ts';
import { partsOf } from './span.ts';

/** What pytest and its usual companions bring, and take by these names. */
const BROUGHT =
  /^(?:cache|cap(?:fd|fdbinary|log|sys|sysbinary|teesys)|config|django_\w+|doctest_namespace|event_loop\w*|mocker|monkeypatch|pytestconfig|pytester|record_\w+|recwarn|request|testdir|tmp(?:_path|dir)\w*|db|client|session_mocker|worker_id)$/;
/** What a file of fixtures has at its top: imports, fixtures, functions, plain values, and brackets that close. */
const TOP =
  /^(?:$|[ \t#)\]}'"]|import [\w.]|from [\w.]+ import (?!\*)|@(?:pytest\.)?fixture\b|@(?:contextlib\.)?(?:async)?contextmanager\b|(?:async )?def \w|class \w|[A-Za-z_]\w*[ \t]*(?::[^=]+)?=(?!=)|if (?:typing\.)?TYPE_CHECKING:|from __future__ )/;
/** Names by which pytest calls, loads or leaves out something, whoever defines them. */
const HEARD =
  /\bpytest_\w+|\b(?:setup|teardown)_(?:module|function|method|class)\b|\bcollect_ignore\w*|\bhookimpl\b|\bautouse\b|\b__import__\b|\bexec\s*\(|\beval\s*\(|\b(?:globals|locals|vars)\s*\(|\bsetattr\s*\(|\b(?:sys|builtins|unittest|_pytest|pluggy)\b|\b__builtins__\b|\bmodules\b/;

/**
 * Whether a new conftest.py holds fixtures that tests ask for by their names and nothing else: no hook, no plugin, none
 * that is used without being asked for, none under a name that tests of base use already. What happens when it is loaded
 * a new test file could do as well. '' when it is so, else what it holds besides.
 */
export async function besideFixtures(text: string, base: BaseFiles): Promise<string> {
  const { bare, code } = readSource(text, 'python');
  const heard = HEARD.exec(code)?.[0];
  if (heard !== undefined) return `it has ${heard.trim()}`;
  const strange = bare.split('\n').find((line) => !TOP.test(line));
  if (strange !== undefined) return `it does more than to define fixtures: ${strange.trim().slice(0, 60)}`;
  const names = fixturesIn(code, bare);
  if (names === undefined) return 'the name of a fixture cannot be read';
  const taken = names.filter((name) => BROUGHT.test(name));
  const used = taken.length > 0 ? taken : await usedIn(base, names);
  return used.length === 0 ? '' : `tests have a fixture ${used[0]} already`;
}

const FIXTURE = /^@(?:pytest\.)?fixture\b[ \t]*/gm;

/** The names of all functions, and those that fixtures are given; undefined where one is no plain text. */
function fixturesIn(code: string, bare: string): readonly string[] | undefined {
  const names = [...bare.matchAll(/^(?:async )?def (\w+)/gm)].map(([, name = '']) => name);
  const words = [...bare.matchAll(FIXTURE)].flatMap(({ 0: whole, index }) => {
    const open = index + whole.length;
    return bare.charAt(open) === '(' ? partsOf(code, bare, open) : [];
  });
  const given = words.filter((word) => /^\*|^name\b/.test(word));
  const read = given.map((word) => /^name\s*=\s*(['"])(\w+)\1$/.exec(word)?.[2]);
  return read.includes(undefined) ? undefined : [...names, ...read.flatMap((name) => name ?? [])];
}

/** Those that stand as a parameter or in a text somewhere in base's programs of Python: there they would take a place. */
async function usedIn(base: BaseFiles, names: readonly string[]): Promise<readonly string[]> {
  const paths = (await base.paths()).filter((path) =>
    /(?:^|\/)(?:conftest|test[^/]*|[^/]*_test)\.py$|(?:^|\/)tests?\/.*\.py$/.test(path),
  );
  const used = new Set<string>();
  for (let at = 0; at < paths.length && used.size < names.length; at += 200)
    for (const bytes of (await base.read(paths.slice(at, at + 200))).values()) {
      const { code } = readSource(bytes.toString('utf8'), 'python');
      for (const name of names)
        if (
          new RegExp(`\\bdef\\s+${name}\\b|\\bdef\\s+\\w+\\s*\\([^)]*\\b${name}\\b|['"]${name}['"]`).test(
            code,
          )
        )
          used.add(name);
    }
  return [...used];
}
