import { opens, type Verdict } from '../verdict.ts';

/** Guards over guards. An error below stays an error: not knowing is not the opposite of knowing. */
export interface Not<G> {
  readonly guard: 'not';
  readonly of: G;
}

export interface AnyOf<G> {
  readonly guard: 'any';
  readonly of: readonly G[];
}

/** `require` binds only where `if` holds; elsewhere it is not applicable. */
export interface When<G> {
  readonly guard: 'when';
  readonly if: G;
  readonly require: G;
}

export function checkNot<G>({ of }: Not<G>, judge: (guard: G) => Verdict): Verdict {
  const inner = judge(of);
  if (inner.status === 'error') return inner;
  const guard = `not ${inner.guard}`;
  if (inner.status === 'unsatisfied') return { guard, status: 'satisfied', because: inner.because, fix: '' };
  return { guard, status: 'unsatisfied', because: `not allowed as long as ${inner.because}`, fix: '' };
}

export function checkAny<G>({ of }: AnyOf<G>, judge: (guard: G) => Verdict): Verdict {
  const verdicts = of.map(judge);
  const open = verdicts.find((v) => v.status === 'satisfied' || v.status === 'overridden');
  if (open !== undefined) return open;
  const status = verdicts.some((v) => v.status === 'error') ? 'error' : 'unsatisfied';
  const join = (parts: readonly string[]) => [...new Set(parts.filter((p) => p !== ''))].join(', or ');
  return {
    guard: verdicts.map((v) => v.guard).join(' or '),
    status,
    because: verdicts.map((v) => v.because).join('; '),
    fix: join(verdicts.map((v) => v.fix)),
  };
}

export function checkWhen<G>(guard: When<G>, judge: (guard: G) => Verdict): Verdict {
  const condition = judge(guard.if);
  if (condition.status === 'error') return condition;
  if (opens(condition)) return judge(guard.require);
  return { guard: condition.guard, status: 'not-applicable', because: condition.because, fix: '' };
}
