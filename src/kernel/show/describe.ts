import type { Guard } from '../guards/index.ts';
import type { Share } from '../guards/votes.ts';
import type { EvidenceRow, Row } from '../protocol.ts';

/** One short phrase for what a guard demands. */
export function describe(guard: Guard): string {
  switch (guard.guard) {
    case 'apart':
      return guard.bond === 'identity' ? `not the ${guard.from}` : `outside the lineage of the ${guard.from}`;
    case 'same':
      return `is the ${guard.as}`;
    case 'evidence':
      return `${guard.kind} says ${guard.outcome}${guard.apart === '' ? '' : `, given outside the lineage of the ${guard.apart}`}`;
    case 'absent':
      return `no ${guard.kind} on what it is now`;
    case 'votes':
      return typeof guard.of === 'string'
        ? `${quantity(guard.share)} named as ${guard.of} say ${guard.outcome} in their ${guard.kind}`
        : `${quantity(guard.share)} of ${guard.of} ${guard.kind} voices say ${guard.outcome}`;
    case 'members':
      return describeMembers(guard);
    case 'reaches':
      return `this is ${guard.counter} number ${guard.limit}`;
    case 'count':
      return `${guard.counter} at ${guard.atLeast} or more`;
    case 'previous':
      return `came from ${guard.in.join(' or ')}`;
    case 'probe':
      return `${guard.name} in order (looked at now)`;
    case 'team':
      return describeTeam(guard);
    case 'setting':
      return `${guard.name} is ${String(guard.is)}`;
    case 'independent':
      return `${guard.kind} independent enough (${guard.atLeast === '@pinned' ? 'as the item demands' : guard.atLeast})`;
    case 'hats':
      return `no hat that clashes with ${guard.wearing}`;
    case 'not':
      return `not (${describe(guard.of)})`;
    case 'any':
      return guard.of.map(describe).join(', or ');
    case 'when':
      return `if ${describe(guard.if)}: ${describe(guard.require)}`;
  }
}

const quantity = (share: Share) =>
  ({ none: 'none', some: 'at least one', majority: 'more than half', all: 'all' })[share];

function describeMembers({
  group,
  in: states,
  share,
  atLeast,
  on,
}: Extract<Guard, { guard: 'members' }>): string {
  const named = states.map((s) => (s.startsWith('=') ? s.slice(1).toLowerCase() : s)).join(' or ');
  const many = share === 'some' && atLeast > 1 ? `at least ${atLeast}` : quantity(share);
  const size = share !== 'some' && atLeast > 0 ? `, ${atLeast} or more in all` : '';
  return `${many} of ${group} ${named}${size}${on === '' ? '' : `, asked about this ${on}`}`;
}

function describeTeam(guard: Extract<Guard, { guard: 'team' }>): string {
  const { role, atLeast, apart, bond, kind, among = [] } = guard;
  const any = kind === 'agent' ? 'independent agents' : 'independent actors';
  const held = among.length === 0 ? any : `${any} among ${among.join(', ')}`;
  const who = role === '' ? held : `independent holders of ${role}`;
  const but = bond === 'identity' ? `other than the ${apart}` : `outside the lineage of the ${apart}`;
  return `${atLeast} or more ${who}${apart === '' ? '' : ` ${but}`}`;
}

const COUNTS: readonly (readonly [prefix: string, phrase: (counter: string) => string])[] = [
  ['0*', (c) => `${c} back to 0 everywhere`],
  ['0^', (c) => `${c} back to 0 where it came from`],
  ['0', (c) => `${c} back to 0`],
  ['+', (c) => `${c} + 1`],
];

function describeCount(rule: string): string {
  const [prefix, phrase] = COUNTS.find(([p]) => rule.startsWith(p)) ?? ['', (c: string) => c];
  return phrase(rule.slice(prefix.length));
}

function describeRecord(record: string): string {
  const [kind, outcome, subject] = record.split(':');
  return `records ${kind} ${outcome} on the ${subject}`;
}

/** What else happens when a row is taken, in short phrases. */
export function effectsOf(row: Row): readonly string[] {
  return [
    ...(row.override ? ['OVERRIDE, marked for ever'] : []),
    ...(row.attempt ? ['a new attempt: nothing carries over'] : []),
    ...(row.via === '' ? [] : [`via ${row.via}`]),
    ...(row.as === '' ? [] : [`actor becomes ${row.as}`]),
    ...Object.entries(row.names).map(([mark, argument]) => `${mark} = ${argument}`),
    ...(row.verdict ? ['counts as a verdict'] : []),
    ...row.moves.map((subject) => `new ${subject}`),
    ...row.records.map(describeRecord),
    ...row.counts.map(describeCount),
    ...(row.forgets.length === 0 ? [] : [`forgets ${row.forgets.join(', ')}`]),
  ];
}

/** What is special about a kind of evidence, in short phrases. */
export function effectsOfEvidence(row: EvidenceRow): readonly string[] {
  return [
    ...(row.once ? [`once per ${row.on}`] : []),
    ...(row.each ? ['one voice each'] : []),
    ...(row.verdict === '' ? [] : [`${row.verdict} counts as a verdict`]),
    ...(row.as === '' ? [] : [`giver becomes ${row.as}`]),
  ];
}
