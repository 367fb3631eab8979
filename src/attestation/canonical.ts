import { AttestationError } from './attestation-error.ts';

/** What JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Deeper values are refused, so that no reader can be made to run out of stack. */
export const MAX_DEPTH = 256;

/** ECMAScript 2024; in Node since version 20, not yet in the library that is compiled against. */
interface WellFormed {
  isWellFormed(): boolean;
}

/** False for text with a lone surrogate: it has no UTF-8 form, so two such texts could hash alike. */
export function isWellFormed(text: string): boolean {
  return (text as string & WellFormed).isWellFormed();
}

/**
 * The one text of a JSON value (RFC 8785): keys in UTF-16 order, no spaces, ECMAScript numbers.
 * Throws NOT_CANONICAL for anything JSON cannot say exactly: undefined, NaN, lone surrogates, cycles, class instances.
 */
export function canonicalize(value: Json): string {
  return write(value, []);
}

function write(value: unknown, ancestors: object[]): string {
  switch (typeof value) {
    case 'string':
      return writeString(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'number':
      if (!Number.isFinite(value)) throw refuse(`the number ${value}`);
      return JSON.stringify(value);
    case 'object':
      return value === null ? 'null' : writeNested(value, ancestors);
    default:
      throw refuse(`a value of type ${typeof value}`);
  }
}

/** ASCII without control characters, quotation mark and backslash: its JSON form is itself in quotation marks. */
const PLAIN = /^[ !#-[\]-~]*$/;

function writeString(text: string): string {
  // A pattern and no loop: V8 takes a loop of a short command for one that is worth optimizing, which costs 2 ms.
  if (PLAIN.test(text)) return `"${text}"`;
  if (!isWellFormed(text)) throw refuse('text with a lone surrogate');
  return JSON.stringify(text);
}

function writeNested(value: object, ancestors: object[]): string {
  if (ancestors.includes(value)) throw refuse('a cycle');
  if (ancestors.length >= MAX_DEPTH) throw refuse(`nesting deeper than ${MAX_DEPTH}`);
  ancestors.push(value);
  const text = Array.isArray(value) ? writeArray(value, ancestors) : writeObject(value, ancestors);
  ancestors.pop();
  return text;
}

function writeArray(list: readonly unknown[], ancestors: object[]): string {
  // By index, so that a hole is seen as undefined, which write() refuses.
  let text = '[';
  for (let at = 0; at < list.length; at++) {
    text += at === 0 ? write(list[at], ancestors) : `,${write(list[at], ancestors)}`;
  }
  return `${text}]`;
}

function writeObject(value: object, ancestors: object[]): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw refuse('an instance of a class');
  if ('toJSON' in value && typeof value.toJSON === 'function') throw refuse('an object with toJSON');
  const record = value as { readonly [key: string]: unknown };
  let text = '{';
  for (const key of Object.keys(record).sort()) {
    text += `${text.length > 1 ? ',' : ''}${writeString(key)}:${write(record[key], ancestors)}`;
  }
  return `${text}}`;
}

function refuse(what: string): AttestationError {
  return new AttestationError('NOT_CANONICAL', `${what} has no canonical JSON form`);
}
