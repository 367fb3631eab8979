import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Fuzzed, fuzzedLines, fuzzedMessages, fuzzedPayloads } from '../fixtures/fuzzed-faces.ts';
import { lines, messages, namedMessages, payloads } from '../fixtures/fuzzed-input.ts';
import { openSession, type Session } from '../session.ts';
import { runs } from '../thoroughness.ts';
import { bring } from '../two-phase/bring.ts';

const RUNS = runs(500, 2_000);

let s: Session;
beforeAll(async () => {
  s = await openSession();
  await bring(s, 'claimed');
  // One of each protocol, which the inputs name.
  await s.say('', 'add', 'Planned', '--protocol', 'lifecycle');
  await s.say('', 'goal', 'create', 'Whole');
  await s.say('', 'add', 'Part', '--goal', 'GOAL-3');
});
afterAll(() => s.close());

async function taken<Input>(inputs: fc.Arbitrary<Input>, { take, close }: Fuzzed<Input>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(inputs, async (input) => {
      expect(await take(input)).toBe('');
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  await close();
  expect((await s.say('', 'audit', 'verify')).code).toBe(0);
}

test(`${RUNS} command lines: a documented answer to each`, () => taken(lines, fuzzedLines(s.composition)));
test(`${RUNS} payloads of hooks: exit code 0 or 2`, () => taken(payloads, fuzzedPayloads(s.repo.top, s.env)));
test(`${RUNS} lines to the server: it goes on answering`, async () =>
  taken(messages, await fuzzedMessages(s.composition, 'orchestrator')));

test.each(['lifecycle', 'goals', 'core'] as const)(
  `${RUNS} lines to the server with the tools of %s: it goes on answering`,
  async (profile) => taken(namedMessages, await fuzzedMessages(s.composition, 'orchestrator', profile)),
);
