const KEPT = 64;

/** Remembers the last answers of a function that depends on its text alone: checks of one run ask for the same ones. */
export function recently<T>(answer: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text) ?? answer(text);
    known.delete(text);
    known.set(text, found);
    const [oldest] = known.keys();
    if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
    return found;
  };
}
