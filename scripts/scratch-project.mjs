// A project that goes again, with two agents and an item, for what looks at the built program from outside.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

export const program = resolve(import.meta.dirname, '../dist/bin/countersign.cjs');

/** The folder goes with the process. `install` puts a package of others into it, without running its scripts. */
export function scratchProject(name) {
  const root = mkdtempSync(join(tmpdir(), `countersign-${name}-`));
  process.on('exit', () => rmSync(root, { recursive: true, force: true }));
  const [top, state, tools] = ['project', 'state', 'tools'].map((folder) => join(root, folder));
  for (const folder of [top, state, tools]) mkdirSync(folder, { mode: 0o700 });
  const env = { ...process.env, XDG_STATE_HOME: state };
  const run = (file, ...words) =>
    execFileSync(file, words, { cwd: top, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const countersign = (...words) => run(process.execPath, program, ...words);
  const git = (...words) => run('git', '-c', 'user.name=i', '-c', 'user.email=i@localhost', ...words);
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'base');
  countersign('init', '--agents', 'builder,verifier');
  countersign('add', 'An item');
  return {
    root,
    top,
    state,
    tools,
    install(specifier) {
      run('npm', 'install', '--prefix', tools, '--no-audit', '--no-fund', '--ignore-scripts', specifier);
    },
    tokenOf(actor) {
      const { data } = JSON.parse(countersign('token', 'issue', actor, '--json'));
      return readFileSync(data.file, 'utf8').trim();
    },
    /** `countersign serve` over the project. */
    serve: () =>
      listening(spawn(process.execPath, [program, 'serve', '--port', '0'], { cwd: top, env, stdio: PIPES })),
  };
}

const PIPES = ['ignore', 'pipe', 'ignore'];

/** A server of ours says in its first line where it listens. */
export async function listening(child) {
  process.on('exit', () => child.kill());
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error('the server ended before it listened'))),
  ]);
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('the server ended by itself');
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  };
  return { url: JSON.parse(line).url, stop };
}
