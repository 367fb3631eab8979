import type { Assertion, Searched } from './judge-assertion.ts';
import { judgeComparison, judgeCondition } from './judge-assertion.ts';
import { partsOf, pastBracket } from './span.ts';

const expectation = /(?<![\w$.])(?:expect(?:\.soft|\.poll)?|expectTypeOf)\s*\(/g;
const call =
  /(?<![\w$.])(?:(?:chai\.)?assert(?:\.strict)?((?:\.\w+)?)|(?:[a-z]{1,3}|tap|test|ctx|harness)(?:\.assert)?(\.(?:equals?|strictEquals?|deepEquals?|deepStrictEqual|looseEqual|deepLooseEqual|notEquals?|not\w*Equal|same|strictSame|notSame|is|isNot|not|like|throws|throwsAsync|rejects|match|doesNotMatch|hasStrict|isEqual|notOk|ok|true|false|truthy|falsy|pass|doesNotThrow|notThrows\w*|doesNotReject|ifError|error|snapshot|matchSnapshot|assert)))\s*\(/g;
const should = /\.should((?:\s*\.\s*\w+)+)/g;

const vagueName =
  /^(?:ok|isOk|truthy|falsy|notOk|toBeTruthy|toBeFalsy|toBeDefined|pass|doesNotThrow|notThrows\w*|doesNotReject|ifError|error|exists?|isDefined|toMatchSnapshot|snapshot|matchSnapshot|not|isNot|not\w*Equals?|notSame)$/;
/** Turned round these say next to nothing: something else, no error. */
const exact =
  /^(?:toBe|toEqual|toStrictEqual|toThrow\w*|throw\w*|toBeNull|toBeUndefined|toBeNaN|equals?|eql)$/;
const throwing = /^(?:throws?\w*|toThrow\w*|rejects|rejected)$/;
const condition = /^(?:|ok|assert|isOk|isTrue|true|truthy)$/;

/** Assertions of the usual libraries: expect, chai, node:assert, tape, ava, tap. */
export function scriptAssertions(searched: Searched): readonly Assertion[] {
  return [...expectations(searched), ...calls(searched), ...shoulds(searched)].sort((a, b) => a.at - b.at);
}

function expectations({ code, bare }: Searched): readonly Assertion[] {
  return [...bare.matchAll(expectation)].flatMap((found): readonly Assertion[] => {
    const open = found.index + found[0].length - 1;
    const behind = pastBracket(bare, open);
    const chain = /^(?:\s*\.\s*\w+)+/.exec(bare.slice(behind, behind + 300))?.[0];
    // An expectation without a matcher asks for nothing.
    if (chain === undefined) return [];
    const names = chain.split('.').map((name) => name.trim());
    const subject = partsOf(code, bare, open)[0] ?? '';
    const at = behind + chain.length + (/^\s*/.exec(bare.slice(behind + chain.length))?.[0].length ?? 0);
    const wanted = bare.charAt(at) === '(' ? partsOf(code, bare, at) : [];
    return [judgeExpectation(found.index, subject, names, wanted)];
  });
}

function judgeExpectation(
  at: number,
  subject: string,
  names: readonly string[],
  wanted: readonly string[],
): Assertion {
  const name = names.at(-1) ?? '';
  const turned = names.includes('not');
  const anyError = throwing.test(name) && (wanted.length === 0 || wanted[0] === 'Error');
  const vague = vagueName.test(name) || anyError || (turned && exact.test(name));
  if (vagueName.test(name) && wanted.length === 0)
    return { ...judgeCondition(at, subject), ...vagueUnlessEmpty(at, subject) };
  return judgeComparison({
    at,
    args: turned || wanted.length === 0 ? [subject] : [subject, ...wanted],
    vague,
  });
}

function vagueUnlessEmpty(at: number, subject: string): Assertion {
  const judged = judgeCondition(at, subject);
  return judged.strength === 'specific' ? { ...judged, strength: 'vague' } : judged;
}

function calls({ code, bare }: Searched): readonly Assertion[] {
  return [...bare.matchAll(call)].map((found) => {
    const name = (found[1] ?? found[2] ?? '').slice(1);
    const args = partsOf(code, bare, found.index + found[0].length - 1);
    if (condition.test(name)) return judgeCondition(found.index, args[0] ?? '');
    const anyError = throwing.test(name) && args.length < 2;
    const turned = /^(?:not|doesNot)/.test(name);
    return judgeComparison({
      at: found.index,
      args: turned ? [] : args,
      vague: vagueName.test(name) || anyError,
    });
  });
}

function shoulds({ bare }: Searched): readonly Assertion[] {
  return [...bare.matchAll(should)].map(({ 1: chain = '', index }) => {
    const names = chain.split('.').map((name) => name.trim());
    const vague = names.some((name) => vagueName.test(name)) || names.includes('not');
    return { at: index, strength: vague ? 'vague' : 'specific', literal: false };
  });
}
