import { canonicalize } from '../../src/attestation/canonical.ts';
import { genesis, link } from '../../src/attestation/chain.ts';
import type { ExportEvent } from '../../src/attestation/export-format.ts';

/** Whole numbers from 0 up to a limit, the same for the same seed (mulberry32). */
export function seeded(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

type Random = (limit: number) => number;

export interface Damage {
  readonly name: string;
  /** `other` is a sound export by the same signer of another log. */
  apply(text: string, random: Random, other: string): Buffer;
}

const onLines = (change: (lines: string[], random: Random, other: string) => void): Damage['apply'] => {
  return (text, random, other) => {
    const lines = text.split('\n').slice(0, -1);
    change(lines, random, other);
    return Buffer.from(`${lines.join('\n')}\n`);
  };
};

const eventAt = (lines: readonly string[], at: number): ExportEvent => JSON.parse(lines[at] ?? '');
const eventLines = (lines: readonly string[]) =>
  lines.flatMap((line, at) => (line.includes('"position"') ? [at] : []));
const pick = <T>(list: readonly T[], random: Random): T => {
  const chosen = list[random(list.length)];
  if (chosen === undefined) throw new RangeError('nothing to pick from');
  return chosen;
};
const newBody = ({ command }: ExportEvent) =>
  canonicalize({ command, data: { forged: true }, type: 'verified' });

/** The ways in which the second implementation and the first must come to the same answer. */
export const damages: readonly Damage[] = [
  {
    name: 'a flipped bit',
    apply: (text, random) => {
      const bytes = Buffer.from(text);
      const at = random(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8));
      return bytes;
    },
  },
  {
    name: 'the end cut off',
    apply: (text, random) => Buffer.from(text).subarray(0, random(Buffer.byteLength(text))),
  },
  { name: 'a line deleted', apply: onLines((lines, random) => lines.splice(random(lines.length), 1)) },
  {
    name: 'two lines swapped',
    apply: onLines((lines, random) => {
      const one = random(lines.length - 1);
      const [a = '', b = ''] = [lines[one], lines[one + 1]];
      lines.splice(one, 2, b, a);
    }),
  },
  {
    name: 'a line repeated',
    apply: onLines((lines, random) => {
      const at = random(lines.length);
      lines.splice(random(lines.length + 1), 0, lines[at] ?? '');
    }),
  },
  {
    name: 'a body edited and that event hashed again',
    apply: onLines((lines, random) => {
      const at = pick(eventLines(lines), random);
      const event = eventAt(lines, at);
      const events = eventLines(lines).map((line) => eventAt(lines, line));
      const before = events.find(
        ({ stream, version }) => stream === event.stream && version === event.version - 1,
      );
      const body = newBody(event);
      const hash = link(before?.hash ?? genesis(event.stream), event.stream, event.version, body);
      lines[at] = canonicalize({ ...event, body, hash });
    }),
  },
  {
    name: 'a whole stream chained again without the key',
    apply: onLines((lines, random) => {
      const { stream } = eventAt(lines, pick(eventLines(lines), random));
      let hash = genesis(stream);
      for (const at of eventLines(lines)) {
        const event = eventAt(lines, at);
        if (event.stream !== stream) continue;
        const body = newBody(event);
        hash = link(hash, stream, event.version, body);
        lines[at] = canonicalize({ ...event, body, hash });
      }
    }),
  },
  {
    name: 'the trailer of another export',
    apply: onLines((lines, _, other) => lines.splice(-1, 1, other.trimEnd().split('\n').at(-1) ?? '')),
  },
  {
    name: 'the header edited',
    apply: onLines((lines, random) => {
      const header = JSON.parse(lines[0] ?? '');
      const changes = [
        { events: 1 },
        { streams: 99 },
        { repository: 'other' },
        { keys: [] },
        { createdAt: 'x' },
      ];
      lines[0] = canonicalize({
        ...header,
        ...pick([...changes, { extra: 1 }, { format: 'other/1' }], random),
      });
    }),
  },
  {
    name: 'a member of an event edited',
    apply: onLines((lines, random) => {
      const at = pick(eventLines(lines), random);
      const event = eventAt(lines, at);
      const changes = [
        { position: event.position + 1 },
        { version: 0 },
        { stream: 'x' },
        { command: 'y' },
        { hash: '' },
      ];
      lines[at] = canonicalize({ ...event, ...pick(changes, random) });
    }),
  },
];
