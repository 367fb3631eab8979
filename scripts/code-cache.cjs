// node scripts/code-cache.cjs FOLDER: runs commands of the program built there in a scratch repository, one after the
// other in this process, and keeps what V8 compiled for them beside it. Without it a start only takes longer.
'use strict';
const { execFileSync } = require('node:child_process');
const { mkdirSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const folder = process.argv[2];
const program = join(folder, 'countersign.cjs');
const { PACKS, script, start } = require(program);
const scripts = new Map(Object.values(PACKS).map((name) => [name, script(name)]));

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
  execFileSync(process.execPath, [program, ...words], { stdio: 'ignore' });

// The usual ones first: the pack of them keeps no code that only others run. What none of these runs is compiled when it
// is needed.
const rounds = [
  { pack: PACKS.usual, commands: [['next'], ['claim', 'T-1'], ['next']] },
  { pack: PACKS.rest, commands: [['add', 'three'], ['list'], ['show', 'T-1'], ['log', 'T-1']] },
];
const { exit, stdout } = process;
const quiet = require('node:fs');
const { writeSync } = quiet;
quiet.writeSync = (fd, bytes, ...rest) =>
  fd === 1 || fd === 2 ? bytes.length : writeSync(fd, bytes, ...rest);
stdout.write = () => true;

process.on('beforeExit', () => {
  const [round] = rounds;
  const words = round?.commands.shift();
  if (round === undefined) {
    process.chdir('/');
    rmSync(root, { recursive: true, force: true });
    exit(0);
  }
  // Something to wait for, or the process would end without asking again.
  setImmediate(() => {});
  if (words === undefined) {
    writeFileSync(join(folder, `${round.pack}.cache`), scripts.get(round.pack).createCachedData());
    rounds.shift();
    return;
  }
  process.argv = [process.execPath, program, ...words];
  process.removeAllListeners('SIGINT');
  process.removeAllListeners('SIGTERM');
  start((name) => scripts.get(name));
});
