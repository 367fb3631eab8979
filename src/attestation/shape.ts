import { isSha256Hex } from './digest.ts';

/** What a value read from a file must look like. A record of shapes describes an object. */
export type Shape =
  | 'string'
  | 'text'
  | 'count'
  | 'ordinal'
  | 'sha256'
  | { readonly kind: 'one-of'; readonly values: readonly string[] }
  | { readonly kind: 'list'; readonly of: Shape }
  | { readonly kind: 'map'; readonly of: Shape }
  | { readonly kind: 'or-null'; readonly of: Shape }
  | { readonly kind: 'if-there'; readonly of: Shape }
  | { readonly kind: 'fields'; readonly exact: boolean; readonly fields: Readonly<Record<string, Shape>> };

export const oneOf = (...values: readonly string[]): Shape => ({ kind: 'one-of', values });
export const listOf = (of: Shape): Shape => ({ kind: 'list', of });
export const mapOf = (of: Shape): Shape => ({ kind: 'map', of });
export const orNull = (of: Shape): Shape => ({ kind: 'or-null', of });
/** A field that an older writer did not know. */
export const ifThere = (of: Shape): Shape => ({ kind: 'if-there', of });
/** These fields and no others. */
export const exactly = (fields: Readonly<Record<string, Shape>>): Shape => ({
  kind: 'fields',
  exact: true,
  fields,
});
/** At least these fields: the in-toto rule for predicates, whose readers ignore what they do not know. */
export const atLeast = (fields: Readonly<Record<string, Shape>>): Shape => ({
  kind: 'fields',
  exact: false,
  fields,
});

/**
 * The path of the first place where a value is not of the shape, '' for the value itself, undefined when it fits.
 * 'text' is a string that is not empty, 'count' a whole number from 0, 'ordinal' from 1.
 */
export function misfit(value: unknown, shape: Shape): string | undefined {
  if (typeof shape === 'string') return fitsSimple(value, shape) ? undefined : '';
  switch (shape.kind) {
    case 'one-of':
      return typeof value === 'string' && shape.values.includes(value) ? undefined : '';
    case 'or-null':
      return value === null ? undefined : misfit(value, shape.of);
    case 'if-there':
      return value === undefined ? undefined : misfit(value, shape.of);
    case 'list':
      return Array.isArray(value) ? firstMisfit(Object.entries(value), () => shape.of) : '';
    case 'map':
      return isRecord(value) ? firstMisfit(Object.entries(value), () => shape.of) : '';
    case 'fields':
      return misfitOfFields(value, shape.exact, shape.fields);
  }
}

/** True for a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fitsSimple(value: unknown, shape: Extract<Shape, string>): boolean {
  if (shape === 'count' || shape === 'ordinal') {
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= (shape === 'count' ? 0 : 1);
  }
  if (typeof value !== 'string') return false;
  return shape === 'string' || (shape === 'text' ? value !== '' : isSha256Hex(value));
}

function misfitOfFields(
  value: unknown,
  exact: boolean,
  fields: Readonly<Record<string, Shape>>,
): string | undefined {
  if (!isRecord(value)) return '';
  const stranger = exact ? Object.keys(value).find((key) => !Object.hasOwn(fields, key)) : undefined;
  if (stranger !== undefined) return `.${stranger}`;
  const present = (key: string) => (Object.hasOwn(value, key) ? value[key] : undefined);
  return firstMisfit(
    Object.keys(fields).map((key) => [key, present(key)]),
    (key) => fields[key] ?? 'string',
  );
}

function firstMisfit(
  entries: readonly (readonly [string, unknown])[],
  shapeOf: (key: string) => Shape,
): string | undefined {
  for (const [key, value] of entries) {
    const path = misfit(value, shapeOf(key));
    if (path !== undefined) return `.${key}${path}`;
  }
  return undefined;
}
