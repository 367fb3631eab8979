import { expect, test } from 'vitest';
import type { Facts } from '../kernel/event.ts';
import { type Step, UNOPENED } from '../kernel/work-item.ts';
import { goalTask } from '../protocols/goal-task.ts';
import { baseFor, leftBase } from './base.ts';
import type { Handle } from './handle.ts';

const step = (command: string, facts: Facts = {}, more: Partial<Step> = {}): Step => ({
  ...{ command, from: 'in_progress', to: 'in_progress', by: 'ben', at: '', attempt: 1, reason: '' },
  ...{ arguments: {}, facts, override: false, ...more },
});
const began = step('start', { base: 'm0' });
const claimed = (base: string, more: Facts = {}) =>
  step('submit', { commit: 'w1', tree: 't1', base, criteria: null, ...more });
const passed = step('verify', {}, { from: 'completed', to: 'verified' });
const reopened = step('reopen', { default_head: 'w1' }, { from: 'verified' });
const early = step('reopen', {}, { from: 'review' });
const item = (steps: readonly Step[], facts: Facts = {}): Handle => ({
  ...{ id: 'i', display: 'T-1', protocol: goalTask, item: { ...UNOPENED, steps, facts } },
});
const taken = { migrated_from: { item: 'T-0', base: 'm0' } };

test.each([
  ['nothing that nobody began', [step('assign')], ''],
  ['where it was started', [began], 'm0'],
  ['where what it claimed began', [claimed('m1')], 'm1'],
  ['the same on the side of the default branch', [claimed('w0', { branch_base: 'm1' })], 'm1'],
  ['where it was started, for a claim of no change', [began, claimed('m1', { no_change: true })], 'm0'],
  ['where what passed began', [began, claimed('m1'), passed], 'm1'],
  ['nothing of what was begun and given back', [began, step('release')], ''],
  ['what passed, and was reopened before it was verified', [claimed('m1'), passed, early], 'm1'],
  ['nothing of what was reopened', [began, claimed('m1'), passed, reopened], ''],
  ['what was claimed since', [claimed('m1'), passed, reopened, claimed('w1')], 'w1'],
])('who takes the place of an item takes up %s', (_, steps, base) => {
  expect(leftBase(item(steps))).toBe(base);
});

test('what took the place of another takes up its work until it is reopened, on the default branch', () => {
  const ports = { git: { isAncestor: () => true } } as unknown as Parameters<typeof baseFor>[0];
  const base = (steps: readonly Step[]) =>
    baseFor(ports, item(steps, taken), { base: 'w1', commit: 'w1' }, false).compared;
  expect(base([step('assign', { default_head: 'w1' })])).toBe('m0');
  expect(base([claimed('m0'), passed, reopened])).toBe('w1');
  expect(leftBase(item([], taken))).toBe('m0');
  expect(leftBase(item([claimed('m0'), passed, reopened], taken))).toBe('');
});
