import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { AGENTS, agentText } from './claude-code.ts';

const plugin = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../../plugins/claude-code/${path}`, import.meta.url)), 'utf8');
const front = (text: string) => parse(text.split(/^---$/m)[1] ?? '');

test.each(AGENTS)('the front matter of %s is YAML, also in the plugin', (name) => {
  for (const text of [agentText(name), plugin(`agents/${name}.md`)])
    expect(front(text)).toEqual({
      name,
      description: expect.stringMatching(/^[A-Z].+\.$/),
      tools: expect.stringContaining('Read'),
    });
  expect(front(plugin('skills/countersign/SKILL.md')).name).toBe('countersign');
});

test('no agent is told to do what it has no tool for, and each says who completes', () => {
  for (const name of AGENTS) {
    const text = agentText(name);
    expect(text).toContain('for a person alone');
    for (const told of ['Add items', 'then retry it', 'Complete what reads verified'])
      expect([name, told, text.includes(told)]).toEqual([name, told, false]);
  }
});

test('the skill of the plugin names the verifier as the plugin brings it', () => {
  expect(plugin('skills/countersign/SKILL.md')).toContain('`countersign:countersign-verifier`');
});
