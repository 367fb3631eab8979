import type { Protocol } from '../protocol.ts';
import { arrowsOf } from './arrows.ts';

/** The protocol as a Mermaid `stateDiagram-v2`; rows between the same two states share an arrow. */
export function mermaidOf(protocol: Protocol): string {
  const labels = new Map<string, string[]>();
  for (const { from, to, row } of arrowsOf(protocol)) {
    const key = `${idOf(from)} --> ${idOf(to)}`;
    const label = `${row.command || 'by itself'}${row.override ? ' (override)' : ''}`;
    const known = labels.get(key) ?? [];
    labels.set(key, known.includes(label) ? known : [...known, label]);
  }
  const finals = Object.keys(protocol.states).filter((state) => protocol.states[state]?.final);
  const lines = [
    ...Object.entries(protocol.states).map(
      ([state, { category }]) => `${idOf(state)} : ${state} (${category.toLowerCase()})`,
    ),
    `[*] --> ${idOf(protocol.initial)}`,
    ...[...labels].map(([arrow, names]) => `${arrow} : ${names.join(', ')}`),
    ...finals.map((state) => `${idOf(state)} --> [*]`),
  ];
  return ['stateDiagram-v2', ...lines.map((line) => `  ${line}`), ''].join('\n');
}

/** Mermaid takes letters, digits and underscores, and keeps some words for itself. */
const idOf = (state: string) => `s_${state.replaceAll(/[^A-Za-z0-9_]/g, '_')}`;
