import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { must, workshop } from './workshop.ts';

test('a store with imported, unproved work is clean, and that work stays legacy', async () => {
  const shop = workshop();
  try {
    await must(shop, 'init --owner ada');
    const todos = ['pending', 'in_progress', 'completed'].map((status, n) => ({
      id: String(n + 1),
      content: `Old item ${n}`,
      status,
      activeForm: 'Doing',
    }));
    const list = join(shop.repo.top, 'todo.json');
    writeFileSync(list, JSON.stringify(todos));
    await must(shop, `import todo "${list}"`);
    const { out } = await must(shop, 'audit verify');
    expect(out).toContain('3 items');
    expect((await must(shop, 'show T-3')).out).toContain('legacy');
  } finally {
    shop.remove();
  }
});
