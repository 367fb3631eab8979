// The stage of the demonstration: a throw-away git repository, its state, and the command line as the only way in.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AGENTS } from './agents.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const MODULES = join(HERE, '../../node_modules');
export const BUGGY = join(MODULES, 'minimist-1.2.5');
export const FIXED = join(MODULES, 'minimist-1.2.6');
/** The published tests of the fixed release make so many assertions. */
const ASSERTIONS = 148;

/** Opens a stage; `bin` is the built command line. Everything lies below one temporary folder. */
export function openStage(bin) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-demo-')));
  const repo = join(root, 'minimist');
  const env = environment(root);
  const run = (file, args) => spawnSync(file, args, { cwd: repo, env, encoding: 'utf8' });
  const git = (...args) => {
    const { status, stdout, stderr } = run('git', args);
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  };
  const cs = (actor, args) => run(process.execPath, [bin, ...(actor ? ['--actor', actor] : []), ...args]);
  const write = (path, text) => {
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    writeFileSync(join(repo, path), text);
  };
  const commit = (message) => {
    git('add', '--all');
    git('commit', '--quiet', '--message', message);
  };
  /** A fresh branch from the first commit, whatever an earlier trick left behind. */
  const branch = (name, from = 'start') => {
    git('reset', '--quiet', '--hard');
    git('clean', '--quiet', '--force', '-d');
    git('checkout', '--quiet', '-B', name, from);
  };
  const close = () => rmSync(root, { recursive: true, force: true });
  mkdirSync(repo);
  return { root, repo, run, git, cs, write, commit, branch, close };
}

/** Git settings and credentials of whoever runs this stay out of it. */
function environment(root) {
  const foreign = ([name]) => !/^(GIT_|COUNTERSIGN_|NODE_OPTIONS$)/.test(name);
  const person = { NAME: 'Demo', EMAIL: 'demo@example.invalid' };
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(foreign)),
    GIT_AUTHOR_NAME: person.NAME,
    GIT_AUTHOR_EMAIL: person.EMAIL,
    GIT_COMMITTER_NAME: person.NAME,
    GIT_COMMITTER_EMAIL: person.EMAIL,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    XDG_STATE_HOME: join(root, 'state'),
    NO_COLOR: '1',
  };
}

/** The buggy release with its own tests, and what will decide about the work: criteria and configuration. */
export function firstCommit({ repo, git, write, commit }) {
  git('init', '--quiet', '--initial-branch', 'main');
  cpSync(BUGGY, repo, { recursive: true });
  write('tape.cjs', readFileSync(join(HERE, 'tape.cjs'), 'utf8'));
  const manifest = { name: 'minimist', version: '1.2.5', scripts: { test: 'node tape.cjs test' } };
  write('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
  write('.countersign/config.yaml', CONFIG);
  write('.countersign/criteria/default.yaml', criteria());
  write('.countersign/criteria/package.yaml', PACKAGE);
  commit('minimist 1.2.5, and the criteria for its repair');
  git('tag', 'start');
}

const CONFIG = `schema: countersign/config/1
settings:
  # A demonstration has nobody at a terminal; by default a person acknowledges failures.
  acknowledge: orchestrator
  # A verification asked for by the builder's own lineage is not enough here.
  independence: other-lineage
${AGENTS}`;

/** For the second item: the tests, and the package as its consumers get it. */
const PACKAGE = `schema: countersign/criteria/1
name: package
setup:
  install: none
checks:
  - id: tests
    kind: command
    run: [npm, test, --silent]
    report: {format: tap}
    timeout: 1m
  - id: package
    kind: artifact
    pack: npm
`;

/** How consumers use the package: what the repair must bring about, and what it must leave alone. */
export const EXAMPLES = `schema: countersign/acceptance/1
examples:
  - id: no-constructor-is-set
    call: {export: default, args: [["--point.constructor", "5"]]}
    returns: {_: [], point: {}}
unchanged:
  - call: {export: default, args: [["--point.x", "5", "rest"]]}
  - call: {export: default, args: [["--building.constructors", "5"]]}
`;

const sha256 = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** The acceptance tests and the program that runs them are named by digest: no work can bring its own. */
function criteria() {
  return `schema: countersign/criteria/1
name: default
setup:
  install: none
checks:
  - id: tests
    kind: command
    run: [npm, test, --silent]
    report: {format: tap}
    min_tests: ${ASSERTIONS}
    timeout: 1m
  - id: acceptance-tests
    kind: file
    path: test/proto.js
    sha256: ${sha256(join(FIXED, 'test/proto.js'))}
  - id: test-program
    kind: file
    path: tape.cjs
    sha256: ${sha256(join(HERE, 'tape.cjs'))}
`;
}

/** Lays files of the fixed release over the working tree. */
export function lay({ repo }, ...paths) {
  for (const path of paths) cpSync(join(FIXED, path), join(repo, path), { recursive: true });
}
