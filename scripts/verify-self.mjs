// node scripts/verify-self.mjs: the product verifies the latest commit of this project, as it would anybody's work.
// In a clone: an item is opened at the commit before, the commit is claimed by one actor and verified for another, and
// the proof pack is checked offline by a program that shares no code with the product. Ends with 0 only when all agree.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BIN = join(ROOT, 'dist/bin/countersign.cjs');
const CRITERIA = '.countersign/criteria/self.yaml';
const root = mkdtempSync(join(tmpdir(), 'self-'));
const clone = join(root, 'project');
const env = { ...process.env, XDG_STATE_HOME: join(root, 'state'), HOME: root, NO_COLOR: '1' };
for (const name of Object.keys(env)) if (/^(GIT_|COUNTERSIGN_|NODE_OPTIONS$)/.test(name)) delete env[name];

function run(file, args, cwd = clone) {
  const { status, stdout, stderr, error } = spawnSync(file, args, { cwd, env, encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Error(`${file} ${args.join(' ')}: ${error?.message ?? `${status}\n${stdout}${stderr}`}`);
}
const git = (...args) => run('git', args).trim();
const cs = (actor, ...args) => run(process.execPath, [BIN, ...(actor ? ['--actor', actor] : []), ...args]);

/** The state before, with the criteria in place; a clone of one commit is compared with a project that holds no more. */
function layBase(head) {
  const before = git('rev-list', '--max-count=2', head).split('\n')[1];
  if (before === undefined) {
    git('checkout', '--quiet', '--orphan', 'main');
    git('rm', '--quiet', '-r', '--force', '.');
  } else git('checkout', '--quiet', '-B', 'main', before);
  if (existsSync(join(clone, CRITERIA))) return before;
  mkdirSync(join(clone, '.countersign/criteria'), { recursive: true });
  writeFileSync(join(clone, CRITERIA), readFileSync(join(ROOT, CRITERIA)));
  git('add', CRITERIA);
  git('commit', '--quiet', '--message', 'Criteria');
  return git('rev-parse', 'HEAD');
}

function verify() {
  mkdirSync(join(root, 'state'), { mode: 0o700 });
  // Whoever owns the checkout, it is read and nothing in it is run by git.
  writeFileSync(
    join(root, '.gitconfig'),
    '[safe]\n\tdirectory = *\n[user]\n\tname = ci\n\temail = ci@localhost\n',
  );
  run('git', ['clone', '--quiet', '--no-local', ROOT, clone], root);
  const head = git('rev-parse', 'HEAD');
  const base = layBase(head);
  git('remote', 'remove', 'origin');
  cs('', 'init', '--owner', 'maintainer', '--agents', 'builder,checker');
  cs('', 'add', 'The latest commit of this project', '--criteria', 'self', '--kind', 'chore');
  // The very commit where it follows the base, else its tree as the next commit.
  const follows = git('rev-list', '--max-count=2', head).split('\n')[1] === base;
  const work = follows ? head : git('commit-tree', `${head}^{tree}`, '-p', base, '-m', 'The work');
  git('checkout', '--quiet', '-B', 'work', work);
  cs('', 'dispatch', 'T-1', '--to', 'builder');
  cs('builder', 'claim', 'T-1');
  console.log(`verifying ${head.slice(0, 12)}`);
  process.stdout.write(cs('checker', 'verify', 'T-1'));
  const { accountability } = JSON.parse(cs('', 'show', 'T-1', '--json')).data;
  const pems =
    cs('', 'audit', 'keys').match(/-----BEGIN PUBLIC KEY-----[^-]*-----END PUBLIC KEY-----/g) ?? [];
  const keys = pems.flatMap((pem, n) => {
    writeFileSync(join(root, `key-${n}.pem`), `${pem}\n`);
    return ['--key', join(root, `key-${n}.pem`)];
  });
  const offline = join(ROOT, 'examples/offline-audit/verify-export.mjs');
  console.log(run(process.execPath, [offline, join(clone, accountability.signed_evidence), ...keys]).trim());
}

try {
  verify();
  console.log('the latest commit was verified by the product itself, and its proof pack offline');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(root, { recursive: true, force: true });
}
