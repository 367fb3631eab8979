import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachAtADesk } from './each-desk.ts';
import type { Desk } from './program.ts';

let desk: Desk;
eachAtADesk((opened) => {
  desk = opened;
});

const criteria = (checks: string) => `schema: countersign/criteria/1\nname: default\nchecks:\n${checks}`;
const PATH = '.countersign/criteria/default.yaml';

describe('criteria init', () => {
  beforeEach(() => {
    desk.repo.write('package.json', '{"scripts": {"test": "node --test"}}');
  });

  it('writes a tier under a name, says what to do next, and keeps what is there', () => {
    const said = desk.say('criteria', 'init', '--tier', 'standard', '--name', 'release');
    expect(said).toMatchObject({
      code: 0,
      data: { tier: 'standard', found: ['tests', 'change'], wrote: true },
    });
    const file = join(desk.repo.top, '.countersign/criteria/release.yaml');
    expect(readFileSync(file, 'utf8')).toContain('tier: standard');
    expect(desk.say('criteria', 'init', '--name', 'release')).toMatchObject({
      code: 2,
      error: { code: 'BAD_INPUT', hint: expect.stringContaining('--force') },
    });
    expect(readFileSync(file, 'utf8')).toContain('tier: standard');
    const anew = desk.run('criteria', 'init', '--name', 'release', '--force');
    expect(anew.out).toMatch(/criteria check release\n {2}git add .*release.yaml && git commit/);
    expect(readFileSync(file, 'utf8')).toContain('tier: light');
  });

  it('writes nothing where it would hold no check, and says what to do', () => {
    desk.repo.write('package.json', '{}');
    const file = join(desk.repo.top, '.countersign/criteria/bare.yaml');
    expect(desk.say('criteria', 'init', '--name', 'bare')).toMatchObject({
      code: 2,
      error: { code: 'BAD_INPUT', hint: expect.stringContaining('--tier standard') },
    });
    expect(existsSync(file)).toBe(false);
    const other = desk.run('criteria', 'init', '--name', 'bare', '--tier', 'standard');
    expect(other.out).toMatch(/note: no tests were recognised/);
    expect(existsSync(file)).toBe(true);
  });

  it('prints without writing', () => {
    const told = desk.run('criteria', 'init', '--tier', 'strict', '--name', 'other', '--print');
    expect(told).toMatchObject({ code: 0, out: expect.stringContaining('tier: strict') });
    expect(existsSync(join(desk.repo.top, '.countersign/criteria/other.yaml'))).toBe(false);
  });

  it.each([
    ['an unknown tier', ['--tier', 'heavy']],
    ['a name that leads elsewhere', ['--name', '../x']],
  ])('refuses %s', (_, words) => {
    expect(desk.say('criteria', 'init', ...words)).toMatchObject({ code: 2, error: { code: 'BAD_INPUT' } });
  });
});

describe('criteria check', () => {
  it('shows that each check passes now and can fail', () => {
    desk.repo.commit({ 'work.txt': 'done\n' });
    const said = desk.say('criteria', 'check');
    expect(said).toMatchObject({
      code: 0,
      data: { path: PATH, from: '', checks: [{ id: 'done', onHead: 'pass', canFail: 'yes' }] },
    });
  });

  it('ends with 4 for a check that cannot fail, and names it', () => {
    desk.repo.write(
      PATH,
      criteria('  - {id: empty, kind: command, run: ["true"], report: {format: exit}}\n'),
    );
    const told = desk.run('criteria', 'check', 'default');
    expect(told.code).toBe(4);
    expect(told.err).toMatch(/empty {2}passes now {2}CANNOT FAIL/);
    expect(desk.say('criteria', 'check')).toMatchObject({ code: 4, error: { code: 'UNPROVEN_CRITERIA' } });
  });

  it('ends with 4 for one that fails already', () => {
    const said = desk.say('criteria', 'check');
    expect(said).toMatchObject({ code: 4, error: { checks: [{ onHead: 'fail', canFail: 'not-told' }] } });
  });

  it('reads those of a commit instead of the working tree', () => {
    const commit = desk.repo.commit({ 'work.txt': 'done\n' });
    desk.repo.write(PATH, criteria('  - {id: x, kind: nonsense}\n'));
    expect(desk.say('criteria', 'check')).toMatchObject({ code: 2, error: { code: 'BAD_CRITERIA' } });
    expect(desk.say('criteria', 'check', '--commit', commit)).toMatchObject({ code: 0 });
    expect(desk.say('criteria', 'check', 'nothing')).toMatchObject({ code: 5 });
  });
});

describe('criteria health', () => {
  it('counts what past verifications found, and points out what never failed', () => {
    expect(desk.run('criteria', 'health').out).toContain('nothing has been verified yet');
    for (const [n, content] of ['nothing', 'done', 'done'].entries()) {
      desk.run('add', `Work ${n}`);
      desk.repo.commit({ 'work.txt': `${content} ${n}\n` });
      desk.run('claim', `T-${n + 1}`);
      desk.run('verify', `T-${n + 1}`);
      if (n === 0) desk.repo.git('checkout', '-q', '-b', 'more');
    }
    const { data } = desk.say('criteria', 'health', '--runs', '2');
    expect(data).toMatchObject({
      runs: expect.any(Number),
      checks: [{ criteria: PATH, id: 'done', failed: 1, neverFailed: false }],
    });
    expect(desk.say('criteria', 'health', '--runs', 'many').code).toBe(2);
  });
});
