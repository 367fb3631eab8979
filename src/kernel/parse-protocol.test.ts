import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goal, goalTask } from '../../tests/fixtures/protocols/goals.ts';
import { lifecycle } from '../../tests/fixtures/protocols/lifecycle.ts';
import { staged } from '../../tests/fixtures/protocols/staged.ts';
import { BUILT_IN } from '../protocols/index.ts';
import { reviewer } from '../protocols/reviewer.ts';
import { GUARD_NAMES } from './guards/index.ts';
import { parseProtocol } from './parse-protocol.ts';
import { CATEGORIES, type Protocol } from './protocol.ts';

const written = (protocol: Protocol): unknown => JSON.parse(JSON.stringify(protocol));
const problems = (value: unknown) => {
  const result = parseProtocol(value);
  return result.ok ? [] : result.problems;
};
const door = {
  name: 'door',
  roles: ['porter'],
  initial: 'open',
  states: { open: { category: 'QUEUED' }, shut: { category: 'CLOSED', final: true } },
  subjects: { door: {} },
  rows: [{ from: 'open', command: 'shut', to: 'shut', by: 'porter' }],
};
const withRow = (row: object) => ({ ...door, rows: [{ ...door.rows[0], ...row }] });

describe('parseProtocol', () => {
  it.each([...Object.values(BUILT_IN), lifecycle, staged, goalTask, goal].map((p) => [p.name, p] as const))(
    '%s survives being written as JSON and read again',
    (_, protocol) => {
      expect(parseProtocol(written(protocol), ['builder', 'approver'])).toEqual({ ok: true, protocol });
    },
  );

  it('marks that only another protocol brings along are unknown here', () => {
    expect(problems(written(goal))).toEqual([expect.stringContaining('unknown mark builder')]);
    expect(problems(written(reviewer))).not.toEqual([]);
  });

  it('fills in what the short form leaves out, in guards as well', () => {
    const result = parseProtocol(withRow({ requires: [{ guard: 'team', atLeast: 2 }] }));
    expect(result).toMatchObject({ ok: true, protocol: { version: '1.0.0', independence: 'automated' } });
    if (!result.ok) return;
    expect(result.protocol.rows[0]).toMatchObject({ from: ['open'], by: ['porter'], override: false });
    expect(result.protocol.rows[0]?.requires).toEqual([
      { guard: 'team', atLeast: 2, role: '', apart: '', bond: 'lineage', kind: 'any' },
    ]);
  });

  it.each([
    ['not an object', 7, 'protocol: an object expected'],
    ['no rows', { ...door, rows: undefined }, 'protocol.rows: a list expected'],
    ['a field that nobody knows', { ...door, colour: 'red' }, 'nobody knows the field colour'],
    [
      'a row without a target',
      { ...door, rows: [{ from: 'open', command: 'shut', by: 'porter' }] },
      'rows[0]: to is missing',
    ],
    ['a list in a list', withRow({ from: [['open']] }), 'rows[0].from[0]: a text that is not empty'],
    ['a flag that is a word', withRow({ override: 'yes' }), 'override: true or false expected'],
    [
      'a limit below nothing',
      { ...door, counters: { c: { per: 'item', limit: -1 } } },
      'limit: a whole number',
    ],
    ['a guard of another sort', withRow({ requires: [{ guard: 'magic' }] }), 'unknown guard magic'],
    [
      'a guard that inherits its name',
      withRow({ requires: [{ guard: 'toString' }] }),
      'unknown guard toString',
    ],
    [
      'a guard inside a guard',
      withRow({ requires: [{ guard: 'not', of: { guard: 'magic' } }] }),
      'unknown guard magic',
    ],
    ['a guard with a slip', withRow({ requires: [{ guard: 'same', is: 'x' }] }), 'as is missing'],
  ])('refuses %s', (_, value, says) => {
    expect(problems(value).join('\n')).toContain(says);
  });

  it('never throws, whatever it is given', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(parseProtocol(value).ok).toBe(false);
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(door)), fc.jsonValue(), (field, value) => {
        parseProtocol({ ...door, [field]: value });
      }),
    );
  });
});

describe('the published schema', () => {
  const schema = JSON.parse(
    readFileSync(new URL('../../docs/formats/protocol.schema.json', import.meta.url), 'utf8'),
  );

  it('knows the same guards, categories and fields as the parser', () => {
    const guards = schema.$defs.guard.oneOf.map(
      (g: { properties: { guard: { const: string } } }) => g.properties.guard.const,
    );
    expect(new Set(guards)).toEqual(new Set(GUARD_NAMES));
    expect(schema.$defs.state.properties.category.enum).toEqual(CATEGORIES);
    const [built] = Object.values(BUILT_IN);
    expect(new Set(Object.keys(schema.properties))).toEqual(
      new Set(['$schema', ...Object.keys(built ?? {})]),
    );
    for (const [part, field] of [
      ['row', 'rows'],
      ['evidence', 'evidence'],
      ['policy', 'policies'],
    ] as const) {
      expect(new Set(Object.keys(schema.$defs[part].properties))).toEqual(
        new Set(Object.keys(built?.[field][0] ?? {})),
      );
    }
  });

  it('asks for what the parser asks for', () => {
    for (const field of schema.required as string[]) {
      const { [field]: _, ...rest } = door as Record<string, unknown>;
      expect(problems(rest).join()).toContain(`${field} is missing`);
    }
  });
});
