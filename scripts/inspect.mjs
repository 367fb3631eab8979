// node scripts/inspect.mjs: the Inspector of MCP drives the built server over its pipes and over HTTP, there in both generations
// of the protocol, and lints its schemas strictly. It is installed for this alone, into a folder that goes again: 100 MB that
// nobody else needs.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { program, scratchProject } from './scratch-project.mjs';

const project = scratchProject('inspect');
project.install('@modelcontextprotocol/inspector@2.12.0');
const inspector = join(project.tools, 'node_modules/.bin/mcp-inspector');
const served = await project.serve();
const tokens = { builder: project.tokenOf('builder'), verifier: project.tokenOf('verifier') };

const pipes = (actor, profile) => [
  ...['-e', `XDG_STATE_HOME=${project.state}`],
  ...[process.execPath, program, 'mcp', '--actor', actor, '--profile', profile],
];
const http = (era) => (actor, profile) => [
  ...[`${served.url}/mcp/${profile}`, '--transport', 'http', '--protocol-era', era],
  ...['--header', `Authorization: Bearer ${tokens[actor]}`],
];
const WAYS = { pipes, 'HTTP, legacy': http('legacy'), 'HTTP, modern': http('modern') };

/** What the Inspector says of one request: its exit code and its document. */
function inspect(target, method, ...words) {
  const line = ['--cli', ...target, '--method', method, ...words, '--format', 'json'];
  const { status, stdout, stderr } = spawnSync(inspector, line, { cwd: project.top, encoding: 'utf8' });
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
function expect(way, target, [actor, profile, method, code, text, ...words]) {
  const { status, said } = inspect(target, method, ...words);
  const isRight = status === code && said.includes(text);
  if (!isRight) failed += 1;
  console.log(`${isRight ? 'ok' : 'FAILED'} ${way}: ${method} as ${actor} (${profile}): exit code ${status}`);
  if (!isRight) console.log(said.slice(0, 2_000));
}
for (const [way, targetOf] of Object.entries(WAYS))
  for (const line of wanted) expect(way, targetOf(line[0], line[1]), line);
const stranger = [
  `${served.url}/mcp/core`,
  '--transport',
  'http',
  '--header',
  'Authorization: Bearer cs_none',
];
expect('HTTP', stranger, ['a stranger', 'core', 'tools/list', 3, 'auth_required']);
await served.stop();
process.exit(failed === 0 ? 0 : 1);
