import { describe, expect, it } from 'vitest';
import { agent, given, NOW } from '../../tests/given.ts';
import { defineProtocol } from './define-protocol.ts';
import { dueAt, elapsedEvents } from './timeouts.ts';

const minutesLater = (minutes: number) => new Date(Date.parse(NOW) + minutes * 60_000).toISOString();
const ann = agent('ann', ['dev']);
const slow = defineProtocol({
  name: 'slow',
  roles: ['dev'],
  initial: 'working',
  states: {
    working: { category: 'WORKING', allowance: 100 },
    resting: { category: 'QUEUED' },
  },
  rows: [
    { from: 'working', command: 'note', to: '@same', by: 'dev' },
    { from: 'working', command: 'rest', to: 'resting', by: 'dev' },
    { from: 'resting', command: 'work', to: 'working', by: 'dev' },
  ],
});

describe('time thresholds', () => {
  it('tells 80, 100 and 150 percent once each, and moves nothing', () => {
    let story = given(slow, [ann]);
    const told: number[] = [];
    for (const minute of [79, 80, 81, 100, 120, 149, 150, 400]) {
      for (const event of elapsedEvents(slow, story.item, minutesLater(minute))) {
        told.push(event.percent);
        const state = story.item.state;
        story = story.moves(event);
        expect(story.item.state).toBe(state);
      }
    }
    expect(told).toEqual([80, 100, 150]);
    expect(elapsedEvents(slow, story.item, minutesLater(10_000))).toEqual([]);
    expect(dueAt(slow, story.item)).toBe('');
  });

  it('tells all that passed at once after a long silence', () => {
    const events = elapsedEvents(slow, given(slow, [ann]).item, minutesLater(151));
    expect(events.map((e) => [e.type, e.state, e.percent])).toEqual([
      ['elapsed', 'working', 80],
      ['elapsed', 'working', 100],
      ['elapsed', 'working', 150],
    ]);
  });

  it('says when the next is due', () => {
    expect(dueAt(slow, given(slow, [ann]).item)).toBe(minutesLater(80));
  });

  it('begins anew when the state is entered again, not when a row stays', () => {
    const told = given(slow, [ann]).moves({
      type: 'elapsed',
      at: NOW,
      by: 'engine',
      state: 'working',
      percent: 80,
      due: '',
    });
    expect(told.does('note', { by: ann, at: minutesLater(5) }).item.elapsed).toEqual([80]);
    const back = told.does('rest', { by: ann }).does('work', { by: ann, at: minutesLater(200) });
    expect(back.item.elapsed).toEqual([]);
    expect(dueAt(slow, back.item)).toBe(minutesLater(280));
  });

  it('an item may have an allowance of its own, and a state none', () => {
    expect(dueAt(slow, given(slow, [ann], { 'allowance.working': '10' }).item)).toBe(minutesLater(8));
    const resting = given(slow, [ann]).does('rest', { by: ann });
    expect(elapsedEvents(slow, resting.item, minutesLater(10_000))).toEqual([]);
  });
});
