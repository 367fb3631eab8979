import { an } from './an.ts';
import { ENGINE_KINDS } from './engine-evidence.ts';
import { guardProblems, marksOf, outcomesOf } from './guard-problems.ts';
import { readsOf } from './leaves.ts';
import {
  CATEGORIES,
  type EvidenceRow,
  expand,
  type Gate,
  type Policy,
  type Protocol,
  type Row,
} from './protocol.ts';

const AUTHORITIES = ['@owner', 'human', 'engine', 'policy'];
const TARGETS = ['@same', '@previous', '@next', '@earlier'];

/**
 * What is wrong with a table before it is played: names that nothing declares, rules that nothing can read,
 * guards that nothing can satisfy. `carried`: marks that policies of other protocols bring along.
 */
export function problemsOf(protocol: Protocol, carried: readonly string[] = []): readonly string[] {
  return [
    ...statesOf(protocol),
    ...protocol.rows.flatMap((row, n) =>
      rowProblems(protocol, row, carried).map((p) => `row ${n + 1} (${nameOf(row)}): ${p}`),
    ),
    ...protocol.evidence.flatMap((row) =>
      evidenceProblems(protocol, row, carried).map((p) => `evidence ${row.kind}: ${p}`),
    ),
    ...protocol.policies.flatMap((policy, n) =>
      policyProblems(protocol, policy).map((p) => `policy ${n + 1}: ${p}`),
    ),
    ...protocol.forbidden.flatMap((f) => [
      ...unknownStates(protocol, f.from).map((p) => `forbidden ${f.command}: ${p}`),
      ...(protocol.rows.some((row) => row.command === f.command) || isNeverPossible(protocol, f)
        ? []
        : [`forbidden ${f.command}: no row has this command`]),
    ]),
    ...guardProblems(protocol, protocol.promises, carried).map((p) => `promises: ${p}`),
    ...guardProblems(protocol, protocol.closed, carried).map((p) => `closed: ${p}`),
    ...protocol.gates.flatMap((gate) => gateProblems(protocol, gate).map((p) => `gate ${gate.in}: ${p}`)),
    ...settingProblems(protocol),
  ];
}

const nameOf = (row: Row) => `${row.from.join(', ')} ${row.command || 'by itself'}`;

function statesOf(protocol: Protocol): readonly string[] {
  const { states, sets, order, initial, roles, subjects } = protocol;
  const known = (name: string) => Object.hasOwn(states, name);
  return [
    ...(known(initial) ? [] : [`the initial state ${initial} is not a state`]),
    ...Object.keys(states)
      .filter((s) => !/^[A-Za-z][\w-]*$/.test(s))
      .map((s) => `${s} cannot be the name of a state`),
    ...repeated(order).map((s) => `order names ${s} twice`),
    ...repeated(roles).map((r) => `role ${r} is declared twice`),
    ...roles
      .filter((r) => AUTHORITIES.includes(r))
      .map((r) => `${r} has a meaning of its own and cannot be a role`),
    ...Object.entries(states).flatMap(([state, { category, owner }]) => [
      ...(CATEGORIES.includes(category)
        ? []
        : [`state ${state} has the unknown category ${String(category)}`]),
      ...(owner === '' || owner === 'human' || roles.includes(owner)
        ? []
        : [`state ${state} is owned by the unknown role ${owner}`]),
    ]),
    ...Object.entries(sets).flatMap(([set, members]) => [
      ...(set.startsWith('*') ? [] : [`the set ${set} must start with *`]),
      ...members.filter((s) => !known(s)).map((s) => `the set ${set} names the unknown state ${s}`),
    ]),
    ...order.filter((s) => !known(s)).map((s) => `order names the unknown state ${s}`),
    ...Object.entries(subjects).flatMap(([name, s]) => [
      ...unknownStates(protocol, s.in).map((p) => `subject ${name}: ${p}`),
      ...unknownRoles(protocol, s.by).map((p) => `subject ${name}: ${p}`),
    ]),
  ];
}

