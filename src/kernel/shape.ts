/** Says what is wrong with a value that stands at a place; nothing when it fits. Never throws. */
export type Shape = (value: unknown, at: string) => readonly string[];

type Shapes = { readonly [field: string]: Shape };

const expected = (at: string, what: string) => [`${at}: ${what} expected`];

export const string: Shape = (value, at) => (typeof value === 'string' ? [] : expected(at, 'a text'));
export const boolean: Shape = (value, at) =>
  typeof value === 'boolean' ? [] : expected(at, 'true or false');
export const nonEmpty: Shape = (value, at) =>
  typeof value === 'string' && value !== '' ? [] : expected(at, 'a text that is not empty');
export const integer: Shape = (value, at) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? [] : expected(at, 'a whole number, 0 or more');
export const setting: Shape = (value, at) =>
  typeof value === 'string' || typeof value === 'boolean' ? [] : expected(at, 'a text, true or false');

/** Any object that is not a list. */
export const object: Shape = (value, at) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? [] : expected(at, 'an object');

export function oneOf(...legal: readonly string[]): Shape {
  return (value, at) => (legal.some((l) => l === value) ? [] : expected(at, `one of ${legal.join(', ')}`));
}

export function listOf(shape: Shape): Shape {
  return (value, at) =>
    Array.isArray(value) ? value.flatMap((entry, n) => shape(entry, `${at}[${n}]`)) : expected(at, 'a list');
}

/** A single value, or a list of them. */
export function oneOrMany(shape: Shape): Shape {
  return (value, at) => (Array.isArray(value) ? listOf(shape)(value, at) : shape(value, at));
}

export function mapOf(shape: Shape): Shape {
  return (value, at) => {
    const wrong = object(value, at);
    if (wrong.length > 0) return wrong;
    return Object.entries(value as object).flatMap(([name, entry]) => [
      ...(name === '__proto__' ? [`${at}: ${name} cannot be a name`] : []),
      ...shape(entry, `${at}.${name}`),
    ]);
  };
}

/** An object with exactly these fields: a field that nobody knows is a slip, not a remark. */
export function fields(needed: Shapes, optional: Shapes): Shape {
  return (value, at) => {
    const wrong = object(value, at);
    if (wrong.length > 0) return wrong;
    const given = value as { readonly [field: string]: unknown };
    const shapes = new Map(Object.entries({ ...optional, ...needed }));
    return [
      ...Object.keys(needed)
        .filter((f) => !Object.hasOwn(given, f))
        .map((f) => `${at}: ${f} is missing`),
      ...Object.keys(given).flatMap(
        (f) => shapes.get(f)?.(given[f], `${at}.${f}`) ?? [`${at}: nobody knows the field ${f}`],
      ),
    ];
  };
}
