import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ADAPTERS, adapterNamed } from './adapters/index.ts';
import { listenTo } from './listener.ts';

const heardBy = (name: string, pieces: readonly (string | Uint8Array)[]) => {
  const listener = listenTo(adapterNamed(name));
  for (const piece of pieces) listener.hear(Buffer.from(piece));
  listener.finish();
  return listener.heard;
};

const line = (value: object) => `${JSON.stringify(value)}\n`;

it('hears the same however the stream is cut', () => {
  const stream = Buffer.from(
    line({ type: 'text', part: { text: 'erst äöü 😀' } }) +
      line({ type: 'step_finish', part: { cost: 0.25 } }) +
      line({ type: 'text', part: { text: 'zuletzt 😀' } }),
  );
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length), { maxLength: 8 }), (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), stream.length];
      const pieces = at.slice(1).map((end, n) => stream.subarray(at[n], end));
      expect(heardBy('opencode', pieces)).toEqual({ said: 'zuletzt 😀', costUsd: 0.25 });
    }),
  );
});

it('never throws, whatever comes', () => {
  const bytes = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 50 }),
      fc.json().map((text) => Buffer.from(`${text}\n`)),
    ),
  );
  fc.assert(
    fc.property(fc.constantFrom(...ADAPTERS), bytes, ({ name }, pieces) => {
      const { said, costUsd } = heardBy(name, pieces);
      expect([typeof said, Number.isFinite(costUsd)]).toEqual(['string', true]);
    }),
  );
});

it('keeps the end of long words, and no half of a character', () => {
  const { said } = heardBy('command', [`${'😀'.repeat(1500)}x\n`]);
  expect(said.length).toBeLessThanOrEqual(2000);
  expect(said).toBe(`${'😀'.repeat(999)}x`);
});

it('does not read a line that is longer than any event, and goes on after it', () => {
  const long = Buffer.alloc(2 ** 20, 'x');
  const pieces = [...Array.from({ length: 10 }, () => long), Buffer.from('\nafter\n')];
  expect(heardBy('command', pieces).said).toBe('after');
});

it('takes the total where there is one, and adds up steps where not', () => {
  const result = line({ type: 'result', subtype: 'success', result: 'done', total_cost_usd: 0.5 });
  expect(heardBy('claude-code', [result, result])).toEqual({ said: 'done', costUsd: 0.5 });
  const step = line({ type: 'step_finish', part: { cost: 0.5 } });
  expect(heardBy('opencode', [step, step]).costUsd).toBe(1);
  expect(heardBy('opencode', [line({ type: 'step_finish', part: { cost: -5 } }), step]).costUsd).toBe(0.5);
});