const repeated = (names: readonly string[]) => [
  ...new Set(names.filter((name, n) => names.indexOf(name) !== n)),
];

function unknownStates(protocol: Protocol, names: readonly string[]): readonly string[] {
  return names
    .filter((name) => !Object.hasOwn(name.startsWith('*') ? protocol.sets : protocol.states, name))
    .map((name) => `unknown ${name.startsWith('*') ? 'set' : 'state'} ${name}`);
}

function unknownRoles(protocol: Protocol, by: readonly string[]): readonly string[] {
  return by
    .filter((role) => !protocol.roles.includes(role) && !AUTHORITIES.includes(role))
    .map((role) => `unknown role ${role}`);
}

function rowProblems(protocol: Protocol, row: Row, carried: readonly string[]): readonly string[] {
  return [
    ...(row.from.length === 0 ? ['it leads out of no state'] : []),
    ...(row.by.length === 0 ? ['nobody may take it'] : []),
    ...(row.command === '' || /^[a-z][a-z0-9-]*$/.test(row.command)
      ? []
      : [`${row.command} cannot be a command`]),
    ...unknownStates(protocol, row.from),
    ...(TARGETS.includes(row.to) ? [] : unknownStates(protocol, [row.to])),
    ...(row.via === '' ? [] : unknownStates(protocol, [row.via]).map((p) => `via: ${p}`)),
    ...unknownRoles(protocol, row.by),
    ...ownerless(protocol, row),
    ...Object.values(row.names)
      .filter((a) => !row.takes.includes(a))
      .map((a) => `it names ${a}, which it does not take`),
    ...row.counts.flatMap((rule) => countProblems(protocol, rule)),
    ...row.records.flatMap((record) => recordProblems(protocol, record)),
    ...row.moves
      .filter((s) => !Object.hasOwn(protocol.subjects, s))
      .map((s) => `it moves the unknown subject ${s}`),
    ...row.forgets
      .filter((name) => !forgettable(protocol, name, carried))
      .map((name) => `it forgets ${name}, which nothing remembers`),
    ...(row.command === '' ? byItselfProblems(row) : []),
    ...guardProblems(protocol, row.requires, carried),
  ];
}

function ownerless(protocol: Protocol, row: Row): readonly string[] {
  if (!row.by.includes('@owner')) return [];
  return expand(protocol, row.from)
    .filter((state) => (protocol.states[state]?.owner ?? '') === '')
    .map((state) => `${state} has no owner`);
}

/** Nobody gives the command, so nobody is there to ask the outside, name actors or be remembered. */
function byItselfProblems(row: Row): readonly string[] {
  return [
    ...(row.by.every((role) => role === 'engine')
      ? []
      : ['a row without a command is taken by the engine alone']),
    ...(readsOf(row.requires).probes.length > 0 ? ['a row without a command cannot ask a probe'] : []),
    ...(row.takes.length > 0 ? ['a row without a command takes no arguments'] : []),
    ...(row.via !== '' ? ['a row without a command has no via'] : []),
  ];
}

function countProblems(protocol: Protocol, rule: string): readonly string[] {
  const name = /^(?:\+|0[*^]?)([A-Za-z][\w-]*)$/.exec(rule)?.[1];
  if (name === undefined) return [`${rule} is not a counting rule: +name, 0name, 0^name or 0*name`];
  return !Object.hasOwn(protocol.counters, name) ? [`it counts ${name}, which has no limit declared`] : [];
}

function recordProblems(protocol: Protocol, record: string): readonly string[] {
  const [kind = '', outcome = '', subject = '', ...rest] = record.split(':');
  if ([kind, outcome, subject].includes('') || rest.length > 0)
    return [`${record} is not kind:outcome:subject`];
  if (isOfEngine(protocol, kind)) return [`it records ${an(kind)}, which only the engine finds out`];
  return !Object.hasOwn(protocol.subjects, subject) ? [`it records on the unknown subject ${subject}`] : [];
}

