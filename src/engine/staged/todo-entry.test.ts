import { describe, expect, test } from 'vitest';
import { todoEntry, todoNames } from './todo-entry.ts';

const entry = (name: string) =>
  `- \`${name}\`\n  - **Purpose**: dates\n  - **Scope**: src/x.js\n  - **Components**: dates\n`;
const LIST = `# Todo\n\n${entry('my-task')}${entry('other-one')}`;

test.each([
  ['scope-check', entry('scope-check'), ['scope-check']],
  ['components', '- Components page redesign, some day\n', []],
  ['purpose', '- purpose-built\n', ['purpose-built']],
])('an item that only begins with the word %s hides no task', (_, more, names) => {
  expect(todoNames(LIST + more)).toEqual(['my-task', 'other-one', ...names]);
  for (const name of ['my-task', ...names]) expect(todoEntry(LIST + more, name, [])).toBeDefined();
});

test.each([
  ['a heading', '## my-task\n\n- **Purpose**: dates\n\n### Acceptance\n\n- `dates` are read\n'],
  ['items', '- `my-task`\n  - **Purpose**: dates\n    - `parser`\n    - **printer** too\n'],
])('what stands below what a task is for is no task: %s', (_, more) => {
  expect(todoNames(`# Todo\n\n${more}`)).toEqual(['my-task']);
});

test.each(['**Purpose**: x', '**Purpose:** x', 'Purpose: x', '**Purpose** x', 'Purpose - x'])(
  'a field is known as %s',
  (field) => {
    expect(todoNames(`- \`my-task\`\n  - ${field}\n  - priority\n`)).toEqual(['my-task']);
  },
);

const WHOLE = '- **Purpose**: p\n- **Scope**: s\n- **Components**: c\n';

describe('PROTO-33: what stands over tasks hides none of them', () => {
  test.each([
    [
      'a list of what an entry needs',
      '# Todo\n\nEach entry has:\n\n- Purpose\n- Scope\n- Components\n\n## one\n- **Purpose**: x\n## two\n',
    ],
    [
      'that list, where no entry says anything yet',
      '# Todo\n\n- Purpose\n- Scope\n- Components\n\n## one\n## two\n',
    ],
    [
      'what an entry needs, each with what it is',
      `# acme\n\nEach entry has:\n\n${WHOLE}\n## one\n- **Purpose**: x\n\n## two\n`,
    ],
    [
      'the same under the name of the list, where no entry says anything yet',
      `# Todo\n${WHOLE}## one\n## two\n`,
    ],
    ['the same under more than a name', `# What is to do\n${WHOLE}\n- \`one\`\n- \`two\`\n`],
    ['the same over sections', `# acme\n${WHOLE}\n## Open\n- \`one\`\n  - Purpose: x\n- \`two\`\n`],
    [
      'what the project is for',
      '# Project\n## Purpose\nThis.\n## Scope\nThat.\n## Components\nAll.\n## Tasks\n- `one`\n- `two`\n',
    ],
    ['what the list is for', '# Todo\n- Purpose: of this year\n\n## one\n- **Purpose**: x\n## two\n'],
    ['the same in a paragraph', '# Todo\n\nPurpose: of this year\n\n- `one`\n- `two`\n'],
    ['the same as the first item', '# Todo\n- Scope: 2026\n- `one`\n  - **Purpose**: x\n- `two`\n'],
    ['an item of such a word', '# Todo\n- `one`\n- Scope\n- `two`\n'],
    [
      'a section with a scope',
      '## Backlog\n- **Scope**: 2026\n### `one`\n- **Purpose**: x\n### `two`\n- Purpose: y\n',
    ],
    [
      'a task over tasks',
      `# Todo\n## epic\n- **Purpose**: big\n### one\n${WHOLE}### two\n- **Purpose**: x\n`,
    ],
    ['one that says as much as they do', `# Todo\n## epic\n${WHOLE}### one\n${WHOLE}### two\n${WHOLE}`],
    [
      'a task over items',
      '- `epic`\n  - **Purpose**: big\n  - `one`\n    - **Purpose**: x\n  - `two`\n    - Scope: x\n',
    ],
    ['a section of such a word', '# Todo\n## Components\n### `one`\n- **Purpose**: x\n### two\n'],
  ])('%s', (_, text) => {
    expect(todoNames(text)).toEqual(['one', 'two']);
  });
});

test.each([
  ['paragraphs', '**Purpose**: x\n**Scope**: y\n**Components**: z\n### Acceptance\n- dates\n'],
  ['paragraphs apart', '- `first`\n\n**Purpose**: x\n\n### Acceptance\n'],
  ['headings', '### Purpose\nx\n### Scope\ny\n### Components\n- `z`\n### Notes\nScope: may grow\n'],
  ['items, over a part with a field of its own', `${WHOLE}### Notes\n- Scope: may grow\n- \`one\`\n`],
])('a task has its fields as %s', (_, fields) => {
  expect(todoNames(`# Todo\n\n## my-task\n${fields}\n## two\n**Purpose**: x\n`)).toEqual(['my-task', 'two']);
});

test.each([
  ['items below', `${WHOLE}## Notes\n- \`foo\`\n`],
  ['a scope of its notes', `${WHOLE}## Notes\n- Scope: may grow\n`],
  [
    'parts of its components',
    `- Purpose: p\n- Scope: s\n## Components\n### parser\n- Purpose: reads\n### printer\n`,
  ],
  [
    'items among its components',
    `- Purpose: p\n- Scope: s\n- Components:\n  - \`lib\`\n    - Scope: inner\n`,
  ],
])('a task may be all that is in a list, with %s', (_, more) => {
  expect(todoNames(`# my-task\n${more}`)).toEqual(['my-task']);
});

test('the entry of a task is no part of another one that has its name', () => {
  const text = `# Todo\n## my-task\n${WHOLE}- \`dates\`\n## dates\n- **Purpose**: own\n`;
  expect(todoEntry(text, 'dates', ['Purpose'])?.fields.Purpose).toBe('own');
});

test('a field with the next one below it says nothing', () => {
  const found = todoEntry('## one\n- Purpose\n- Scope\n- Components\n', 'one', [
    'Purpose',
    'Scope',
    'Components',
  ]);
  expect(found?.fields).toEqual({ Purpose: '', Scope: '', Components: '' });
});

test('a long list is read in one walk', () => {
  const list = Array.from({ length: 4000 }, (_, n) => `## task-${n}\n\n${WHOLE}`).join('\n');
  const start = performance.now();
  expect(todoNames(`# Todo\n\n${list}`)).toHaveLength(4000);
  expect(performance.now() - start).toBeLessThan(10_000);
});
