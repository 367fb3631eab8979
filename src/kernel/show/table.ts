import type { Policy, Protocol } from '../protocol.ts';
import { describe, effectsOf, effectsOfEvidence } from './describe.ts';

/** The protocol as Markdown tables: rows, states, evidence, what is forbidden and what others are told. */
export function tableOf(protocol: Protocol): string {
  const { name, version, meaning, roles, independence, promises, closed } = protocol;
  return [
    `# ${name} ${version}`,
    ...(meaning === '' ? [] : [`${meaning}.`]),
    `Roles: ${roles.join(', ')}. Least independence of a verdict: ${independence}.`,
    '## Rows',
    'Tried in this order; the first whose gate is open decides. What is not listed is refused.',
    rowsTable(protocol),
    '## States',
    statesTable(protocol),
    ...section('Evidence', protocol.evidence, () => evidenceTable(protocol)),
    ...section('Forbidden', protocol.forbidden, () => forbiddenTable(protocol)),
    ...section('Settings', Object.keys(protocol.settings), () => settingsTable(protocol)),
    ...section('Counters', Object.keys(protocol.counters), () => countersTable(protocol)),
    ...section('Told to others', protocol.policies, () => policiesTable(protocol)),
    ...section('Promised at every success', promises, () => bullets(promises.map(describe))),
    ...section('Counts as closed when', closed, () => bullets(closed.map(describe))),
  ]
    .join('\n\n')
    .concat('\n');
}

function section(title: string, content: readonly unknown[], body: () => string): readonly string[] {
  return content.length === 0 ? [] : [`## ${title}`, body()];
}

const bullets = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join('\n');

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((c) => c.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), `|${heads.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

const joined = (parts: readonly string[]) => parts.join('; ');

/** States as written; a set with what it stands for. */
function named(protocol: Protocol, names: readonly string[]): string {
  return names
    .map((n) => (n.startsWith('*') ? `${n.slice(1)} (${(protocol.sets[n] ?? []).join(', ')})` : n))
    .join(', ');
}

function rowsTable(protocol: Protocol): string {
  return table(
    ['from', 'command', 'to', 'by', 'requires', 'effects'],
    protocol.rows.map((row) => [
      named(protocol, row.from),
      row.command === '' ? '(by itself)' : [row.command, ...row.takes.map((name) => `{${name}}`)].join(' '),
      row.to.startsWith('@') ? row.to : named(protocol, [row.to]),
      row.by.join(', '),
      joined(row.requires.map(describe)),
      joined(effectsOf(row)),
    ]),
  );
}

function statesTable(protocol: Protocol): string {
  return table(
    ['state', 'category', 'owner', 'meaning', ''],
    Object.entries(protocol.states).map(([state, s]) => [
      state,
      s.category,
      s.owner,
      s.meaning,
      joined([
        ...(state === protocol.initial ? ['first'] : []),
        ...(s.success ? ['success'] : []),
        ...(s.final ? ['final'] : []),
        ...(s.allowance > 0 ? [`${s.allowance} min`] : []),
      ]),
    ]),
  );
}

function evidenceTable(protocol: Protocol): string {
  return table(
    ['evidence', 'outcomes', 'by', 'in', 'on', 'requires', 'effects'],
    protocol.evidence.map((row) => [
      row.kind,
      row.outcomes.join(', '),
      row.by.join(', '),
      named(protocol, row.in),
      row.on,
      joined(row.requires.map(describe)),
      joined(effectsOfEvidence(row)),
    ]),
  );
}

function forbiddenTable(protocol: Protocol): string {
  return table(
    ['from', 'command', 'because', 'instead'],
    protocol.forbidden.map((f) => [named(protocol, f.from), f.command, f.because, f.instead]),
  );
}

function settingsTable(protocol: Protocol): string {
  return table(
    ['setting', 'values, the default first'],
    Object.entries(protocol.settings).map(([name, values]) => [name, values.map(String).join(', ')]),
  );
}

function countersTable(protocol: Protocol): string {
  return table(
    ['counter', 'kept per', 'limit'],
    Object.entries(protocol.counters).map(([name, c]) => [name, c.per, String(c.limit)]),
  );
}

function policiesTable(protocol: Protocol): string {
  const effects = (policy: Policy) => [
    ...(policy.note === '' ? [] : [`noted under ${policy.note}`]),
    ...(policy.carry.length === 0 ? [] : [`with ${policy.carry.join(', ')}`]),
    ...(policy.asks === '' ? [] : [`about this ${policy.asks}`]),
    ...(policy.moves.length === 0 ? [] : [`moves ${policy.moves.join(', ')} there`]),
    ...(policy.send === '' ? [] : [`sends ${policy.send}`]),
  ];
  return table(
    ['when', 'tells', 'effects'],
    protocol.policies.map((policy) => [
      joined([
        ...policy.enters.map((state) => (state === '*' ? 'any move' : `enters ${state}`)),
        ...policy.commands.map((command) => `${command} is taken`),
      ]),
      policy.tell,
      joined(effects(policy)),
    ]),
  );
}
