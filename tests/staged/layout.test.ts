import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { todoNames } from '../../src/engine/staged/todo-entry.ts';
import { eachAtADesk } from '../cli/each-desk.ts';
import { type Desk, emptyDesk } from '../cli/program.ts';

let desk: Desk;
eachAtADesk((own) => {
  desk = own;
}, emptyDesk);

const SCRIPT = '.claude/hooks/verify-requirements-exit.sh';
const LOCK = 'tasks/main/task.json';
const main = (path: string) => join(desk.repo.top, path);
const root = (path: string) => join(desk.repo.root, path);
const init = () => desk.run('init', '--owner', 'ada', '--with', 'claude-code', '--yes');
const configured = (text: string, files: Readonly<Record<string, string>> = {}) =>
  desk.repo.commit({ 'README.md': '# It\n', '.countersign/config.yaml': text, ...files });
const STAGED = 'protocol: staged\nstaged: {preset: seed-002}\n';

describe('what init makes for tasks in stages', () => {
  test('PROTO-303: the list in the main working tree, the folder of hook scripts, and the lock of main as soon as it is held', () => {
    configured(STAGED);
    expect(init()).toMatchObject({ code: 0, out: expect.stringContaining('todo.md') });
    for (const path of ['todo.md', SCRIPT, '.claude/settings.local.json'])
      expect([path, existsSync(main(path))]).toEqual([path, true]);
    // It says what an entry needs, and is no task itself.
    expect(readFileSync(main('todo.md'), 'utf8')).toContain('Purpose, Scope, Components');
    expect(todoNames(readFileSync(main('todo.md'), 'utf8'))).toEqual([]);
    expect(desk.run('--actor', 'builder', 'task', 'list').code).toBe(0);

    expect(existsSync(root(LOCK))).toBe(false);
    const lease = (what: string) => desk.run('--actor', 'builder', 'lease', '--session', 's-1', what, 'main');
    expect(lease('take')).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(root(LOCK), 'utf8'))).toMatchObject({
      ...{ session_id: 's-1', task_name: 'main-worktree-operation', state: 'IN_PROGRESS' },
    });
    expect(lease('release')).toMatchObject({ code: 0 });
    expect(existsSync(root(LOCK))).toBe(false);
    // The folder of locks of old is nobody's any more.
    expect(existsSync(root('locks'))).toBe(false);
  });

  test('PROTO-303: the script starts this program from wherever it is called, and belongs to the installation', () => {
    configured(STAGED);
    init();
    const run = spawnSync('sh', [main(SCRIPT), 'no-such-task'], {
      cwd: desk.repo.root,
      env: { PATH: process.env.PATH, HOME: desk.repo.root, COUNTERSIGN_SESSION: 's-1' },
      encoding: 'utf8',
    });
    expect(run.stderr).toContain('is not inside a git repository');
    expect(run.status).not.toBe(127);
    const told = desk.run('doctor').out;
    expect(told).toContain('hooks present, armed and current');
    const text = readFileSync(main(SCRIPT), 'utf8');
    writeFileSync(main(SCRIPT), `${text}# more\n`);
    expect(desk.run('doctor').out).toContain(`${SCRIPT} are not as this version writes them`);
    expect(init().code).toBe(0);
    expect(readFileSync(main(SCRIPT), 'utf8')).toBe(text);
    expect(desk.run('uninstall', '--yes')).toMatchObject({ code: 0 });
    expect(existsSync(main('.claude'))).toBe(false);
    expect(existsSync(main('todo.md'))).toBe(true);
  });

  test('PROTO-303: what is there already is kept', () => {
    configured(STAGED, { 'todo.md': '# Ours\n' });
    mkdirSync(main('.claude/hooks'), { recursive: true });
    writeFileSync(main(SCRIPT), '#!/bin/sh\nexit 0\n');
    expect(init()).toMatchObject({ code: 2, err: expect.stringContaining('a script of that name') });
    writeFileSync(main(SCRIPT), '#!/bin/sh\n# Written by countersign init.\n');
    expect(init().code).toBe(0);
    expect(readFileSync(main('todo.md'), 'utf8')).toBe('# Ours\n');
  });

  test('PROTO-303: a project with another protocol has neither the list nor the script', () => {
    configured('protocol: two-phase\n');
    expect(init().code).toBe(0);
    for (const path of ['todo.md', SCRIPT]) expect([path, existsSync(main(path))]).toEqual([path, false]);
  });
});
