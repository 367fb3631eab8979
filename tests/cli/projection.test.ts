import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { buildProgram, CONFIG, CRITERIA, type Desk, openDesk, type Program } from './program.ts';

let program: Program;
let desk: Desk;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program.remove());
afterEach(() => desk.remove());

const TODO = '.orchestration/todo.json';
const PACKS = '.orchestration/proofpacks';
const PROJECTED = `${CONFIG}projections: {todo: ${TODO}, proofpacks: ${PACKS}}\n`;

beforeEach(() => {
  desk = openDesk(program, { '.countersign/config.yaml': PROJECTED, '.gitignore': '.orchestration/\n' });
});

const pathOf = (path: string) => join(desk.repo.top, path);
const text = () => readFileSync(pathOf(TODO), 'utf8');
const todos = () => JSON.parse(text()) as { id: string; status: string; content: string }[];

function claimed(): void {
  desk.run('add', 'Implement login screen');
  desk.repo.commit({ 'work.txt': 'done\n' });
  desk.run('claim', 'T-1');
}

it('keeps the todo list and copies of the proof packs after each change', () => {
  desk.run('add', 'Implement login screen');
  expect(todos()).toMatchObject([{ id: 'T-1', status: 'pending' }]);
  desk.repo.commit({ 'work.txt': 'done\n' });
  desk.run('claim', 'T-1');
  expect(todos()).toMatchObject([{ status: 'claimed', phase: 'verification', claimed_by: 'ada' }]);
  const { proofpack } = desk.say('verify', 'T-1').data;
  const [copy = ''] = readdirSync(pathOf(PACKS));
  expect(String(proofpack)).toContain(copy);
  expect(readFileSync(join(pathOf(PACKS), copy))).toEqual(readFileSync(pathOf(String(proofpack))));
});

it('2PC-28, share of the file edit: completed written into the file of a claimed item is detected, never believed', () => {
  claimed();
  const edited = text().replace('"status": "claimed"', '"status": "completed"');
  expect(edited).not.toBe(text());
  desk.repo.write(TODO, edited);
  const told = desk.run('next');
  expect(told.code).toBe(0);
  expect(told.err).toContain(`${TODO} was changed outside of Countersign`);
  expect(desk.say('show', 'T-1').data.status).toBe('claimed');
  expect(todos()).toMatchObject([{ status: 'claimed' }]);
  expect(desk.run('next').err).toBe('');
  expect(desk.run('doctor').out).toContain('1 foreign edits');
  expect(desk.run('audit', 'verify')).toMatchObject({ code: 0 });
});

it('keeps what the foreign edit held, as evidence under its digest', () => {
  claimed();
  desk.repo.write(TODO, '["mine"]');
  desk.run('list');
  const folder = pathOf('.git/countersign/evidence');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(files.map((f) => readFileSync(join(f.parentPath, f.name), 'utf8'))).toContain('["mine"]');
});

it('mends a foreign edit of a copied proof pack, and writes anew what is gone', () => {
  claimed();
  desk.run('verify', 'T-1');
  const [copy = ''] = readdirSync(pathOf(PACKS));
  const whole = readFileSync(join(pathOf(PACKS), copy), 'utf8');
  desk.repo.write(join(PACKS, copy), '{}');
  expect(desk.run('list').err).toContain(copy);
  expect(readFileSync(join(pathOf(PACKS), copy), 'utf8')).toBe(whole);
  rmSync(pathOf('.orchestration'), { recursive: true });
  expect(desk.run('list').err).toBe('');
  expect(existsSync(pathOf(TODO)) && existsSync(join(pathOf(PACKS), copy))).toBe(true);
});

it('replaces a file that was there first only after it was kept, and says so', () => {
  desk.repo.write(TODO, '[{"content": "precious"}]');
  expect(desk.run('add', 'New').err).toContain('was there before');
  expect(todos()).toMatchObject([{ content: 'New' }]);
});

it('writes through no link, and does not fail the command for it', () => {
  const outside = join(desk.repo.root, 'outside');
  mkdirSync(outside);
  symlinkSync(outside, pathOf('.orchestration'));
  const told = desk.run('add', 'New');
  expect(told.code).toBe(0);
  expect(told.err).toContain('were not written');
  expect(readdirSync(outside)).toEqual([]);
});

it('writes into no folder of git', () => {
  for (const path of ['.git/hooks/x', '../x', '/tmp/x']) {
    desk.repo.commit({ '.countersign/config.yaml': `projections: {todo: ${path}}\n` });
    desk.repo.git('branch', '-f', 'main', 'work');
    expect(desk.run('config', 'show')).toMatchObject({
      code: 2,
      err: expect.stringContaining('inside the repository'),
    });
  }
});

it('shows the same log in every worktree, each with a file of its own', () => {
  claimed();
  desk.repo.git('worktree', 'add', '-q', '../linked');
  const linked = join(desk.repo.root, 'linked');
  desk.runIn(linked, ['add', 'From the linked one']);
  expect(existsSync(join(linked, TODO))).toBe(true);
  expect(todos()).toHaveLength(1);
  expect(desk.run('list').err).toBe('');
  expect(todos()).toHaveLength(2);
});

it('lets many writers at once project without false alarms', async () => {
  const { spawn } = await import('node:child_process');
  const one = (n: number) =>
    new Promise<string>((resolve) => {
      const env = { ...process.env, XDG_STATE_HOME: desk.state };
      const child = spawn(process.execPath, [program.path, 'add', `Thing ${n}`], { cwd: desk.repo.top, env });
      let err = '';
      child.stderr.on('data', (chunk) => {
        err += chunk;
      });
      child.on('close', () => resolve(err));
    });
  expect((await Promise.all([1, 2, 3, 4, 5, 6].map(one))).join('')).toBe('');
  expect(desk.run('list').err).toBe('');
  expect(todos()).toHaveLength(6);
});

it('costs nothing where nothing is projected: no file is kept and git is not asked', () => {
  const plain = openDesk(program);
  try {
    plain.run('add', 'One');
    expect(existsSync(join(plain.repo.top, '.git/countersign/projections.json'))).toBe(false);
    const noGit = plain.runIn(plain.repo.top, ['next'], { PATH: '/nonexistent' });
    expect(noGit.code).toBe(0);
  } finally {
    plain.remove();
  }
  desk.run('add', 'One');
  expect(desk.runIn(desk.repo.top, ['next'], { PATH: '/nonexistent' }).code).toBe(0);
});

it('stops when the configuration no longer asks for it', () => {
  desk.run('add', 'One');
  desk.repo.commit({ '.countersign/config.yaml': CONFIG, '.countersign/criteria/default.yaml': CRITERIA });
  desk.repo.git('branch', '-f', 'main', 'work');
  desk.run('add', 'Two');
  rmSync(pathOf(TODO), { force: true });
  desk.run('add', 'Three');
  expect(existsSync(pathOf(TODO))).toBe(false);
});
