import { an } from '../an.ts';
import { isPassing } from '../engine-evidence.ts';
import type { EvidenceGuard } from '../guards/evidence.ts';
import type { Guard } from '../guards/index.ts';
import { expand, type Protocol } from '../protocol.ts';
import type { Findings } from './report.ts';

/** What the table shows without being played. */
export function judgeTable(protocol: Protocol, findings: Findings) {
  finalStates(protocol, findings);
  falseNames(protocol, findings);
  beginsDone(protocol, findings);
  onFailures(protocol, findings);
  overrides(protocol, findings);
  roles(protocol, findings);
}

function finalStates(protocol: Protocol, findings: Findings) {
  for (const row of protocol.rows) {
    for (const state of expand(protocol, row.from)) {
      if (!protocol.states[state]?.final) continue;
      const command = row.command || 'a row without a command';
      findings.add('final-left', `${command} leads from ${state} to ${row.to}, but ${state} is final`, {
        path: () => [`(table): ${command} from ${state}`],
        roster: '',
      });
    }
  }
}

const VERIFIED = /^verified$/i;
const SETTLED: readonly string[] = ['ACCEPTED', 'CONFIRMED', 'CLOSED'];

/** What reads as done has to be marked as a success: only of those is proved that a verdict came before. */
function falseNames({ states, rows }: Protocol, findings: Findings) {
  for (const [name, { category, final, success }] of Object.entries(states)) {
    const reads = (final && SETTLED.includes(category)) || (VERIFIED.test(name) && category !== 'CONFIRMED');
    if (!reads || success) continue;
    const into = rows.find((row) => row.to === name);
    findings.add(
      'verdict',
      `${name} reads as done, and is not marked as a success that needs a verdict: mark it, or give it another name and category`,
      { path: () => [`(table): ${into?.command || 'by itself'} to ${name}`], roster: '' },
    );
  }
}

/** Nobody has done anything, nor looked at it, where an item begins. */
function beginsDone({ states, initial }: Protocol, findings: Findings) {
  const state = states[initial];
  if (!state?.success && !SETTLED.includes(state?.category ?? '')) return;
  findings.add('verdict', `${initial} reads as done, and every item begins there`, {
    path: () => [`(table): begins as ${initial}`],
    roster: '',
  });
}

/** What the engine found is asked for on the way of a verdict, and it says that the work did not pass. */
function onFailures({ rows }: Protocol, findings: Findings) {
  for (const row of rows.filter(({ verdict }) => verdict))
    for (const { kind, outcome } of askedIn(row.requires).filter(
      (asked) => !isPassing(asked.kind, asked.outcome),
    ))
      findings.add(
        'verdict',
        `${row.command} counts as a verdict and asks for ${an(kind)} saying ${outcome}`,
        {
          path: () => [`(table): ${row.command} to ${row.to}`],
          roster: '',
        },
      );
}

/** Evidence that has to be there, or may stand for what has to be. */
const askedIn = (guards: readonly Guard[]): readonly EvidenceGuard[] =>
  guards.flatMap((guard) => {
    if (guard.guard === 'any') return askedIn(guard.of);
    if (guard.guard === 'when') return askedIn([guard.require]);
    return guard.guard === 'evidence' ? [guard] : [];
  });

/** An override has a name, and belongs to people or to an authority that never does the work itself. */
function overrides(protocol: Protocol, findings: Findings) {
  const working = protocol.rows.filter((row) => row.as === 'builder').flatMap((row) => row.by);
  const barred = ['engine', 'policy', '@owner', ...working];
  for (const row of protocol.rows.filter((r) => r.override)) {
    const name = row.command || 'a row without a command';
    const at = { path: () => [`(table): ${name} from ${row.from.join(', ')}`], roster: '' };
    if (row.command === '') findings.add('override', `an override to ${row.to} has no command`, at);
    const wrong = row.by.filter((role) => role !== 'human' && barred.includes(role));
    if (wrong.length > 0)
      findings.add('override', `${name} to ${row.to} is an override that ${wrong.join(', ')} may take`, at);
  }
}

function roles(protocol: Protocol, findings: Findings) {
  const owners = Object.values(protocol.states).map((state) => state.owner);
  const used = new Set([
    ...owners,
    ...protocol.openers,
    ...protocol.rows.flatMap((row) => row.by),
    ...protocol.evidence.flatMap((row) => row.by),
    ...Object.values(protocol.subjects).flatMap((subject) => subject.by),
  ]);
  for (const role of protocol.roles) {
    if (!used.has(role)) findings.add('unused-role', `nothing in ${protocol.name} is done by ${role}`);
  }
}

/** Rows, kinds of evidence and states that no exploration met. */
export function judgeReach(protocol: Protocol, reached: ReadonlySet<string>, findings: Findings) {
  protocol.rows.forEach((row, n) => {
    if (reached.has(`row ${n}`)) return;
    findings.add(
      'unreachable-row',
      `${row.from.join(', ')} ${row.command || '(by itself)'} ${row.to} is never taken`,
    );
  });
  protocol.evidence.forEach((row, n) => {
    if (!reached.has(`evidence ${n}`)) {
      findings.add('unreachable-evidence', `${row.kind} by ${row.by.join(', ')} is never recorded`);
    }
  });
  for (const state of Object.keys(protocol.states)) {
    if (!reached.has(`state ${state}`)) findings.add('unreachable-state', `${state} is never entered`);
  }
}
