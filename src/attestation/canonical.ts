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
  return write(value, new Set());
}

function write(value: unknown, ancestors: Set<object>): string {
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

function writeString(text: string): string {
  if (!isWellFormed(text)) throw refuse('text with a lone surrogate');
  return JSON.stringify(text);
}

function writeNested(value: object, ancestors: Set<object>): string {
  if (ancestors.has(value)) throw refuse('a cycle');
  if (ancestors.size >= MAX_DEPTH) throw refuse(`nesting deeper than ${MAX_DEPTH}`);
  ancestors.add(value);
  const text = Array.isArray(value) ? writeArray(value, ancestors) : writeObject(value, ancestors);
  ancestors.delete(value);
  return text;
}

function writeArray(list: readonly unknown[], ancestors: Set<object>): string {
  // Array.from visits holes as undefined, which write() refuses; map() would skip them.
  return `[${Array.from(list, (element) => write(element, ancestors)).join(',')}]`;
}

function writeObject(value: object, ancestors: Set<object>): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw refuse('an instance of a class');
  if ('toJSON' in value && typeof value.toJSON === 'function') throw refuse('an object with toJSON');
  const record = value as { readonly [key: string]: unknown };
  const members = Object.keys(record)
    .sort()
    .map((key) => `${writeString(key)}:${write(record[key], ancestors)}`);
  return `{${members.join(',')}}`;
}

function refuse(what: string): AttestationError {
  return new AttestationError('NOT_CANONICAL', `${what} has no canonical JSON form`);
}
