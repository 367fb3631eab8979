/** Does the same to all of them, so many at once; answers in order. Rejects with the first failure. */
export async function atOnce<T, R>(
  list: readonly T[],
  count: number,
  work: (one: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const rest = list.entries();
  const worker = async () => {
    for (const [at, one] of rest) results[at] = await work(one);
  };
  await Promise.all(Array.from({ length: count }, worker));
  return results;
}
