/**
 * Upper end of the two-sided 95 % interval of Clopper and Pearson (1934) for `hits` of `n`: the largest rate under which
 * so few hits still come up in one of forty tries. 1 where nothing was tried. Throws RangeError for what is no count.
 */
export function upperBound(hits: number, n: number, confidence = 0.95): number {
  if (!Number.isInteger(hits) || !Number.isInteger(n) || hits < 0 || hits > n)
    throw new RangeError(`${hits} of ${n} is no count`);
  if (hits === n) return 1;
  const tail = (1 - confidence) / 2;
  let [low, high] = [hits / n, 1];
  for (let step = 0; step < 60; step++) {
    const rate = (low + high) / 2;
    if (atMost(hits, n, rate) > tail) low = rate;
    else high = rate;
  }
  return high;
}

/** Chance of at most `hits` in `n` tries at this rate: the binomial sum, in logarithms so that large n do not vanish. */
export function atMost(hits: number, n: number, rate: number): number {
  if (rate <= 0) return 1;
  if (rate >= 1) return hits >= n ? 1 : 0;
  let term = n * Math.log1p(-rate);
  let sum = Math.exp(term);
  for (let k = 1; k <= hits; k++) {
    term += Math.log((n - k + 1) / k) + Math.log(rate) - Math.log1p(-rate);
    sum += Math.exp(term);
  }
  return Math.min(1, sum);
}
