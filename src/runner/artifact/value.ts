import { canonicalize, type Json } from '../../attestation/canonical.ts';

/**
 * Any JavaScript value as JSON without two meanings. What JSON cannot say is a mapping of one tag, such as
 * `{"$date": "2026-01-02T00:00:00.000Z"}`; a key of an ordinary mapping that begins with a dollar sign gets a second one.
 */
export type Tagged = Json;

type Mapping = { readonly [key: string]: Json };
type Fault = (message: string) => void;

// What an author may write, as an argument and as an answer; the rest only comes back from a program.
const given: Readonly<Record<string, (payload: unknown, fault: Fault) => Tagged>> = {
  $undefined: () => ({ $undefined: true }),
  $number: (payload, fault) =>
    fits(payload, /^(NaN|-?Infinity|-0)$/, '$number', 'NaN, Infinity, -Infinity or -0', fault),
  $bigint: (payload, fault) => fits(payload, /^(0|-?[1-9]\d*)$/, '$bigint', 'digits in a text', fault),
  $date: (payload, fault) => ({ $date: attempt(() => isoOf(payload), '$date must be a date', fault) }),
  $regexp: (payload, fault) => ({
    $regexp: attempt(() => patternOf(payload), '$regexp must be a text like /source/flags', fault),
  }),
  $buffer: (payload, fault) => fits(payload, /^[A-Za-z0-9+/]*={0,2}$/, '$buffer', 'base64', fault),
  $map: (payload, fault) => ({
    $map: listOf(payload, '$map', fault).map((pair) =>
      listOf(pair, '$map', fault).map((item) => tag(item, fault)),
    ),
  }),
  $set: (payload, fault) => ({ $set: listOf(payload, '$set', fault).map((item) => tag(item, fault)) }),
};

const answered = [
  '$error',
  '$instance',
  '$array',
  '$view',
  '$function',
  '$symbol',
  '$cycle',
  '$hole',
  '$utf16',
];

/** An argument as an author writes it in YAML or JSON; what cannot be handed to a program is a fault. */
export const tagArgument = (value: unknown, fault: Fault): Tagged => tag(value, fault);

/** An expected answer; tags that only programs make are taken as they are shown in results. */
export const tagAnswer = (value: unknown, fault: Fault): Tagged =>
  tag(value, fault, (payload) => payload as Tagged);

function tag(value: unknown, fault: Fault, foreign?: (payload: unknown) => Tagged): Tagged {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return tagNumber(value);
  if (Array.isArray(value)) return value.map((item: unknown) => tag(item, fault, foreign));
  if (typeof value !== 'object') {
    fault('holds something that JSON has no word for');
    return null;
  }
  const [[key, payload] = ['', undefined], ...more] = Object.entries(value);
  if (more.length === 0 && Object.hasOwn(given, key)) return given[key]?.(payload, fault) ?? null;
  if (more.length === 0 && answered.includes(key)) {
    if (foreign !== undefined) return { [key]: foreign(payload) };
    fault(`${key} cannot be an argument`);
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [escaped(name), tag(item, fault, foreign)]),
  );
}

const tagNumber = (value: number): Tagged =>
  Number.isFinite(value) && !Object.is(value, -0)
    ? value
    : { $number: Object.is(value, -0) ? '-0' : String(value) };

/** An author doubles the dollar sign where a key would be read as a tag. */
const escaped = (key: string) => (key.startsWith('$') && !key.startsWith('$$') ? `$${key}` : key);

function fits(payload: unknown, form: RegExp, name: string, what: string, fault: Fault): Tagged {
  if (typeof payload === 'string' && form.test(payload)) return { [name]: payload };
  fault(`${name} must be ${what}`);
  return null;
}

function listOf(payload: unknown, name: string, fault: Fault): readonly unknown[] {
  if (Array.isArray(payload)) return payload;
  fault(`${name} must be a list`);
  return [];
}

function attempt(make: () => string, message: string, fault: Fault): string {
  try {
    return make();
  } catch {
    fault(message);
    return '';
  }
}

const isoOf = (payload: unknown) => new Date(String(payload)).toISOString();

function patternOf(payload: unknown): string {
  const [, source, flags] = /^\/(.+)\/([a-z]*)$/s.exec(String(payload)) ?? [];
  return String(new RegExp(source ?? '(', flags));
}

/**
 * Whether a program answered what was expected. Where the expectation names neither `undefined` nor a class, the answer
 * is read as JSON would write it: properties that are undefined are left out, an instance is its properties.
 */
export function isExpected(answer: Tagged, expected: Tagged): boolean {
  const text = canonicalize(expected);
  if (text === canonicalize(answer)) return true;
  return (
    text === canonicalize(asWritten(answer, text.includes('"$undefined"'), text.includes('"$instance"')))
  );
}

function asWritten(value: Tagged, keepUndefined: boolean, keepInstance: boolean): Tagged {
  const inner = (item: Tagged) => asWritten(item, keepUndefined, keepInstance);
  if (isList(value)) return value.map(inner);
  if (!isMapping(value)) return value;
  const instance = value.$instance ?? null;
  if (!keepInstance && isList(instance)) {
    const [, properties = null, more = null] = instance;
    const json = isMapping(more) ? more.json : undefined;
    if (json !== undefined) return inner(json);
    if (isMapping(properties) && Object.keys(properties).length > 0) return inner(properties);
  }
  const kept = Object.entries(value).filter(
    ([key, item]) => keepUndefined || key.startsWith('$') || !isUndefined(item),
  );
  return Object.fromEntries(kept.map(([key, item]) => [key, inner(item)]));
}

const isUndefined = (value: Tagged) => isMapping(value) && value.$undefined !== undefined;
const isList = (value: Tagged): value is readonly Json[] => Array.isArray(value);
const isMapping = (value: Tagged): value is Mapping =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One line for people, cut where it gets long. */
export function shownValue(value: Tagged): string {
  const text = JSON.stringify(value).replace(/\p{Cc}/gu, ' ');
  return text.length > 300 ? `${text.slice(0, 299)}…` : text;
}
