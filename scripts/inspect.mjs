// node scripts/inspect.mjs: the Inspector of MCP drives the built server over its pipes, and lints its schemas strictly. It
// is installed for this alone, into a folder that goes again: 100 MB that nobody else needs.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';
const program = resolve(import.meta.dirname, '../dist/bin/countersign.cjs');
const root = mkdtempSync(join(tmpdir(), 'countersign-inspect-'));
process.on('exit', () => rmSync(root, { recursive: true, force: true }));
const [top, state, tools] = ['project', 'state', 'tools'].map((name) => join(root, name));
for (const folder of [top, state, tools]) mkdirSync(folder, { mode: 0o700 });

const run = (file, words, cwd, env = {}) =>
  execFileSync(file, words, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
run('npm', ['install', '--prefix', tools, '--no-audit', '--no-fund', '--ignore-scripts', INSPECTOR], root);
const inspector = join(tools, 'node_modules/.bin/mcp-inspector');

const git = (...words) => run('git', ['-c', 'user.name=i', '-c', 'user.email=i@localhost', ...words], top);
git('init', '-q', '-b', 'main');
git('commit', '-q', '--allow-empty', '-m', 'base');
const own = { XDG_STATE_HOME: state };
run(process.execPath, [program, 'init', '--agents', 'builder,verifier'], top, own);
run(process.execPath, [program, 'add', 'An item'], top, own);

/** What the Inspector says of one request: its exit code and its document. */
function inspect(actor, profile, method, ...words) {
  const server = [process.execPath, program, 'mcp', '--actor', actor, '--profile', profile];
  const line = [
    '--cli',
    '-e',
    `XDG_STATE_HOME=${state}`,
    ...server,
    '--method',
    method,
    ...words,
    '--format',
    'json',
  ];
  const { status, stdout, stderr } = spawnSync(inspector, line, { cwd: top, encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
}

const wanted = [
  ...['builder', 'verifier'].flatMap((actor) =>
    ['core', 'two-phase'].map((profile) => [actor, profile, 'tools/list', 0, 'item_show', '--strict']),
  ),
  ['builder', 'core', 'tools/call', 0, 'T-1', '--tool-name', 'next'],
  [
    'builder',
    'core',
    'tools/call',
    5,
    'there is no item T-9',
    '--tool-name',
    'item_show',
    '--tool-arg',
    'item=T-9',
  ],
  ['builder', 'core', 'resources/list', 0, 'countersign://guide'],
  ['builder', 'core', 'resources/read', 0, 'Working under', '--uri', 'countersign://guide'],
  ['builder', 'core', 'prompts/list', 0, 'verification-agent'],
  ['builder', 'core', 'prompts/get', 0, 'You work as specialist', '--prompt-name', 'specialist'],
];
let failed = 0;
for (const [actor, profile, method, code, text, ...words] of wanted) {
  const { status, said } = inspect(actor, profile, method, ...words);
  const isRight = status === code && said.includes(text);
  if (!isRight) failed += 1;
  console.log(`${isRight ? 'ok' : 'FAILED'} ${method} as ${actor} (${profile}): exit code ${status}`);
  if (!isRight) console.log(said.slice(0, 2_000));
}
process.exit(failed === 0 ? 0 : 1);
