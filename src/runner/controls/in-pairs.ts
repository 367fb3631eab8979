/** Does the work two at a time, in order: as many programs at once as a small machine carries. Answers in order. */
export async function inPairs<T>(work: readonly (() => Promise<T>)[]): Promise<readonly T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < work.length; at = next++) {
      const job = work[at];
      if (job !== undefined) results[at] = await job();
    }
  };
  await Promise.all([worker(), worker()]);
  return results;
}
