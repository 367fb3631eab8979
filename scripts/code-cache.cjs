// node scripts/code-cache.cjs FOLDER: runs commands of the program built there in a scratch repository, one after the
// other in this process, and keeps what V8 compiled for them beside it. Without it a start only takes longer.
'use strict';
const { execFileSync } = require('node:child_process');
const { mkdirSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { Readable } = require('node:stream');

const folder = process.argv[2];
const [program, hook] = ['countersign', 'countersign-hook'].map((name) => join(folder, `${name}.cjs`));
const [MAIN, HOOK] = [program, hook].map((path) => require(path));
const packages = Object.values(MAIN.PACKAGES);
const names = [...[MAIN, HOOK].flatMap(({ PACKS }) => Object.values(PACKS)), ...packages];
const scripts = new Map(names.map((name) => [name, MAIN.script(name)]));

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
const CRITERIA = `schema: countersign/criteria/1
name: default
tier: light
applies_to: [code]
checks:
  - id: tests
    kind: tests
    run: [node, say.cjs]
    report: { format: tap }
    controls: []
`;
git('init', '-q', '-b', 'main');
mkdirSync('.countersign/criteria', { recursive: true });
writeFileSync('.countersign/criteria/default.yaml', CRITERIA);
writeFileSync('say.cjs', "console.log('TAP version 13\\nok 1 one\\nok 2 two\\n1..2');\n");
git('add', '-A');
git('commit', '-q', '-m', 'base');
git('checkout', '-q', '-b', 'work');
writeFileSync('work.txt', 'work\n');
git('add', '-A');
git('commit', '-q', '-m', 'work');

// A repository as the commands find it, made by processes of their own.
for (const words of [
  ['init', '--agents', 'warm,other'],
  ['add', 'one'],
  ['add', 'two'],
])
  execFileSync(process.execPath, [program, ...words], { stdio: 'ignore' });

// The usual ones first: the pack of them keeps no code that only others run. What none of these runs is compiled when it
// is needed.
const { OFTEN, PACKS, ofOften } = MAIN;
const rounds = [
  { pack: PACKS.usual, kept: ofOften(PACKS.usual), commands: [[OFTEN]] },
  { pack: PACKS.usual, commands: [['next'], ['claim', 'T-1'], ['next']] },
  { pack: PACKS.mcp, commands: [['mcp', '--actor', 'warm']] },
  { pack: HOOK.PACKS.usual, events: eventsOf(top) },
  { pack: PACKS.daily, commands: [['add', 'three'], ['list'], ['show', 'T-1'], ['log', 'T-1']] },
  { pack: PACKS.rest, commands: [['verify', 'T-1', '--actor', 'other']] },
];
// What a client says first, in both generations of MCP.
const call = (id, name, input) => ({ id, method: 'tools/call', params: { name, arguments: input } });
const client = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'warm', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
  call(3, 'next', {}),
  call(4, 'item_list', {}),
  call(5, 'item_show', { item: 'T-1' }),
];
/** Events of a session, as the hooks are asked about them. */
function eventsOf(cwd) {
  const uses = (tool_name, tool_input) => ({ hook_event_name: 'PreToolUse', tool_name, tool_input });
  const events = [
    uses('mcp__countersign__item_claim', { item: 'T-1' }),
    uses('Edit', { file_path: join(cwd, 'work.txt') }),
    uses('Bash', { command: 'cat work.txt > other.txt && git status' }),
    uses('TodoWrite', { todos: [{ content: 'T-1', status: 'completed' }] }),
    { hook_event_name: 'Stop' },
    { hook_event_name: 'SubagentStop', agent_id: 'a' },
  ];
  return events.map((event) => JSON.stringify({ session_id: 'warm', cwd, ...event }));
}

const said = client.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const stdin = Readable.from(
  said.map((line) => Buffer.from(line)),
  { objectMode: false },
);
Object.defineProperty(process, 'stdin', { value: stdin });
const { exit, stdout } = process;
const quiet = require('node:fs');
const { writeSync } = quiet;
let given = '';
const { readFileSync } = quiet;
quiet.readFileSync = (path, ...rest) => (path === 0 ? given : readFileSync(path, ...rest));
quiet.writeSync = (fd, bytes, ...rest) =>
  fd === 1 || fd === 2 ? bytes.length : writeSync(fd, bytes, ...rest);
stdout.write = () => true;

const keep = (name, kept = name) =>
  writeFileSync(join(folder, `${kept}.cache`), scripts.get(name).createCachedData());

process.on('beforeExit', () => {
  const [round] = rounds;
  const words = round?.commands?.shift();
  given = round?.events?.shift();
  if (round === undefined) {
    for (const name of packages) keep(name);
    process.chdir('/');
    rmSync(root, { recursive: true, force: true });
    exit(0);
  }
  // Something to wait for, or the process would end without asking again.
  setImmediate(() => {});
  if (words === undefined && given === undefined) {
    const { pack, kept = pack } = round;
    keep(pack, kept);
    rounds.shift();
    return;
  }
  process.argv =
    given === undefined
      ? [process.execPath, program, ...words]
      : [process.execPath, hook, 'claude-code', '--actor', 'warm'];
  process.removeAllListeners('SIGINT');
  process.removeAllListeners('SIGTERM');
  (given === undefined ? MAIN : HOOK).start((name) => scripts.get(name));
});
