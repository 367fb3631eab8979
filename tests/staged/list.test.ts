import { expect, test } from 'vitest';
import { todoEntry, todoNames } from '../../src/engine/staged/todo-entry.ts';

const LIST = `# Todo

## other-task

- **Priority**: high
- **Purpose**: p
- **Scope**: s
- **Order**: before parse-dates

## After parse-dates

## parse-dates

- **Purpose**: dates
- **Status**: open

## Backlog

- **fix-login**: it fails
  - **Purpose**: q
  - **Priority**: low
- \`old\` one
`;

test('PROTO-33: what an entry says beside its purpose is no task of its own, and does not hide the entry', () => {
  expect(todoNames(LIST)).toEqual(['other-task', 'parse-dates', 'fix-login', 'old']);
});

test('PROTO-33: the entry of a task is the one of its name, also where others name it before', () => {
  expect(todoEntry(LIST, 'parse-dates', ['Purpose'])?.fields.Purpose).toBe('dates');
  expect(todoEntry(LIST, 'fix-login', ['Purpose'])?.fields.Purpose).toBe('q');
});
