/** A value of unknown shape, asked by path; nothing throws. */
export interface Looked {
  at(...path: readonly (string | number)[]): Looked;
  readonly text: string;
  readonly number: number | undefined;
  readonly list: readonly Looked[];
  is(value: unknown): boolean;
}

/** One line of a stream as JSON; undefined for what is no object, such as a banner or a torn line. */
export function jsonLine(line: string): Looked | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? looked(value) : undefined;
  } catch {
    return undefined;
  }
}

function looked(value: unknown): Looked {
  return {
    at: (...path) => looked(path.reduce<unknown>(inside, value)),
    text: typeof value === 'string' ? value : '',
    number: typeof value === 'number' && Number.isFinite(value) ? value : undefined,
    list: Array.isArray(value) ? value.map(looked) : [],
    is: (other) => value === other,
  };
}

function inside(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string | number, unknown>)[key];
}
