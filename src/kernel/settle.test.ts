import { describe, expect, it } from 'vitest';
import { agent, given, NOW } from '../../tests/given.ts';
import { defineProtocol } from './define-protocol.ts';
import { members } from './guards/members.ts';
import { settle } from './settle.ts';

const ann = agent('ann', ['dev']);
const chain = defineProtocol({
  name: 'chain',
  roles: ['dev'],
  initial: 'a',
  states: { a: { category: 'QUEUED' }, b: { category: 'WORKING' }, c: { category: 'CLOSED', final: true } },
  groups: ['tasks'],
  rows: [
    {
      from: 'a',
      command: '',
      to: 'b',
      by: 'engine',
      requires: [members('tasks', ['started', 'done'], 'some')],
    },
    { from: 'b', command: '', to: 'c', by: 'engine', requires: [members('tasks', ['done'], 'all', 1)] },
  ],
});
const noted = (member: string, state: string) =>
  ({
    type: 'noted',
    at: NOW,
    by: 'policy',
    group: 'tasks',
    member,
    state,
    category: '',
    asked: '',
    marks: {},
    moves: [],
  }) as const;

describe('settle', () => {
  it('takes rows without a command until nothing moves, in the name of the engine', () => {
    const story = given(chain, [ann]).moves(noted('t1', 'done'));
    expect(story.item.state).toBe('c');
    expect(story.events.slice(2)).toMatchObject([
      { type: 'moved', from: 'a', to: 'b', by: 'engine', command: '' },
      { type: 'moved', from: 'b', to: 'c', by: 'engine' },
    ]);
  });

  it('rests where the gate is closed', () => {
    expect(given(chain, [ann]).item.state).toBe('a');
    expect(given(chain, [ann]).moves(noted('t1', 'started')).item.state).toBe('b');
  });

  it('a member can leave the group again', () => {
    const story = given(chain, [ann]).moves(noted('t1', 'waiting'));
    expect(story.moves(noted('t1', '')).item.members.tasks).toEqual({});
  });

  it('says so when the table goes round in circles', () => {
    const circle = defineProtocol({
      name: 'circle',
      roles: ['dev'],
      initial: 'a',
      states: { a: { category: 'QUEUED' }, b: { category: 'QUEUED' } },
      rows: [
        { from: 'a', command: '', to: 'b', by: 'engine' },
        { from: 'b', command: '', to: 'a', by: 'engine' },
      ],
    });
    const item = { ...given(chain, [ann]).item, state: 'a' };
    expect(settle(circle, item, { roster: [], groups: {} }, NOW).loop).toBe(true);
  });
});
