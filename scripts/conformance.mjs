// node scripts/conformance.mjs: the conformance suite of MCP, in both of its requirement sets against a server with everything
// that it calls by name, and in what fits any server against the built `countersign serve`. It is installed for this alone,
// into a folder that goes again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { parse } from 'yaml';
import { bearerProxy } from './bearer-proxy.mjs';
import { baselineOf } from './conformance-baseline.mjs';
import { listening, scratchProject } from './scratch-project.mjs';

const SUITE = '@modelcontextprotocol/conformance';
/** What asks nothing of a server that it does not offer by itself, for each generation. */
const OF_BOTH = ['tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection'];
const OF_ANY_SERVER = {
  '2025-11-25': ['server-initialize', 'ping', ...OF_BOTH],
  '2026-07-28': [
    ...OF_BOTH,
    ...['server-stateless', 'caching', 'http-header-validation', 'sep-2164-resource-not-found'],
  ],
};
const fixtures = resolve(import.meta.dirname, '../tests/mcp/conformance');
const project = scratchProject('conformance');
project.install(`${SUITE}@0.2.0-alpha.12`);
const loader = pathToFileURL(join(import.meta.dirname, 'conformance-on-node-20.mjs')).href;
const installed = join(project.tools, 'node_modules', SUITE);
let asked = 0;

/** What each scenario of one run of the suite came to, in the order in which they ran. */
async function suite(url, ...words) {
  const out = join(project.root, `results-${++asked}`);
  const line = ['--import', loader, join(installed, 'dist/index.js'), 'server', '--url', url, '-o', out];
  const child = spawn(process.execPath, [...line, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece) => {
      said += piece;
    });
  await once(child, 'close');
  if (!existsSync(out)) throw new Error(`the suite has no results: ${said}`);
  return readdirSync(out)
    .map((folder) => {
      const [, scenario, time] = /^server-(.+?)-(\d{4}-\d\d-\d\dT.*)$/.exec(folder);
      return { scenario, time, checks: JSON.parse(readFileSync(join(out, folder, 'checks.json'), 'utf8')) };
    })
    .sort((one, other) => one.time.localeCompare(other.time));
}

const count = (checks, status) => checks.filter((check) => check.status === status).length;
/** What was left out is not green. */
const NOTHING = { id: 'nothing passed', status: 'FAILURE' };
const markOf = (checks) => (count(checks, 'FAILURE') + count(checks, 'WARNING') > 0 ? 'known' : 'ok');
let red = 0;

/** Prints one line a scenario, and what was not expected. */
function judge(server, revision, wanted, results, baseline) {
  const sums = { required: [0, 0], rest: [0, 0] };
  for (const { scenario, checks } of results) {
    const [passed, failed] = [count(checks, 'SUCCESS'), count(checks, 'FAILURE')];
    const isWanted = wanted.includes(scenario);
    const judged = isWanted && passed === 0 ? [...checks, NOTHING] : checks;
    const wrong = baseline.unexpected(revision, scenario, judged);
    const mark = wrong.length > 0 ? 'FAILED' : markOf(judged);
    console.log(`${mark} ${server} ${revision} ${scenario}: ${passed} passed, ${failed} failed`);
    for (const { id, status, errorMessage = '' } of wrong) console.log(`  ${status} ${id}: ${errorMessage}`);
    const sum = sums[isWanted ? 'required' : 'rest'];
    sum[0] += passed;
    sum[1] += failed;
    red += wrong.length;
  }
  const missing = wanted.filter((name) => !results.some(({ scenario }) => scenario === name));
  for (const name of missing) console.log(`FAILED ${server} ${revision} ${name}: did not run`);
  red += missing.length;
  const told = ([passed, failed]) => `${passed} checks passed, ${failed} failed`;
  const rest = results.length === wanted.length ? '' : `; not scored: ${told(sums.rest)}`;
  return `${server} ${revision}: ${told(sums.required)}${rest}`;
}

function close(server, baseline) {
  const stale = baseline.stale();
  for (const name of stale)
    console.log(`FAILED ${server} ${name}: is expected to fail and does not; take it out`);
  red += stale.length;
}

/** The requirement sets, against the fixture. */
async function requirements() {
  const outfile = join(project.root, 'fixture.cjs');
  const entryPoints = [join(fixtures, 'server.ts')];
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'cjs', logLevel: 'warning' });
  const fixture = await listening(
    spawn(process.execPath, [outfile], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  const baseline = baselineOf('fixture');
  const sums = [];
  for (const revision of Object.keys(OF_ANY_SERVER)) {
    const { server } = parse(readFileSync(join(installed, 'requirements', `${revision}.yaml`), 'utf8'));
    const results = await suite(`${fixture.url}/mcp`, '--requirements', revision);
    sums.push(judge('fixture', revision, server, results, baseline));
  }
  await fixture.stop();
  close('fixture', baseline);
  return sums;
}

/** What fits any server, against the one that is shipped. */
async function generic() {
  const served = await project.serve();
  const proxy = await bearerProxy(served.url, project.tokenOf('builder'));
  const baseline = baselineOf('served');
  const sums = [];
  for (const [revision, wanted] of Object.entries(OF_ANY_SERVER)) {
    const results = [];
    for (const scenario of wanted)
      results.push(
        ...(await suite(`${proxy.url}/mcp/core`, '--scenario', scenario, '--spec-version', revision)),
      );
    sums.push(judge('served', revision, wanted, results, baseline));
  }
  proxy.stop();
  await served.stop();
  close('served', baseline);
  return sums;
}

const sums = [...(await requirements()), ...(await generic())];
console.log(sums.join('\n'));
console.log(red === 0 ? 'as expected' : `${red} not as expected`);
process.exit(red === 0 ? 0 : 1);
