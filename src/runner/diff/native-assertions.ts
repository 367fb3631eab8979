import type { Assertion, Searched } from './judge-assertion.ts';
import { judgeComparison, judgeCondition } from './judge-assertion.ts';
import { partsOf } from './span.ts';

const vaguePython = /^(?:assertIsNotNone|assertNot\w*|assertIsNot)$/;
const vagueGo = /^(?:NotNil|NoError|NotEmpty|NotPanics|NotZero|NotEqual|Error|Panics)f?$/;

/** Assertions of pytest, unittest and mocks. */
export function pythonAssertions({ code, bare }: Searched): readonly Assertion[] {
  const statements = [...bare.matchAll(/^[ \t]*assert\b[ \t]*([^\n]*)/gm)].map(
    ({ 0: whole, 1: said = '', index }) => {
      const from = index + whole.length - said.length;
      const comma = said.search(/,\s*[frb]?["']/);
      const text = code.slice(from, from + (comma < 0 ? said.length : comma)).trim();
      // Of a condition over several lines the first one has to do.
      const judged = judgeCondition(index, text.replace(/[([{]$/, ''));
      return /\bis not None$/.test(text) ? { ...judged, strength: 'vague' as const } : judged;
    },
  );
  const calls = [...bare.matchAll(/\b(?:self|cls|mock\w*|\w+)\.(assert\w+)\s*\(/g)].map((found) => {
    const name = found[1] ?? '';
    const args = partsOf(code, bare, found.index + found[0].length - 1);
    if (name === 'assertTrue' || name === 'assertFalse') return judgeCondition(found.index, args[0] ?? '');
    const anyError = /^assertRaises/.test(name) && /^(?:Base)?Exception$/.test(args[0] ?? '');
    const turned = vaguePython.test(name);
    return judgeComparison({ at: found.index, args: turned ? [] : args, vague: turned || anyError });
  });
  const raises = [...bare.matchAll(/\bpytest\.(?:raises|warns)\s*\(\s*(\w*)/g)].map(
    ({ 1: what = '', index }) => {
      const vague = /^(?:Base)?Exception$/.test(what);
      return { at: index, strength: vague ? ('vague' as const) : ('specific' as const), literal: false };
    },
  );
  return [...statements, ...calls, ...raises].sort((a, b) => a.at - b.at);
}

/** Failures that a Go test reports, and the calls of testify. */
export function goAssertions({ code, bare }: Searched): readonly Assertion[] {
  const found = bare.matchAll(
    /\b(?:[tb]\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)|(?:assert|require)\.(\w+))\s*\(/g,
  );
  return [...found].map((call) => {
    const name = call[1];
    if (name === undefined) return { at: call.index, strength: 'specific', literal: false };
    const args = partsOf(code, bare, call.index + call[0].length - 1).filter((arg) => arg !== 't');
    if (/^(?:True|False)f?$/.test(name)) return judgeCondition(call.index, args[0] ?? '');
    return judgeComparison({
      at: call.index,
      args: /^Not/.test(name) ? [] : args,
      vague: vagueGo.test(name),
    });
  });
}

/** The assert macros of Rust. */
export function rustAssertions({ code, bare }: Searched): readonly Assertion[] {
  return [...bare.matchAll(/\b(?:debug_)?assert(_\w+)?!\s*\(/g)].map((call) => {
    const args = partsOf(code, bare, call.index + call[0].length - 1);
    if (call[1] === undefined) return judgeCondition(call.index, args[0] ?? '');
    return judgeComparison({ at: call.index, args: call[1] === '_ne' ? [] : args, vague: call[1] === '_ne' });
  });
}
