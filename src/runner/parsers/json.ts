/** Careful access to parsed JSON: a value of another shape is undefined, never a surprise. */
export type Json = Readonly<Record<string, unknown>>;

/** Undefined when the whole text is not one JSON mapping. */
export function parseMapping(text: string): Json | undefined {
  return asMapping(JSON.parse(text));
}

export const asMapping = (value: unknown): Json | undefined => (isMapping(value) ? value : undefined);

const isMapping = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A list of mappings; undefined when it is no list or one member is no mapping. */
export function asMappings(value: unknown): readonly Json[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items: readonly unknown[] = value;
  return items.every(isMapping) ? items : undefined;
}

export const isText = (value: unknown): value is string => typeof value === 'string';
export const asText = (value: unknown): string | undefined => (isText(value) ? value : undefined);
