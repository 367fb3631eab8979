import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ToolCalls } from '../../src/engine/staged/tool-calls.ts';
import type { Crew } from './crew.ts';
import { crewAt, TASK } from './walk.ts';

const CONFIG = `staged:
  toolCalls:
    configuration: [pom.xml, checkstyle.xml]
    architecture: [docs/architecture.md]
`;
let crew: Crew;
let written = 0;
beforeAll(async () => {
  crew = await crewAt('REQUIREMENTS', { config: CONFIG });
});
afterAll(() => crew.close());

interface Use {
  readonly name: string;
  readonly input: Readonly<Record<string, string>>;
}
const read = (path: string): Use => ({ name: 'Read', input: { file_path: path } });
const main = (path: string) => read(join(crew.session.repo.top, path));
const lock = () => read(join(crew.tasks, TASK, 'task.json'));
const other: Use = { name: 'Glob', input: { pattern: '*' } };

/** A transcript, each call on a line of its own, as Claude Code writes them. */
async function measured(messages: readonly (readonly Use[])[], more: object = {}): Promise<ToolCalls> {
  const at = '2020-01-01T00:00:00.000Z';
  const lines = messages.flatMap((uses, n) =>
    uses.map((use) => ({
      ...{ type: 'assistant', isSidechain: false, timestamp: at, ...more },
      message: { id: `m-${n}`, role: 'assistant', content: [{ type: 'tool_use', id: `t-${n}`, ...use }] },
    })),
  );
  const path = join(crew.session.repo.root, `transcript-${written++}.jsonl`);
  const rest = ['{"type":"user","message":{"content":"go on"}}', 'no json', '{"type":"summary"}'];
  writeFileSync(path, [...rest, ...lines.map((line) => JSON.stringify(line))].join('\n'));
  const said = await crew.go('task', 'audit', TASK, '--transcript', path);
  // It is advice: a clean task stays clean.
  expect(said.code).toBe(0);
  return said.data.tool_calls as unknown as ToolCalls;
}
const both = () => [main('todo.md'), lock()];

test('PROTO-94: three messages with 1, 2 and 4 calls: 2.33 for each, and one of them is flagged', async () => {
  const found = await measured([[other], both(), [other, other, other, other]]);
  expect(found).toMatchObject({ messages: 3, calls: 7, average: 2.33, below: ['m-0'] });
  expect(found.warnings).toEqual(['1 of 3 messages have fewer than 2 calls']);
  const less = await measured([[other], both()]);
  expect(less.warnings).toContain('1.5 calls for each message, 2 are advised');
});

test('PROTO-91: the list and the lock are read in one message, or it is said; the check of a task reads both', async () => {
  const apart = 'todo.md and the lock of the task were not read in one message';
  expect((await measured([both()])).warnings).toEqual([]);
  expect(
    (
      await measured([
        [main('todo.md'), other],
        [lock(), other],
      ])
    ).warnings,
  ).toEqual([apart]);
  const check = { name: 'mcp__countersign__task_check', input: {} };
  expect((await measured([[check, other]])).warnings).toEqual([]);
  const line = { name: 'Bash', input: { command: `cat todo.md '${crew.tasks}/${TASK}/task.json'` } };
  expect((await measured([[line, other]])).warnings).toEqual([]);
});

test('PROTO-92: configured files are read in one message; one by one, it is said', async () => {
  expect((await measured([[...both(), main('pom.xml'), main('checkstyle.xml')]])).warnings).toEqual([]);
  const found = await measured([both(), [main('pom.xml'), other], [main('checkstyle.xml'), other]]);
  expect(found.warnings).toEqual(['configuration was read in 2 messages: pom.xml, checkstyle.xml']);
});

test('PROTO-93: what describes the architecture is read with the files that it is about', async () => {
  const design = 'docs/architecture.md';
  expect((await measured([[...both(), main(design), main('src/dates.js')]])).warnings).toEqual([]);
  const found = await measured([both(), [main(design), main('README.md')], [main('src/dates.js'), other]]);
  expect(found.warnings).toEqual([`read without the files that they are about: ${design}`]);
});

test('PROTO-94: what sub-agents did, and what came after INIT, is not counted; without a transcript nothing is measured', async () => {
  expect(await measured([[other]], { isSidechain: true })).toMatchObject({
    messages: 0,
    average: 0,
    warnings: [],
  });
  expect(await measured([[other]], { timestamp: '2031-01-01T00:00:00.000Z' })).toMatchObject({ messages: 0 });
  const { data } = await crew.go('task', 'audit', TASK);
  expect(data.tool_calls).toBeUndefined();
  expect((await crew.go('task', 'audit', TASK, '--transcript', 'no-such-file')).code).toBe(2);
});
