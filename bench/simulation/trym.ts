import { MUTANTS } from './mutants.ts';
import { play } from './run.ts';
import { PLAYED, scheduleOf } from './schedule.ts';

const only = process.argv[2] ?? '';
for (const m of MUTANTS) {
  if (!m.name.includes(only)) continue;
  const first = PLAYED.indexOf(m.protocol as never);
  let n = 0;
  let hit = 0;
  const others = new Map<string, number>();
  const began = Date.now();
  for (let seed = first; n < 200; seed += PLAYED.length) {
    n++;
    const r = await play(scheduleOf(seed), m.meddling).catch((e) => ({
      broken: { invariant: 'THROWN ' + String(e.stack).slice(0, 300), because: '' },
    }));
    if (r.broken?.invariant === m.invariant) {
      hit = n;
      break;
    }
    if (r.broken)
      others.set(r.broken.invariant + ' ' + r.broken.because, (others.get(r.broken.invariant) ?? 0) + 1);
  }
  console.log(
    hit ? `ok ${hit}` : 'NOT FOUND',
    m.name,
    m.invariant,
    Date.now() - began,
    hit ? '' : [...others].slice(0, 4),
  );
}