/** Whoever takes a row would write down what the checks found. */
const isOfEngine = ({ evidence }: Protocol, kind: string): boolean =>
  Object.hasOwn(ENGINE_KINDS, kind) || evidence.some((row) => row.kind === kind && row.by.includes('engine'));

function evidenceProblems(
  protocol: Protocol,
  row: EvidenceRow,
  carried: readonly string[],
): readonly string[] {
  return [
    ...(row.outcomes.length === 0 ? ['it has no outcome'] : []),
    ...unknownStates(protocol, row.in),
    ...unknownRoles(protocol, row.by),
    ...(Object.hasOwn(ENGINE_KINDS, row.kind) && row.by.some((role) => role !== 'engine')
      ? ['only the engine finds it out']
      : []),
    ...(!Object.hasOwn(protocol.subjects, row.on) ? [`it stands on the unknown subject ${row.on}`] : []),
    ...(row.verdict === '' || row.outcomes.includes(row.verdict)
      ? []
      : [`its verdict ${row.verdict} is none of its outcomes`]),
    ...(readsOf(row.requires).probes.length > 0 ? ['evidence cannot ask a probe'] : []),
    ...guardProblems(protocol, row.requires, carried),
  ];
}

/** A command may be there to be refused, wherever the item stands; else it is a typing error. */
const isNeverPossible = (protocol: Protocol, { from }: Protocol['forbidden'][number]): boolean =>
  Object.keys(protocol.states).every((state) => expand(protocol, from).includes(state));

function policyProblems(protocol: Protocol, policy: Policy): readonly string[] {
  return [
    ...(policy.enters.length + policy.commands.length === 0 ? ['nothing sets it off'] : []),
    ...policy.enters.filter((s) => s !== '*').flatMap((s) => unknownStates(protocol, [s])),
    ...policy.commands
      .filter((c) => !protocol.rows.some((row) => row.command === c))
      .map((c) => `no row has the command ${c}`),
    ...(policy.note === '' && policy.send === '' ? ['it neither notes nor sends anything'] : []),
    ...(policy.asks === '' || Object.hasOwn(protocol.subjects, policy.asks)
      ? []
      : [`it asks about the unknown subject ${policy.asks}`]),
  ];
}

/** A gate decides by the evidence of the engine alone: its way on has to ask for it. */
function gateProblems(protocol: Protocol, { in: state, pass, fail, role }: Gate): readonly string[] {
  const rowsOf = (command: string) =>
    protocol.rows.filter((row) => row.command === command && expand(protocol, row.from).includes(state));
  const open = rowsOf(pass).filter((row) => !readsOf(row.requires).kinds.includes('proof-pack'));
  const records = protocol.evidence.some(
    (row) => row.kind === 'proof-pack' && expand(protocol, row.in).includes(state),
  );
  return [
    ...unknownStates(protocol, [state]),
    ...(rowsOf(pass).length === 0 ? [`no row ${pass} leads out of it`] : []),
    ...(open.length > 0 ? [`${pass} can be taken without a proof-pack`] : []),
    ...(fail !== '' && rowsOf(fail).length === 0 ? [`no row ${fail} leads out of it`] : []),
    ...(records ? [] : ['no proof-pack can be recorded in it']),
    ...(role === '' || protocol.roles.includes(role) ? [] : [`unknown role ${role}`]),
  ];
}

function settingProblems(protocol: Protocol): readonly string[] {
  return Object.entries(protocol.settings)
    .filter(([, values]) => values.length === 0)
    .map(([name]) => `setting ${name} has no value`);
}

function forgettable(protocol: Protocol, name: string, carried: readonly string[]): boolean {
  return (
    marksOf(protocol, carried).includes(name) ||
    protocol.groups.includes(name) ||
    outcomesOf(protocol, name).length > 0
  );
}
