import { neutralName, pick, type Random } from './neutral-name.ts';

// Runs in the test: another value of the same kind and form. `n` is a digit, `p` picks a place, `w` equals nothing.
const TURN = `
const t = (x) => {
  if (typeof x === 'number') return Number.isFinite(x) && x + n !== x ? x + n : 0;
  if (typeof x === 'bigint') return x + BigInt(n);
  if (typeof x === 'boolean') return !x;
  if (x === undefined || x === null) return 0;
  if (typeof x === 'string') {
    const at = p % (x.length || 1);
    const c = x.charAt(at);
    if (!/[0-9a-zA-Z]/.test(c)) return x + 'a';
    const next = /[9zZ]/.test(c) ? -1 : 1;
    return x.slice(0, at) + String.fromCharCode(c.charCodeAt(0) + next) + x.slice(at + 1);
  }
  if (typeof x !== 'object' || typeof x.asymmetricMatch === 'function') return w;
  if (Array.isArray(x)) {
    if (x.length === 0) return [n];
    const copy = x.slice();
    copy[p % x.length] = t(x[p % x.length]);
    return copy;
  }
  if (Object.prototype.toString.call(x) === '[object Date]') return new Date(x.getTime() + 1000 * n);
  const keys = Object.keys(x);
  const proto = Object.getPrototypeOf(x);
  if (keys.length === 0) return proto === null || Object.getPrototypeOf(proto) === null ? { [w]: n } : w;
  const key = keys[p % keys.length];
  return Object.assign(Object.create(proto), x, { [key]: t(x[key]) });
};
return t(x);`;

const BODY = TURN.replace(/\s*\n\s*/g, ' ').trim();

/**
 * An expression for what is not the value of another one and looks like it: text of the same form, a number near by, a
 * list or an object with one part changed. Of any type for a compiler, and the other expression stays in use.
 */
export function turnedValue(expected: string, random: Random): string {
  const given = `const n = ${1 + pick(random, 8)}, p = ${pick(random, 1000)}, w = ${JSON.stringify(neutralName(random, 'node'))};`;
  return `new Function('x', ${JSON.stringify(`${given} ${BODY}`)})(${expected}\n)`;
}
