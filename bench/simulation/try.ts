import { play } from './run.ts';
import { scheduleOf } from './schedule.ts';

const [from = '1', to = '20', show = ''] = process.argv.slice(2);
const began = Date.now();
let events = 0;
const total = { done: 0, refused: 0, failed: 0 };
const reached = new Map<string, number>();
const states = new Map<string, number>();
let bad = 0;
for (let seed = Number(from); seed <= Number(to); seed++) {
  const r = await play(scheduleOf(seed));
  events += r.events;
  for (const x of new Set(r.reached)) reached.set(x, (reached.get(x) ?? 0) + 1);
  for (const k of ['done', 'refused', 'failed'] as const) total[k] += r.answers[k];
  if (show === 'story') console.log(r.story.join('\n'));
  for (const line of r.story) {
    const m = /: done (\S+) .*\((\S+), (\S+)\)/.exec(line);
    if (m) states.set(`${m[2]} ${m[3]} ${m[1]}`, (states.get(`${m[2]} ${m[3]} ${m[1]}`) ?? 0) + 1);
    const e = /failed .*?((?:Type|Range|Reference|Syntax)Error.*)/.exec(line);
    if (e) states.set(`!! ${e[1]}`, (states.get(`!! ${e[1]}`) ?? 0) + 1);
  }
  if (r.broken) {
    bad++;
    console.log(seed, r.schedule.protocols.join('+'), r.broken.step, r.broken.invariant, r.broken.because);
  }
}
if (show === 'states') for (const [k, v] of [...states].sort()) console.log(v, k);
console.log({ ms: (Date.now() - began) / (Number(to) - Number(from) + 1), events, ...total, bad });

if (show === 'reached')
  console.log(
    [...reached]
      .sort()
      .map(([k, v]) => `${v} ${k}`)
      .join('; '),
  );
