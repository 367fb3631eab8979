/** What the record itself holds: a name may come from anybody, and be one that every object inherits. */
export function own<T>(record: { readonly [name: string]: T }, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
