import type { Facts, ItemEvent, Linked, Moved, Noted, Opened } from '../../kernel/event.ts';
import type { Link } from '../../store/store.ts';
import { isClaim, isPass } from '../gates.ts';
import { originOf } from '../migration.ts';
import { linksOfPass } from '../verified-commits.ts';
import { type Directory, dependenciesOf } from './directory.ts';
import type { Findings } from './findings.ts';

/** The links between items, derived from the log alone. */
export interface LinkCheck {
  add(id: string, event: ItemEvent, command: string, where: string): void;
  /** Holds the links of the store against those of the log. */
  compare(stored: readonly Link[], findings: Findings): void;
}

const keyOf = ({ from, kind, to }: Link) => JSON.stringify([from, kind, to]);

export function checkLinks(known: Directory, findings: Findings): LinkCheck {
  const expected = new Set<string>();
  /** Items whose first event does not say what they depend on: their notes do. */
  const unsaid = new Set<string>();
  /** The command in which an item was last told that a dependency was replaced. */
  const replaced = new Map<string, string>();
  const expect = (from: string, kind: string, to: string) => expected.add(keyOf({ from, kind, to }));

  /** Links that the first event of an item says it has to the one whose place it took. */
  const said: { readonly link: Link; readonly where: string }[] = [];

  const opened = (id: string, event: Opened, where: string) => {
    const from = originOf(event);
    if (from !== undefined) said.push({ link: { from: id, kind: 'supersedes', to: from.uuid }, where });
    const ids = dependenciesOf(event);
    if (ids === undefined) unsaid.add(id);
    for (const to of ids ?? []) expect(id, 'depends-on', to);
  };
  const noted = (id: string, { group, member, state }: Noted, command: string, where: string) => {
    if (group !== 'dependencies') return;
    const to = known.named(member)?.id ?? '';
    if (state === '') replaced.set(id, command);
    else if (replaced.get(id) === command || unsaid.has(id)) expect(id, 'depends-on', to);
    else if (!expected.has(keyOf({ from: id, kind: 'depends-on', to })))
      findings.broken(where, `it was told of ${member}, on which it does not depend`);
  };
  const linked = (id: string, { kind, to }: Linked) => {
    // What belongs to a goal or a phase says so itself: no link has to find it.
    if (kind !== 'regression' && kind !== 'superseded-by') return;
    const later = known.named(to)?.id ?? '';
    expect(later, kind === 'regression' ? 'regression-of' : 'supersedes', id);
  };
  /** What an item claimed last; nothing where it claimed that nothing had to change. */
  const claimed = new Map<string, Facts>();
  const moved = (id: string, event: Moved) => {
    if (isClaim(event)) claimed.set(id, event.facts.no_change === true ? {} : event.facts);
    const protocol = known.protocol(known.items.get(id)?.digest ?? '');
    if (protocol === undefined || !isPass(protocol, event)) return;
    for (const { kind, to } of linksOfPass(id, claimed.get(id) ?? {})) expect(id, kind, to);
  };
  return {
    add(id, event, command, where) {
      if (event.type === 'opened') opened(id, event, where);
      if (event.type === 'moved') moved(id, event);
      if (event.type === 'noted') noted(id, event, command, where);
      if (event.type === 'linked') linked(id, event);
    },
    compare(stored, report) {
      for (const { link, where } of said)
        if (!expected.has(keyOf(link)))
          report.broken(where, 'it says that it took the place of an item that says nothing of it');
      const actual = new Set(stored.map(keyOf));
      for (const key of expected)
        if (!actual.has(key)) report.broken('links', `the link ${key} of the log is missing`);
      for (const key of actual)
        if (!expected.has(key)) report.broken('links', `the link ${key} is not in the log`);
    },
  };
}
