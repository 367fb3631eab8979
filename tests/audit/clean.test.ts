import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditStore } from '../../src/engine/audit/audit-store.ts';
import { verifyChains } from '../../src/engine/audit/chains.ts';
import { busyWorkshop } from './busy-workshop.ts';
import { must, type Workshop, workshop } from './workshop.ts';

let shop: Workshop;
beforeAll(async () => {
  shop = await busyWorkshop();
});
afterAll(() => shop.remove());

test('an undamaged store with an item in every state is clean', async () => {
  const { code, out } = await shop.cs('audit verify');
  expect(out).toMatch(/^clean\n\d+ events, \d+ streams, 11 items, \d+ checkpoints\n$/);
  expect(code).toBe(0);
});

test('the report as JSON counts what was looked at', async () => {
  const { data, ok } = JSON.parse((await must(shop, 'audit verify --json')).out);
  expect(ok).toBe(true);
  expect(data).toMatchObject({ status: 'clean', findings: [], items: 11, checkpoints: { outside: 1 } });
  expect(data.checkpoints.covered).toBe(data.events);
});

test('what lies behind the last checkpoint, and that none left the store, is said', async () => {
  const fresh = workshop();
  try {
    await must(fresh, 'init --owner ada');
    await must(fresh, 'add "One"');
    const { out, code } = await fresh.cs('audit verify');
    expect(code).toBe(0);
    expect(out).toContain('events lie after the last checkpoint');
    expect(out).toContain('no checkpoint is kept outside the store');
  } finally {
    fresh.remove();
  }
});

test('the chains alone are verified with the root that a checkpoint states', async () => {
  const { ports } = await shop.open();
  try {
    const chains = await verifyChains(ports);
    expect(chains).toMatchObject({ status: 'clean', findings: [], streams: 18 });
    const [newest] = await ports.store.checkpoints(1);
    expect(newest?.note.split('\n')[2]).toBe(Buffer.from(chains.root, 'hex').toString('base64'));
  } finally {
    await ports.store.close();
  }
});

test('an audit beside writers finds nothing that is not there, and checkpoints made at once stay one line', async () => {
  const busy = workshop();
  try {
    await must(busy, 'init --owner ada');
    const write = async (name: string) => {
      for (let n = 0; n < 12; n++) {
        await must(busy, `add "Item ${n} of ${name}" --list ${name}`);
        await must(busy, 'audit checkpoint');
      }
    };
    const look = async () => {
      for (let n = 0; n < 12; n++) {
        const { ports } = await busy.open();
        const report = await auditStore(ports);
        await ports.store.close();
        expect(report.findings).toEqual([]);
      }
    };
    await Promise.all([write('one'), write('two'), look(), look()]);
    await must(busy, 'audit verify');
  } finally {
    busy.remove();
  }
});
