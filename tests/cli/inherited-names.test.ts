import { expect, it } from 'vitest';
import { misplaced } from '../../src/engine/audit/shapes.ts';
import { activeForm } from '../../src/engine/todo.ts';
import { eachAtADesk } from './each-desk.ts';
import type { Desk, Program } from './program.ts';
import { CONFIG, openDesk } from './program.ts';

// What people name may be named like something that every object inherits.
let program: Program;
let desk: Desk;
eachAtADesk((opened, built) => {
  desk = opened;
  program = built;
});
const INHERITED = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];

it('a title may begin with any word', () => {
  expect(desk.say('add', 'Constructor injection').data.activeForm).toBe('Implementing Constructor injection');
  desk.repo.write('todo.json', JSON.stringify([{ content: '__proto__', status: 'pending' }]));
  desk.run('import', 'todo', 'todo.json');
  expect(desk.say('show', 'T-2').data.activeForm).toBe('Implementing __proto__');
  for (const word of INHERITED)
    expect(activeForm(`${word} guard`, 'pending', false)).toBe(`Implementing ${word} guard`);
});

it.each(INHERITED)('%s is no protocol, no list, no role and no item', (name) => {
  expect(desk.run('protocol', 'show', name).code).toBe(5);
  expect(desk.say('list', '--list', name).data.items).toEqual([]);
  expect(desk.run('actor', 'add', 'x', '--role', name).code).toBe(2);
  expect(desk.run('show', name).code).toBe(5);
});

it('a list may be called constructor', () => {
  expect(desk.say('add', 'Work', '--list', 'constructor').code).toBe(0);
  expect(desk.say('list', '--list', 'constructor').data.items).toHaveLength(1);
});

it.each(INHERITED)('%s is no event and no stream of a log', (name) => {
  expect(misplaced('item/1', { type: name })).toMatchObject({ kind: 'broken' });
  expect(misplaced(`${name}/1`, { type: 'length' })).toMatchObject({ kind: 'doubt' });
});

it('a configuration names no protocol by them', () => {
  const other = openDesk(program, { '.countersign/config.yaml': 'protocol: constructor\n' });
  expect(other.say('add', 'Work')).toMatchObject({ code: 2, error: { code: 'UNKNOWN_PROTOCOL' } });
  other.remove();
});

it('a projection may be written to a file of such a name', () => {
  const config = `${CONFIG}projections: {todo: constructor}\n`;
  const other = openDesk(program, { '.countersign/config.yaml': config });
  other.repo.write('constructor', 'of somebody else\n');
  const told = other.run('add', 'Work');
  expect([told.code, told.err]).toEqual([0, expect.stringContaining('constructor')]);
  expect(other.run('show', 'T-1').code).toBe(0);
  other.remove();
});
