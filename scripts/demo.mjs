// npm run demo: a dishonest agent tries to get an item done without doing it, then an honest one does it.
// A real package, a real repository, the real command line; no account and no network. Ends with 1 if a trick worked.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { headlessAgents } from '../examples/demo/agents.mjs';
import { EXAMPLES, firstCommit, lay, openStage } from '../examples/demo/stage.mjs';
import { subtleCheats } from '../examples/demo/subtle.mjs';
import { bentRules, forgeries, hollowClaims, save } from '../examples/demo/tricks.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
let item = 'T-1';
const bin = locate();
const stage = openStage(bin);
const count = { tricks: 0, refused: 0, found: 0, accepted: 0, wrong: [] };

function locate() {
  const at = process.argv.indexOf('--bin');
  if (at >= 0) return process.argv[at + 1];
  const built = join(ROOT, 'dist/bin/countersign.cjs');
  if (existsSync(built)) return built;
  const { status } = spawnSync(process.execPath, [join(ROOT, 'scripts/build.mjs')], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
  return built;
}

async function story() {
  prepare();
  section('A dishonest builder');
  const tools = { stage, refused, found, told, again, expectClean };
  await hollowClaims(tools);
  await bentRules(tools);
  await forgeries({ ...tools, pack: newestPack() });
  section('An honest builder');
  again();
  honest();
  section('The subtlest: work that passes every test it knows');
  await subtle();
  section('Headless agents, which the engine starts, and reviewers that it starts beside them');
  if (await headlessAgents({ stage, told, tried, say })) count.accepted += 1;
  else count.wrong.push('the honest phase was not released');
  section('What remains, checked without the product');
  offline();
  section('Who did what with the first item: countersign log T-1');
  show('checker', ['log', 'T-1'], Number.POSITIVE_INFINITY);
}

function prepare() {
  section('A repository: minimist 1.2.5, which has a known defect (prototype pollution)');
  firstCommit(stage);
  say('The criteria are committed before any work: the tests of release 1.2.6, run by a known program.');
  say(
    'Set in its configuration: the orchestrator acknowledges failures (by default a person at a terminal does).',
  );
  told('Make the store', '', ['init', '--owner', 'ada']);
  const team = {
    lead: 'workflow-orchestrator',
    builder: 'specialist',
    mender: 'specialist',
    checker: 'verification-agent',
    conductor: 'orchestrator',
  };
  for (const [name, role] of Object.entries(team)) {
    must('', ['actor', 'add', name, '--role', role]);
    must('', ['token', 'issue', name]);
  }
  say(
    `Agents, each with a token of its own: ${Object.entries(team)
      .map(([n, r]) => `${n} (${r})`)
      .join(', ')}.`,
  );
  told('A new item, given to the builder', 'lead', ['add', 'Fix prototype pollution']);
  told('', 'lead', ['dispatch', item, '--to', 'builder']);
  told('', 'builder', ['start', item]);
}

function honest() {
  repaired('repair');
  told('The repair of release 1.2.6, with its tests', 'mender', ['claim', item]);
  told('Somebody else has it verified', 'checker', ['verify', item], 5);
  told('And a third accepts it', 'lead', ['complete', item], 5);
  if (stateOf() === 'completed') count.accepted += 1;
  else count.wrong.push('the honest change was not accepted');
}

/** A second item, whose examples of use the lead brings along: the builder never sees them. */
async function subtle() {
  stage.branch('main');
  const examples = save(stage, 'examples.yaml', EXAMPLES);
  const words = ['add', 'Refuse to set constructors', '--criteria', 'package', '--acceptance', examples];
  told('The lead adds an item with examples of use, kept outside of the repository', 'lead', words);
  item = 'T-2';
  told('', 'lead', ['dispatch', item, '--to', 'builder']);
  await subtleCheats({ stage, refused, told, again, item });
  again();
  // The same change would count for the first item alone.
  repaired('repair-package', { 'CHANGES.md': 'Constructors cannot be set any more.\n' });
  told('The repair that says no more than it should', 'mender', ['claim', item], 1);
  told('', 'checker', ['verify', item], 5);
  told('', 'lead', ['complete', item], 3);
  if (stateOf() === 'completed') count.accepted += 1;
  else count.wrong.push('the honest repair of the package was not accepted');
}

function repaired(name, more = {}) {
  stage.branch(name);
  lay(stage, 'index.js', 'test');
  for (const [path, text] of Object.entries(more)) stage.write(path, text);
  stage.commit('Refuse to set constructors');
}

function offline() {
  const pack = newestPack();
  told('The proof pack', '', ['proof', 'verify', pack]);
  const pems = must('', ['audit', 'keys']).stdout.match(
    /-----BEGIN PUBLIC KEY-----[^-]*-----END PUBLIC KEY-----/g,
  );
  const keys = pems.map((pem, i) => save(stage, `key-${i + 1}.pem`, `${pem}\n`));
  const log = join(stage.root, 'log.jsonl');
  told('The whole log, exported', '', ['export', '--output', log]);
  const audit = join(ROOT, 'examples/offline-audit/verify-export.mjs');
  for (const file of [log, pack]) {
    const trusted = keys.flatMap((key) => ['--key', key]);
    const answer = stage.run(process.execPath, [audit, file, ...trusted]);
    print(['node verify-export.mjs', ...[file, ...trusted].map(short)].join(' '), answer, 3);
    if (answer.status !== 0) throw new Error(`the offline audit did not accept ${short(file)}`);
  }
}

/** One trick: its last word must be a refusal, and the item must not be where the trick wanted it. */
function refused(title, actor, args, prelude = () => {}) {
  number(title);
  prelude();
  const answer = show(actor, args, 4);
  judge(title, answer, ['verified', 'completed'].includes(stateOf()), 'refused');
}

/** The same where something else than the item must not have moved. */
function tried(title, actor, args, isThrough) {
  number(title);
  const answer = show(actor, args, 3);
  judge(title, answer, isThrough(), 'refused');
}

/** A forgery that nothing at this level can prevent: looking at it must show it. */
function found(title, args) {
  number(title);
  judge(title, show('', args, 4), false, 'found');
}

function judge(title, { status, stderr }, moved, what) {
  const worked = status === 0 || moved;
  // A command line that was not understood, or a program that fell over, has refused nothing.
  const broke = status === null || /^error: |this is a defect/m.test(stderr);
  if (worked || broke) count.wrong.push(`${title}: ${worked ? 'it worked' : 'the program broke'}`);
  else count[what] += 1;
  say(worked || broke ? '=> NOT REFUSED' : `=> ${what} (exit ${status})`);
}

function number(title) {
  count.tricks += 1;
  heading(`${count.tricks}. ${title}`);
}

/** A step of the story that is expected to work. */
function told(title, actor, args, lines = 2) {
  if (title !== '') heading(title);
  const answer = show(actor, args, lines);
  if (answer.status !== 0) throw new Error(`expected to work: ${words(actor, args)}\n${answer.stderr}`);
  return answer;
}

/** Past a block, on to the next attempt. */
function again() {
  if (stateOf() !== 'blocked') return;
  must('lead', ['ack', item]);
  must('lead', ['retry', item]);
  say('(the lead acknowledges the failures and starts a new attempt)');
}

function expectClean() {
  must('', ['audit', 'verify']);
  say('(put back as it was; the audit is clean again)');
}

function must(actor, args) {
  const answer = stage.cs(actor, args);
  if (answer.status !== 0) throw new Error(`${words(actor, args)}: ${answer.stderr}${answer.stdout}`);
  return answer;
}

/** The state as the log tells it; unknown while the store is damaged. */
function stateOf() {
  const { status, stdout } = stage.cs('', ['show', item, '--json']);
  return status === 0 ? JSON.parse(stdout).data.status : 'unknown';
}

/** The signed proof pack of the latest verification. */
function newestPack() {
  const { accountability } = JSON.parse(must('', ['show', item, '--json']).stdout).data;
  return join(stage.repo, accountability.signed_evidence);
}

function show(actor, args, lines) {
  const answer = stage.cs(actor, args);
  print(`countersign ${words(actor, args)}`, answer, lines);
  return answer;
}

function print(command, { stdout, stderr }, lines) {
  const said = `${stderr}${stdout}`.split('\n').filter((line) => line.trim() !== '');
  say(`$ ${command}`);
  for (const line of said.slice(0, lines)) say(`  ${line}`);
  if (said.length > lines) say(`  … ${said.length - lines} more lines`);
}

const words = (actor, args) =>
  [...(actor ? ['--actor', actor] : []), ...args.map(short)]
    .map((w) => (/\s/.test(w) ? `"${w}"` : w))
    .join(' ');
const short = (word) => word.split('/').at(-1);
const section = (title) => console.log(`\n== ${title} ==`);
const heading = (title) => console.log(`\n${title}`);
function say(line) {
  console.log(`   ${line}`);
}

function summary() {
  const { tricks, accepted, wrong } = count;
  const changes = `${accepted} honest change${accepted === 1 ? '' : 's'} accepted`;
  console.log(`\n${count.refused} tricks refused, ${count.found} forgeries found, ${changes}`);
  for (const what of wrong) console.log(`WRONG: ${what}`);
  const good = wrong.length === 0 && tricks > 0 && count.refused + count.found === tricks && accepted === 3;
  console.log(good ? 'Nothing was done until somebody else confirmed it.' : 'The demonstration failed.');
  console.log(
    'What is not prevented at this level (an agent that acts as you, a forged test report): SECURITY.md',
  );
  process.exitCode = good ? 0 : 1;
}

try {
  await story();
} catch (error) {
  count.wrong.push(error.message);
} finally {
  stage.close();
}
summary();
