import { execSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { storeDesk } from '../../src/other-store.ts';
import { openPostgres } from '../../src/store/postgres/open.ts';
import { connect } from '../../src/store/sqlite/driver.ts';
import { locateRepository } from '../../src/workspace/repository.ts';
import {
  buildProgram,
  CONFIG,
  CRITERIA,
  type Desk,
  emptyDesk,
  openDesk,
  type Program,
} from '../cli/program.ts';
import { type Cluster, startCluster } from '../postgres.ts';
import { startServer } from '../served/server.ts';

let cluster: Cluster;
let program: Program;
let url: string;
let desk: Desk;
beforeAll(() => {
  cluster = startCluster();
  program = buildProgram();
});
afterAll(() => {
  cluster?.remove();
  program?.remove();
});
beforeEach(async () => {
  url = await cluster.database();
  desk = emptyDesk(program);
  desk.repo.commit({ '.countersign/criteria/default.yaml': CRITERIA, '.countersign/config.yaml': CONFIG });
});
afterEach(() => desk.remove());

const withVariable = (...words: readonly string[]) => withUrl(url, words);
const withUrl = (database: string, words: readonly string[]) =>
  desk.runIn(desk.repo.top, words, { COUNTERSIGN_DATABASE_URL: database });
const state = () => join(desk.repo.top, '.git/countersign');
const noted = () => JSON.parse(readFileSync(join(state(), 'store.json'), 'utf8')) as Record<string, string>;

/** A line that must end well. */
function done(told: { readonly code: number | null; readonly out: string; readonly err: string }): string {
  expect(told).toMatchObject({ code: 0 });
  return told.out;
}

function walk(run: (...words: string[]) => string): void {
  run('add', 'Greet');
  desk.repo.git('checkout', '-q', '-b', 'work');
  desk.repo.commit({ 'work.txt': 'done\n' });
  run('claim', 'T-1');
  run('verify', 'T-1');
  run('complete', 'T-1');
}

describe('a repository whose store is in a database', () => {
  it('walks from init to an audited export, with the variable and without it', () => {
    expect(done(withVariable('init', '--owner', 'ada'))).toContain('of postgres://countersign@/');
    expect(existsSync(join(state(), 'store.db'))).toBe(false);
    expect(statSync(join(state(), 'store.json')).mode & 0o777).toBe(0o600);
    expect(noted()).toMatchObject({
      format: 'countersign/store/1',
      schema: expect.stringMatching(/^countersign_/),
    });
    walk((...words) => done(withVariable(...words)));
    expect(done(desk.run('audit', 'verify'))).toMatch(/^clean/);
    expect(done(desk.run('list'))).toContain('COMPLETED');
    const file = join(desk.repo.root, 'export.jsonl');
    done(desk.run('export', '--output', file));
    expect(done(desk.run('audit', 'verify', file))).toMatch(/^clean/);
    expect(desk.run('doctor').out).toMatch(
      /ok +store +\d+ events in schema countersign_\w+ of .*\(PostgreSQL \d+/,
    );
    const { data } = desk.say('store', 'status');
    expect(data).toMatchObject({ repository: noted().repository, pending: [] });
  });

  it('is found by another checkout that names the schema, and by no other repository', () => {
    done(withVariable('init', '--owner', 'ada'));
    const other = emptyDesk(program);
    other.repo.commit({ 'a.txt': 'a\n' });
    const full = `${url}&schema=${noted().schema}`;
    const list = other.runIn(other.repo.top, ['list'], { COUNTERSIGN_DATABASE_URL: full });
    expect(list.code).toBe(0);
    const nameless = other.runIn(other.repo.top, ['list'], { COUNTERSIGN_DATABASE_URL: url });
    expect(nameless).toMatchObject({ code: 2, err: expect.stringContaining('add ?schema=NAME') });
    other.runIn(other.repo.top, ['init', '--owner', 'eve'], {
      COUNTERSIGN_DATABASE_URL: `${url}&schema=eve`,
    });
    const crossed = withUrl(`${url}&schema=eve`, ['list']);
    expect(crossed).toMatchObject({ code: 8, err: expect.stringContaining('it belongs to repository') });
    other.remove();
  });

  it('gets no evidence from a checkout that shares its log alone: what the log names would lie where nobody looks', () => {
    done(withVariable('init', '--owner', 'ada'));
    done(desk.run('add', 'Greet'));
    desk.repo.git('checkout', '-q', '-b', 'work');
    desk.repo.commit({ 'work.txt': 'done\n' });
    done(desk.run('claim', 'T-1'));
    const second = join(desk.repo.root, 'second');
    desk.repo.git('clone', '-q', desk.repo.top, second);
    desk.repo.git('-C', second, 'branch', 'main', 'origin/main');
    const there = (...words: readonly string[]) =>
      desk.runIn(second, words, { COUNTERSIGN_DATABASE_URL: `${url}&schema=${noted().schema}` });
    done(there('list'));
    for (const words of [
      ['verify', 'T-1'],
      ['work', '--once'],
    ])
      expect(there(...words)).toMatchObject({
        code: 2,
        err: expect.stringContaining('kept from everybody else'),
      });
    symlinkSync(state(), join(second, '.git/countersign'));
    done(there('verify', 'T-1'));
    done(desk.run('complete', 'T-1'));
    expect(done(desk.run('audit', 'verify'))).toMatch(/^clean/);
  });

  it('is never replaced by a new one when it is gone, nor by a variable when it is a file', async () => {
    done(withVariable('init', '--owner', 'ada'));
    await cluster.sql(url, `DROP SCHEMA ${noted().schema} CASCADE`);
    for (const words of [['list'], ['init', '--owner', 'ada']]) {
      expect(desk.run(...words)).toMatchObject({ code: 8, err: expect.stringContaining('is gone') });
    }
    const plain = emptyDesk(program);
    plain.repo.commit({ 'a.txt': 'a\n' });
    done(plain.run('init', '--owner', 'ada'));
    for (const words of [['list'], ['init', '--owner', 'ada']]) {
      const told = plain.runIn(plain.repo.top, words, { COUNTERSIGN_DATABASE_URL: url });
      expect(told).toMatchObject({ code: 2, err: expect.stringContaining('unset COUNTERSIGN_DATABASE_URL') });
    }
    plain.remove();
  });

  it.each([
    ['mysql://host/db', 2, 'must begin with postgres://'],
    ['postgres://h/db?schema=a"b', 2, 'is no name that this store takes'],
    ['postgres://u:geheim@127.0.0.1:1/db?schema=s', 8, 'cannot be reached'],
  ])('says what is wrong with %s', (bad, code, words) => {
    const told = withUrl(bad, ['init', '--owner', 'ada']);
    expect(told).toMatchObject({ code, err: expect.stringContaining(words) });
    expect(told.err).not.toContain('geheim');
    expect(existsSync(state())).toBe(false);
  });
});

describe('the driver of PostgreSQL', () => {
  /** Files of the program that a command has loaded. */
  const loaded = (...words: readonly string[]) => {
    const spy = join(desk.repo.root, 'spy.cjs');
    const told = `const vm = require('node:vm');
      const { Script } = vm;
      vm.Script = class extends Script {
        constructor(text, options) {
          super(text, options);
          process.on('exit', () => console.log(options.filename));
        }
      };`;
    writeFileSync(spy, told);
    return desk.runIn(desk.repo.top, words, { NODE_OPTIONS: `--require "${spy}"` }).out;
  };

  it('is loaded by those whose store lies in a database, and by nobody else', async () => {
    done(desk.run('init', '--owner', 'ada'));
    for (const words of [['list'], ['next'], ['add', 'One'], ['doctor'], ['audit', 'verify']])
      expect(loaded(...words)).not.toMatch(/\/pg-|countersign-postgres/);
    done(desk.run('store', 'copy', '--to', url, '--use'));
    expect(loaded('list')).toMatch(/\/pg-\w+\.cjs/);
  });
});

describe('countersign store copy', () => {
  const serving = () => {
    const env = { PATH: process.env.PATH, HOME: desk.repo.root, XDG_STATE_HOME: desk.state };
    return startServer(program, { repo: desk.repo, env });
  };

  it('moves the record into a database and back, row by row, and loses neither', () => {
    done(desk.run('init', '--owner', 'ada'));
    walk((...words) => done(desk.run(...words)));
    const before = done(desk.run('--json', 'log', 'T-1'));
    expect(done(desk.run('store', 'copy', '--to', url))).toContain('to change it, copy with --use');
    expect(existsSync(join(state(), 'store.json'))).toBe(false);
    const again = desk.run('store', 'copy', '--to', url);
    expect(again).toMatchObject({ code: 6, err: expect.stringContaining('holds a log already') });
    done(desk.run('store', 'copy', '--to', `${url}&schema=mine`, '--use'));
    expect(done(desk.run('store', 'status'))).toContain('schema mine of');
    expect(done(desk.run('--json', 'log', 'T-1'))).toBe(before);
    done(desk.run('add', 'Go on'));
    expect(done(desk.run('audit', 'verify'))).toMatch(/^clean/);
    const taken = desk.run('store', 'copy', '--to', 'sqlite', '--use');
    expect(taken).toMatchObject({ code: 6, err: expect.stringContaining('move it away') });
    renameSync(join(state(), 'store.db'), join(state(), 'store.db.before'));
    done(desk.run('store', 'copy', '--to', 'sqlite', '--use'));
    expect(existsSync(join(state(), 'store.json'))).toBe(false);
    expect(done(desk.run('list'))).toContain('Go on');
    expect(done(desk.run('audit', 'verify'))).toMatch(/^clean/);
    expect(statSync(join(state(), 'store.db')).mode & 0o777).toBe(0o600);
  });

  it('takes the place of no file that a process has open, which would go on writing there', async () => {
    done(desk.run('init', '--owner', 'ada'));
    const server = await serving();
    done(desk.run('add', 'One'));
    const into = ['store', 'copy', '--to', url, '--use'];
    const told = desk.run(...into);
    expect(told).toMatchObject({ code: 8, err: expect.stringContaining('is open in another process') });
    expect(existsSync(join(state(), 'store.json'))).toBe(false);
    await server.stop('SIGKILL');
    done(desk.run(...into));
    expect(done(desk.run('list'))).toContain('One');
  });

  it('back is refused beside a log, which would be played over the copy; the commands that are named keep all', async () => {
    done(desk.run('init', '--owner', 'ada'));
    done(desk.run('store', 'copy', '--to', url, '--use'));
    const held = connect(join(state(), 'store.db'), 'any', 1_000);
    held.exec('UPDATE meta SET value = value');
    done(desk.run('add', 'Two'));
    writeFileSync(join(state(), 'store.db.before'), 'an earlier one');
    const back = () => desk.run('store', 'copy', '--to', 'sqlite', '--use');
    expect(back()).toMatchObject({ code: 8, err: expect.stringContaining('is open in another process') });
    renameSync(join(state(), 'store.db'), join(state(), 'elsewhere.db'));
    const refused = back();
    expect(refused).toMatchObject({ code: 6, err: expect.stringContaining('store.db-wal is there already') });
    execSync(/move it away: (.*)/.exec(refused.err)?.[1] ?? 'false');
    done(back());
    held.close();
    expect(done(desk.run('list'))).toContain('Two');
    expect(done(desk.run('audit', 'verify'))).toMatch(/^clean/);
    expect(readFileSync(join(state(), 'store.db.before'), 'utf8')).toBe('an earlier one');
    expect(existsSync(join(state(), 'store.db.before-2-wal'))).toBe(true);
  });

  it('into the file that holds the record is refused, and no command takes it away', () => {
    done(desk.run('init', '--owner', 'ada'));
    const told = desk.run('store', 'copy', '--to', 'sqlite', '--use');
    expect(told).toMatchObject({ code: 2, err: expect.stringContaining('is in this file already') });
    expect(told.err).not.toContain('mv ');
  });

  it('into one schema by two at once gives it to one of them, and takes nothing of it away', async () => {
    const other = openDesk(program);
    try {
      done(desk.run('init', '--owner', 'ada'));
      const into = `${url}&schema=wanted`;
      const late = await storeDesk(locateRepository(other.repo.top, {}), {}).target(into, 'another');
      done(desk.run('store', 'copy', '--to', into, '--use'));
      done(desk.run('add', 'One'));
      const nothing = async function* () {};
      await expect(late.fill(nothing)).rejects.toMatchObject({ code: 'NOT_EMPTY' });
      await late.drop();
      expect(done(desk.run('list'))).toContain('One');
      expect(done(desk.run('audit', 'verify'))).toMatch(/^clean/);
    } finally {
      other.remove();
    }
  });

  it('into an empty schema of another repository is refused', async () => {
    const into = `${url}&schema=theirs`;
    await (await openPostgres(into, { mode: 'create', repositoryId: 'theirs' })).close();
    done(desk.run('init', '--owner', 'ada'));
    const told = desk.run('store', 'copy', '--to', into, '--use');
    expect(told).toMatchObject({ code: 6, err: expect.stringContaining('is for repository theirs') });
    await (await openPostgres(into, { mode: 'open', repositoryId: 'theirs' })).close();
  });

  it('refuses a source that does not audit clean, and an agent', async () => {
    done(withVariable('init', '--owner', 'ada'));
    done(desk.run('add', 'One'));
    done(desk.run('actor', 'add', 'smith', '--role', 'specialist'));
    done(desk.run('token', 'issue', 'smith'));
    expect(desk.run('--actor', 'smith', 'store', 'copy', '--to', 'sqlite')).toMatchObject({ code: 7 });
    await cluster.sql(url, `UPDATE ${noted().schema}.items SET title = 'Two'`);
    const told = desk.run('store', 'copy', '--to', 'sqlite', '--use');
    expect(told).toMatchObject({ code: 8, err: expect.stringContaining('does not audit clean') });
    expect(existsSync(join(state(), 'store.db'))).toBe(false);
  });
});
