import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { bootId, carrying, isAlive, processes, processId, rowOf } from './processes.ts';
import { listedByPs } from './processes-by-ps.ts';

it('tells a process from another one with its number', async () => {
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore', env: { MARKED: 'by-this-test' } });
  const id = processId(child.pid ?? 0);
  expect(isAlive(id)).toBe(true);
  expect(isAlive({ ...id, start: `${id.start}1` })).toBe(false);
  expect(isAlive({ ...id, start: '' })).toBe(false);
  expect(rowOf(id.pid)).toMatchObject({ pid: id.pid, group: id.pid, ended: false });
  expect([...carrying('MARKED=by-this-test')]).toEqual([id.pid]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isAlive(id)).toBe(false);
  expect(processId(id.pid).start).not.toBe(id.start);
});

it('sees this process, and names this start of the machine', () => {
  expect(processes().map(({ pid }) => pid)).toContain(process.pid);
  expect(bootId()).toMatch(/^[0-9A-Fa-f-]{36}$/);
});

it('reads the same from ps, where there is no /proc', async () => {
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  const pid = child.pid ?? 0;
  try {
    const [row] = listedByPs(['-p', String(pid)]);
    expect(row).toEqual({
      pid,
      group: pid,
      session: 0,
      ended: false,
      start: expect.stringMatching(/^\w{3} \w{3} .* \d{4}$/),
    });
    expect(listedByPs(['-p', String(pid)])).toEqual([row]);
    expect(listedByPs(['-A']).map((one) => one.pid)).toEqual(expect.arrayContaining([pid, process.pid]));
  } finally {
    child.kill('SIGKILL');
  }
  await once(child, 'exit');
  expect(listedByPs(['-p', String(pid)])).toEqual([]);
});
