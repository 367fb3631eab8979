import { EngineError } from '../engine/engine-error.ts';
import type { CommandShape } from './served.ts';

type Fields = { readonly [name: string]: unknown };

/** The command line that a JSON body stands for: arguments and options under their names. Throws BAD_INPUT. */
export function wordsOf(shape: CommandShape, body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw bad('the body is no JSON object');
  const fields = body as Fields;
  const known = [...shape.arguments, ...shape.options].map(({ name }) => name);
  const strange = Object.keys(fields).find((name) => !known.includes(name));
  if (strange !== undefined)
    throw bad(
      `${shape.words.join(' ')} takes no ${JSON.stringify(strange)}; it takes: ${known.join(', ') || 'nothing'}`,
    );
  const options = shape.options.flatMap((option) => optionWords(option, fields[option.name]));
  const given = shape.arguments.flatMap((argument) => argumentWords(argument, fields[argument.name]));
  // What follows is no option, whatever it looks like.
  return [...shape.words, ...options, ...(given.length > 0 ? ['--', ...given] : [])];
}

function argumentWords({ name, required, many }: CommandShape['arguments'][number], value: unknown) {
  if (value === undefined) {
    if (required) throw bad(`${name} is missing`);
    return [];
  }
  if (many && Array.isArray(value)) return value.map((one) => worded(name, one));
  return [worded(name, value)];
}

function optionWords({ flag, name, takes, required }: CommandShape['options'][number], value: unknown) {
  if (value === undefined) {
    if (required) throw bad(`${name} is missing`);
    return [];
  }
  if (takes === 'flag') {
    if (typeof value !== 'boolean') throw bad(`${name} is true or false`);
    return value ? [flag] : [];
  }
  if (takes === 'values') {
    const values = Array.isArray(value) ? value : [value];
    return values.map((one) => `${flag}=${worded(name, one)}`);
  }
  return [`${flag}=${worded(name, value)}`];
}

function worded(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  throw bad(`${name} is a text or a number`);
}

const bad = (what: string) => new EngineError('BAD_INPUT', what, 'GET /openapi.json');
