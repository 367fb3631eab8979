import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eachAtADesk } from './each-desk.ts';
import type { Desk } from './program.ts';

let desk: Desk;
eachAtADesk((opened) => {
  desk = opened;
});

it.each([
  ['a folder', '.'],
  ['something below a file', 'README.md/log.jsonl'],
  ['a name that is too long', `${'x'.repeat(300)}.jsonl`],
])('an export to %s is a usage error', (_, path) => {
  desk.repo.commit({ 'README.md': 'here\n' });
  for (const more of [[], ['--todo']]) {
    const said = desk.say('export', ...more, '--output', join(desk.repo.top, path));
    expect(said).toMatchObject({ code: 2, error: { code: 'BAD_INPUT', hint: 'name a file' } });
  }
  expect(desk.repo.git('status', '--porcelain')).not.toContain('.part');
});
