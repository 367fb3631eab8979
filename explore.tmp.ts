import { checkProtocol } from './src/kernel/check/check.ts';
import { problemsOf } from './src/kernel/problems.ts';
import { phaseWithReview } from './src/protocols/setups.ts';
for (const s of Object.values(phaseWithReview.streams)) console.log(s.protocol.name, problemsOf(s.protocol as never));
for (const roster of (process.argv[2] ?? 'peers,one-root,free-for-all,pair,solo').split(',')) {
  const t = Date.now();
  const r = checkProtocol(phaseWithReview, { rosters: [roster as never], settings: 'defaults' });
  console.log(roster, r.states, r.edges, r.cut, Date.now() - t, JSON.stringify(r.findings.slice(0, 12), null, 1).slice(0, 5000));
}
