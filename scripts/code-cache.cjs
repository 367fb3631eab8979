// node scripts/code-cache.cjs PROGRAM: runs the usual commands of a built program in a scratch repository, one after the
// other in this process, and keeps what V8 compiled for them beside it. Without it a start only takes longer.
'use strict';
const { execFileSync } = require('node:child_process');
const { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { tmpdir } = require('node:os');
const { dirname, join } = require('node:path');
const { Script } = require('node:vm');

const filename = process.argv[2];
const script = new Script(readFileSync(filename, 'latin1'), { filename });
const start = script.runInThisContext();

const root = mkdtempSync(join(tmpdir(), 'countersign-warm-'));
const home = join(root, 'home');
const top = join(root, 'project');
for (const folder of [home, top]) mkdirSync(folder, { mode: 0o700 });
process.env.HOME = home;
process.env.XDG_STATE_HOME = home;
for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) delete process.env[name];
process.chdir(top);

const git = (...args) =>
  execFileSync('git', ['-c', 'user.name=w', '-c', 'user.email=w@localhost', ...args], { stdio: 'ignore' });
git('init', '-q', '-b', 'main');
git('commit', '-q', '--allow-empty', '-m', 'base');
git('checkout', '-q', '-b', 'work');
writeFileSync('work.txt', 'work\n');
git('add', '-A');
git('commit', '-q', '-m', 'work');

// A repository as the commands find it, made by processes of their own.
for (const words of [['init'], ['add', 'one'], ['add', 'two']])
  execFileSync(process.execPath, [join(dirname(filename), 'countersign.cjs'), ...words], { stdio: 'ignore' });

// What agents call again and again; what these do not run is compiled when it is needed.
const commands = [['next'], ['claim', 'T-1'], ['next']];
const { exit, stdout } = process;
const quiet = require('node:fs');
const { writeSync } = quiet;
quiet.writeSync = (fd, bytes, ...rest) =>
  fd === 1 || fd === 2 ? bytes.length : writeSync(fd, bytes, ...rest);
stdout.write = () => true;

process.on('beforeExit', () => {
  const words = commands.shift();
  if (words === undefined) {
    writeFileSync(filename.replace(/\.cjs$/, '.cache'), script.createCachedData());
    process.chdir('/');
    rmSync(root, { recursive: true, force: true });
    exit(0);
  }
  process.argv = [process.execPath, filename, ...words];
  process.removeAllListeners('SIGINT');
  process.removeAllListeners('SIGTERM');
  // Something to wait for, or the process would end without asking again.
  setImmediate(() => {});
  start({}, createRequire(filename), { exports: {} }, filename, dirname(filename));
});
