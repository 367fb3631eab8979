import { describe, expectTypeOf, it } from 'vitest';
import { defineProtocol } from './define-protocol.ts';
import type { Protocol } from './protocol.ts';

const states = { open: { category: 'QUEUED' }, shut: { category: 'CLOSED', final: true } } as const;
const base = { name: 'door', roles: ['porter'], initial: 'open', states } as const;
const shut = { from: 'open', command: 'shut', to: 'shut', by: 'porter' } as const;

describe('defineProtocol', () => {
  it('gives a protocol', () => {
    expectTypeOf(defineProtocol({ ...base, rows: [shut] })).toEqualTypeOf<Protocol>();
  });

  it('takes the words with a meaning of their own', () => {
    defineProtocol({ ...base, rows: [{ ...shut, by: ['@owner', 'human', 'engine', 'policy'] }] });
    defineProtocol({ ...base, rows: [{ ...shut, from: '*all', to: '@previous' }] });
  });

  it('refuses names that are not declared', () => {
    // @ts-expect-error ajar is not a state
    defineProtocol({ ...base, rows: [{ ...shut, to: 'ajar' }] });
    // @ts-expect-error ajar is not a state
    defineProtocol({ ...base, rows: [{ ...shut, from: ['open', 'ajar'] }] });
    // @ts-expect-error ajar is not a state
    defineProtocol({ ...base, rows: [{ ...shut, via: 'ajar' }] });
    // @ts-expect-error nobody is a burglar
    defineProtocol({ ...base, rows: [{ ...shut, by: 'burglar' }] });
    // @ts-expect-error ajar is not a state
    defineProtocol({ ...base, initial: 'ajar', rows: [shut] });
    // @ts-expect-error ajar is not a state, also where it is told later
    defineProtocol(() => ({ ...base, rows: [{ ...shut, to: 'ajar' }] }));
    // @ts-expect-error nobody is a burglar
    defineProtocol(() => ({ ...base, rows: [{ ...shut, by: 'burglar' }] }));
    // @ts-expect-error LOCKED is not a category
    defineProtocol({ ...base, states: { open: { category: 'LOCKED' } }, rows: [] });
  });

  it('refuses evidence that names what is not declared', () => {
    const seen = { kind: 'seen', outcomes: ['yes'], on: 'door', in: 'open', by: 'porter' } as const;
    defineProtocol({ ...base, rows: [shut], evidence: [seen] });
    // @ts-expect-error ajar is not a state
    defineProtocol({ ...base, rows: [shut], evidence: [{ ...seen, in: 'ajar' }] });
    // @ts-expect-error nobody is a burglar
    defineProtocol({ ...base, rows: [shut], evidence: [{ ...seen, by: 'burglar' }] });
  });
});
