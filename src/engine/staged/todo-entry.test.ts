import { expect, test } from 'vitest';
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
