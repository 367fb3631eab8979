import { must, type Workshop, workshop } from './workshop.ts';

/** A workshop with an item in every state, three agents, refusals, confirmations and an anchored checkpoint. */
export async function busyWorkshop(): Promise<Workshop> {
  const shop = workshop();
  await must(shop, 'init --owner ada');
  await agents(shop);
  await straight(shop);
  await secondAttempt(shop);
  await standing(shop);
  await closing(shop);
  return shop;
}

async function agents(shop: Workshop): Promise<void> {
  for (const [name, role] of [
    ['lead', 'workflow-orchestrator'],
    ['smith', 'specialist'],
    ['judge', 'verification-agent'],
  ]) {
    await must(shop, `actor add ${name} --role ${role}`);
    await must(shop, `token issue ${name}`);
  }
}

/** T-1: done by an agent, verified by another one, completed. */
async function straight(shop: Workshop): Promise<void> {
  await must(shop, 'add "Write the greeting"');
  await must(shop, 'dispatch T-1 --to smith', 0, 'lead');
  await must(shop, 'start T-1', 0, 'smith');
  shop.repo.commit({ 'done.txt': 'yes\n', 'notes.txt': 'as asked\n' }, 'greeting');
  await must(shop, 'complete T-1', 6, 'lead');
  await must(shop, 'claim T-1 --evidence note=notes.txt', 0, 'smith');
  await must(shop, 'verify T-1', 7, 'smith');
  await must(shop, 'verify T-1', 0, 'judge');
  await must(shop, 'complete T-1', 0, 'lead');
}

/** T-2: blocked, then done again and confirmed by a person. */
async function secondAttempt(shop: Workshop): Promise<void> {
  await must(shop, 'add "Be strict" --criteria strict --list two');
  shop.repo.commit({ 'strict.txt': 'no\n' }, 'not yet');
  await must(shop, 'claim T-2', 0, 'smith');
  await must(shop, 'verify T-2', 4, 'judge');
  await must(shop, 'ack T-2');
  await must(shop, 'retry T-2', 0, 'lead');
  shop.repo.commit({ 'strict.txt': 'yes\n' }, 'strict');
  await must(shop, 'claim T-2', 0, 'smith');
  await must(shop, 'verify T-2 --confirm');
  await must(shop, 'complete T-2', 0, 'lead');
}

/** T-3 blocked, T-4 claimed, T-5 pending behind T-4, T-6 dispatched, T-7 claimed after an inconclusive run. */
async function standing(shop: Workshop): Promise<void> {
  await must(shop, 'add "Fail" --criteria strict --list three');
  await must(shop, 'add "Wait for a verdict"');
  await must(shop, 'add "Depend" --depends-on T-4 T-1');
  await must(shop, 'add "Begin"');
  await must(shop, 'add "Be unsure" --criteria unsure');
  shop.repo.commit({ 'strict.txt': 'no\n', 'more.txt': 'x\n' }, 'more');
  await must(shop, 'claim T-3', 0, 'smith');
  await must(shop, 'verify T-3', 4, 'judge');
  await must(shop, 'claim T-4', 0, 'smith');
  await must(shop, 'dispatch T-6 --to smith', 0, 'lead');
  await must(shop, 'claim T-7', 0, 'smith');
  await must(shop, 'verify T-7', 3, 'judge');
}

/** T-8 verified, T-9 rejected by quality and superseded by T-10, T-1 with the regression T-11. */
async function closing(shop: Workshop): Promise<void> {
  await must(shop, 'add "Stay verified"');
  await must(shop, 'add "Please everybody" --quality');
  for (const ref of ['T-8', 'T-9']) {
    shop.repo.commit({ 'more.txt': `${ref}\n` }, 'even more');
    await must(shop, `claim ${ref}`, 0, 'smith');
    await must(shop, `verify ${ref}`, 0, 'judge');
  }
  await must(shop, 'report T-9 --reject --finding ugly');
  await must(shop, 'follow-up T-9 "Please them better"');
  await must(shop, 'follow-up T-1 "Greet again"');
  await must(shop, 'audit checkpoint --anchor');
}
