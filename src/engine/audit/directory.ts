import type { Json, Opened } from '../../kernel/event.ts';
import type { Protocol } from '../../kernel/protocol.ts';
import { BUILT_IN } from '../../protocols/index.ts';
import { numberOf } from '../display.ts';
import { refOf } from '../protocols.ts';
import type { Findings } from './findings.ts';

/** An item that the log opens. */
export interface Known {
  readonly id: string;
  readonly number: number;
  readonly digest: string;
}

/** The items and protocols of a log, found while it is read. */
export interface Directory {
  readonly items: ReadonlyMap<string, Known>;
  open(id: string, event: Opened, where: string): void;
  adopt(digest: string, protocol: unknown, where: string): void;
  /** The item behind a display id such as T-7. */
  named(display: string): Known | undefined;
  protocol(digest: string): Protocol | undefined;
}

export function directory(findings: Findings): Directory {
  const items = new Map<string, Known>();
  const numbers = new Map<number, string>();
  const protocols = new Map(Object.values(BUILT_IN).map((p) => [refOf(p).digest, p]));
  return {
    items,
    open(id, { number, protocol }, where) {
      const holder = numbers.get(number);
      if (holder !== undefined) findings.broken(where, `its number ${number} belongs to item/${holder}`);
      else numbers.set(number, id);
      items.set(id, { id, number, digest: String(protocol.digest) });
    },
    adopt(digest, given, where) {
      const protocol = given as Protocol;
      if (refOf(protocol).digest !== digest)
        findings.broken(where, 'the protocol does not have the digest under which it was adopted');
      else if (!protocols.has(digest)) protocols.set(digest, protocol);
    },
    named(display) {
      const id = numbers.get(numberOf(display) ?? 0);
      return id === undefined ? undefined : items.get(id);
    },
    protocol: (digest) => protocols.get(digest),
  };
}

/** Ids that the first event names as dependencies; undefined where the log is older than that fact. */
export function dependenciesOf({ facts }: Opened): readonly string[] | undefined {
  const value: Json | undefined = facts.depends_on;
  return Array.isArray(value) ? value.map(String) : undefined;
}
