// The part with headless agents: processes that the engine starts, that speak MCP to it, and that follow a script each.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const AGENT = fileURLToPath(new URL('../../tests/fixtures/agents/scripted-agent.mjs', import.meta.url));
const START = [process.execPath, AGENT, '--mcp', '{mcp}'];
/** Reviewers are told what is reviewed and nothing else: their script lies in a file of their name. */
const reading = (name) => [
  'sh',
  '-c',
  'COUNTERSIGN_SCRIPT="$XDG_STATE_HOME/../$0.json" exec "$@"',
  name,
  ...START,
];
const agent = (name, command) => `  ${name}: {adapter: command, command: ${JSON.stringify(command)}}`;

/** Who can be started, and that each phase has two friendly reviewers and a careful one. */
export const AGENTS = `agents:
${agent('builder', START)}
${agent('friend', reading('friend'))}
${agent('careful', reading('careful'))}
phases: {reviewers: 3, reviewer_agents: [friend, friend, careful]}
`;

const WRONG = 'Nobody sets a property of every object by --constructor.';
const RIGHT = 'Nobody sets a property of every object, by --constructor or by --__proto__.';

const progress = (status, message, expect = 'taken') => ({
  call: 'update_agent_progress',
  arguments: { status, message },
  expect,
});

/** An agent that first says that it is complete, and then commits its work. */
const order = (text) => {
  const steps = [
    { write: 'SECURITY.md', text: `${text}\n` },
    progress('completed', 'All of it is done', 'refused'),
    { commit: 'Say what is kept out' },
    progress('completed', 'SECURITY.md says what is kept out'),
  ];
  return `Write SECURITY.md.\n\n\`\`\`script\n${JSON.stringify(steps)}\n\`\`\`\n`;
};

/** A task in phases: a builder that lies, reviewers of whom one finds what is critical, and whoever would lead it past them. */
export async function headlessAgents({ stage, told, tried, say }) {
  const verdicts = (name, verdict, findings = []) => {
    const given = { review_id: '{{env.COUNTERSIGN_ACTOR}}', verdict, findings };
    const steps = [{ call: 'submit_review_verdict', arguments: given, expect: 'taken' }];
    writeFileSync(join(stage.root, `${name}.json`), JSON.stringify(steps));
  };
  verdicts('friend', 'approve');
  const where = { path: 'SECURITY.md', line: 1, quote: WRONG };
  verdicts('careful', 'reject', [{ severity: 'critical', title: '__proto__ is left open', ...where }]);

  const plan = ['phase', 'plan', 'Tell users', '--phase', 'Words=SECURITY.md names every way that is closed'];
  const phase = /(PHASE-\d+) is active/.exec(told('Its conductor plans a task', 'conductor', plan).stdout)[1];
  const statusOf = () => JSON.parse(stage.cs('', ['--json', 'phase', 'status', phase]).stdout).data;
  const built = async (title, text) => {
    const file = join(stage.root, 'order.md');
    writeFileSync(file, order(text));
    const deploy = ['phase', 'deploy', phase, '--prompt-file', file];
    const [agent] = /agent-\d+/.exec(told(title, 'conductor', deploy, 1).stdout);
    const review = await judged(statusOf);
    const { stdout } = stage.cs('conductor', ['agent', 'output', agent]);
    const [{ because }] = JSON.parse(/: refused (.*)/.exec(stdout)[1]).missing;
    say(`(it said too early that it was complete: refused, as ${because.split('/').at(-1)})`);
    return review;
  };
  const review = await built(
    'It starts an agent: a process of its own, with a token and a working tree',
    WRONG,
  );
  told('Two of three reviewers approve, one finds something critical', '', ['phase', 'review', phase], 6);

  const isThrough = () => statusOf().guidance.status === 'APPROVED';
  tried('Outvoted is not approved: go on all the same', 'conductor', ['phase', 'advance', phase], isThrough);
  tried('Give a verdict yourself', 'conductor', ['phase', 'verdict', review, 'approve'], isThrough);
  const force = ['phase', 'approve', phase, '--force', '--reason', 'two of three'];
  tried('Approve it by force', 'conductor', force, isThrough);
  tried('Ask other reviewers about the same work', 'conductor', ['phase', 'trigger', phase], isThrough);

  verdicts('careful', 'approve');
  await built('Another agent mends it, and new reviewers read', RIGHT);
  told('They approve, and the task is done', 'conductor', ['phase', 'advance', phase]);
  await gone(stage);
  say('(every agent and reviewer has ended, and their trees are gone)');
  return statusOf().guidance.status === 'COMPLETED';
}

const PATIENCE_MS = 60_000;
const OPEN = ['ACTIVE', 'REVISING', 'AWAITING_REVIEW', 'UNDER_REVIEW'];

/** Waits until the reviewers have spoken; answers their review. */
async function judged(statusOf) {
  for (const until = Date.now() + PATIENCE_MS; ; await pause(200)) {
    const { guidance, review } = statusOf();
    if (!OPEN.includes(guidance.status)) return review.review_id;
    if (Date.now() > until) throw new Error(`the reviewers said nothing: ${guidance.action}`);
  }
}

/** Waits until nobody works any more. */
async function gone(stage) {
  const trees = `${stage.repo}.agents`;
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await pause(200)) {
    stage.cs('', ['tick']);
    if (!existsSync(trees) || readdirSync(trees).length === 0) return;
  }
  throw new Error(`somebody still works in ${trees}`);
}
