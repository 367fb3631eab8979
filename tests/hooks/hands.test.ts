import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { denied, hooksOfASession, nothing } from './hooks-of-a-session.ts';

const h = hooksOfASession();

describe('whose an item is', () => {
  const bash = (command: string) => h.uses('Bash', { command });

  test('what the engine will refuse takes nothing out of another session’s hands', async () => {
    const id = await h.bound('claimed');
    const first = h.session;
    h.session = 'somebody-else';
    for (const command of [`countersign start ${id}`, `countersign claim ${id}`]) bash(command);
    h.uses('mcp__countersign__item_start', { item: id });
    expect(h.stops()).toMatchObject(nothing);
    h.session = first;
    expect(h.stops().said?.reason).toContain(id);
  });

  test('whoever goes on with it has it', async () => {
    const id = await h.bound('in_progress');
    const first = h.session;
    h.session = `next-of-${first}`;
    bash(`countersign claim ${id}`);
    expect(h.stops().said?.reason).toContain(id);
    h.session = first;
    expect(h.stops()).toMatchObject(nothing);
  });

  test('whoever only looks has nothing', async () => {
    const id = await h.bring('claimed');
    const looks = [
      `log ${id} --event claim`,
      `proof verify ${id}`,
      `show ${id} | grep verify`,
      `list --claim ${id}`,
    ];
    for (const look of looks) expect(bash(`countersign ${look}`)).toMatchObject(nothing);
    expect(h.stops()).toMatchObject(nothing);
  });

  test.each([
    'timeout 60 countersign claim ID',
    'if countersign claim ID; then echo ok; fi',
    '{ countersign claim ID; }',
    '! countersign claim ID',
    'for i in 1; do countersign claim ID; done',
    'bash -c "countersign claim ID"',
    'sh -ec "cd . && npx countersign claim ID"',
    "eval 'countersign claim ID'",
    'env A=b nice -n 5 countersign claim ID',
    'echo ID | xargs -n 1 countersign claim',
    'bash <<EOF\ncountersign claim ID\nEOF',
    'node ./node_modules/countersign/dist/bin/countersign.cjs claim NUMBER',
    'countersign claim NUMBER',
  ])('an item is known in: %s', async (line) => {
    const id = await h.bring('claimed');
    bash(line.replace('ID', id).replace('NUMBER', id.slice(2)));
    expect(h.stops().said?.reason).toContain(id);
  });
});

describe('where the commands of a session stand by now', () => {
  test('in a repository within the project, the project is guarded as before', async () => {
    const id = await h.bound('claimed');
    const inner = join(h.s.repo.top, `inner-${h.turn}`);
    mkdirSync(inner);
    execFileSync('git', ['init', '-q', inner]);
    for (const cwd of [inner, tmpdir()]) {
      const env = { CLAUDE_PROJECT_DIR: h.s.repo.top };
      const stop = { hook_event_name: 'Stop', stop_hook_active: false, cwd };
      expect(h.fire(stop, { env }).said?.reason).toContain(id);
      const file_path = join(h.s.repo.top, '.git/countersign/x');
      const write = { hook_event_name: 'PreToolUse', tool_name: 'Write', tool_input: { file_path }, cwd };
      expect(denied(h.fire(write, { env }))).toContain('written by Countersign alone');
    }
    rmSync(inner, { recursive: true });
  });
});
