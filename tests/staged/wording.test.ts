import { afterEach, describe, expect, test } from 'vitest';
import { lintWording, type Said } from '../../src/engine/staged/wording.ts';
import { AGENTS, type Crew } from './crew.ts';
import { crewAt, PLANNED, TASK } from './walk.ts';

const lint = (text: string, said: Said) => lintWording(text, { said, task: TASK, agents: AGENTS });
const rules = (text: string, said: Said) => lint(text, said).map(({ level, rule }) => `${level} ${rule}`);

describe('the wording of a plan', () => {
  test.each([
    'architect agent implements core interfaces in its worktree',
    'architect agent implements core interfaces in /workspace/tasks/{task}/agents/architect/code',
    'Main agent invokes architect via Task tool -> architect implements Phase 1-2',
    'Stakeholder agents implement in parallel (main agent coordinates via Task tool)',
    'main agent invokes architect',
  ])('PROTO-296: a line that names who, by whom and where passes: %s', (line) => {
    expect(lint(line, 'plan')).toEqual([]);
  });

  test('PROTO-297: who implements without who calls and where is a warning, with a way to say it', () => {
    expect(lint('## Phases\n\n1. architect implements Phase 1-2\n', 'plan')).toEqual([
      {
        line: 3,
        level: 'warning',
        rule: 'who-and-where',
        found: 'architect implements',
        instead:
          'the main agent invokes architect, and architect agent implements it in its worktree agents/architect/code',
      },
    ]);
    expect(rules('2. the security agent implements the check', 'plan')).toEqual(['warning who-and-where']);
  });

  test.each([
    ['Main agent implements Phase 1-2 following architect requirements', 'error main-agent-implements'],
    ['The coordinator writes the parser', 'error main-agent-implements'],
    ['I will implement the feature based on the approved plan', 'error own-hands'],
  ])('PROTO-298: a plan in which the main agent builds is an error: %s', (line, found) => {
    expect(rules(line, 'plan')).toEqual([found]);
  });

  test('what stands in a fence is an example and no plan', () => {
    expect(lint('```\nMain agent implements it\n```\n', 'plan')).toEqual([]);
    expect(rules('```\nx\n```\nMain agent implements it\n', 'plan')).toEqual(['error main-agent-implements']);
  });
});

describe('what a coordinator says after the approval', () => {
  test.each([
    [
      'I will now implement the feature...',
      'I will coordinate stakeholder agents to implement the feature...',
    ],
    [
      'Let me create the core classes...',
      'I will coordinate stakeholder agents to create the core classes...',
    ],
    ["I'll start by implementing the parser", 'I will coordinate stakeholder agents to implement the parser'],
    [
      "First, I'll write the implementation",
      'I will coordinate stakeholder agents to write the implementation',
    ],
    ['First, I’ll write the tests', 'I will coordinate stakeholder agents to write the tests'],
  ])('PROTO-301: "%s" is flagged and rephrased', (line, instead) => {
    expect(lint(line, 'coordinator')).toMatchObject([{ level: 'error', rule: 'own-hands', instead }]);
    // What is said instead is not flagged again.
    expect(lint(instead, 'coordinator')).toEqual([]);
  });

  test.each([
    'I am now entering IMPLEMENTATION state. Launching stakeholder agents in parallel.',
    'I will write the summary into task.md',
    'I will invoke architect and tester',
    'Let me look at the reports',
  ])('what a coordinator does itself is not: %s', (line) => {
    expect(lint(line, 'coordinator')).toEqual([]);
  });
});

describe('the answer to somebody who asked for a change', () => {
  test('PROTO-114: options are not offered', () => {
    const said = 'Would you like me to: 1) transition back, 2) wait, 3) create follow-up task?';
    expect(lint(`Understood.\n${said}`, 'change-request')).toMatchObject([
      {
        line: 2,
        level: 'error',
        rule: 'offers-options',
        instead: expect.stringContaining(`countersign task request-change ${TASK}`),
      },
    ]);
    expect(rules('Do you want the change now or in a follow-up?', 'change-request')).toEqual([
      'error offers-options',
    ]);
  });

  test('PROTO-115: that a hook blocked an agent is not reported with options', () => {
    expect(rules('The hook blocked agent invocation. Options: wait, or skip it.', 'change-request')).toEqual([
      'error reports-a-block',
      'error offers-options',
    ]);
  });

  test.each([
    'Should I transition back to IMPLEMENTATION to make these changes?',
    'Shall we go back to IMPLEMENTATION?',
    'Would you like me to transition back?',
  ])('PROTO-116: whether to go back is not asked: %s', (said) => {
    expect(rules(said, 'change-request')).toContain('error asks-for-permission');
  });

  test.each([
    'Going back to IMPLEMENTATION for these changes.',
    'The date is read as ISO 8601. What else would help you to judge it?',
  ])('an answer that goes on, or explains, passes: %s', (said) => {
    expect(lint(said, 'change-request')).toEqual([]);
  });
});

describe('countersign task lint', () => {
  let crew: Crew;
  afterEach(() => crew.close());

  test('PROTO-296, PROTO-297, PROTO-298: it judges the plan of the task, and fails for errors alone', async () => {
    crew = await crewAt('SYNTHESIS');
    const path = `${crew.tasks}/${TASK}/task.md`;
    const plan = (line: string) => crew.write(path, PLANNED().replace(/^1\. architect.*$/m, line));
    plan('1. architect agent implements it in its worktree; the coordinator invokes it.');
    expect(await crew.go('task', 'lint', TASK)).toMatchObject({ code: 0, data: { findings: [] } });
    plan('1. architect implements Phase 1');
    expect(await crew.go('task', 'lint', TASK)).toMatchObject({
      code: 0,
      data: { findings: [{ level: 'warning', rule: 'who-and-where' }] },
    });
    plan('1. Main agent implements Phase 1');
    const said = await crew.text(crew.code, 'lead', 's-1', 'task', 'lint', TASK);
    expect(said.code).not.toBe(0);
    expect(said.out).toContain('say: the main agent invokes a stakeholder agent');
  });

  test('PROTO-301: it judges a reply by the state of the task', async () => {
    crew = await crewAt('SYNTHESIS');
    const reply = (text: string) => crew.go('task', 'lint', TASK, '--reply', text);
    expect((await reply('Let me create the core classes')).code).not.toBe(0);
    expect((await reply('I will coordinate stakeholder agents')).code).toBe(0);
  });
});
