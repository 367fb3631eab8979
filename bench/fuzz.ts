import fc from 'fast-check';
import { type Fuzzed, fuzzedLines, fuzzedMessages, fuzzedPayloads } from '../tests/fixtures/fuzzed-faces.ts';
import { lines, messages, payloads } from '../tests/fixtures/fuzzed-input.ts';
import { team } from './faces/wire.ts';
import { type Figure, figure, type MeasureOptions } from './figure.ts';
import { addItems, benchRepository, sessionOf } from './scratch/repository.ts';

const INPUTS = 200_000;

/** Fuzzed command lines, hook payloads and lines to the MCP server: none may crash, hang, or be answered outside of the contract. */
export async function measure(options: MeasureOptions): Promise<readonly Figure[]> {
  const bench = await benchRepository();
  try {
    await team(bench);
    const session = await sessionOf(bench);
    await addItems(session, 20);
    await session.ports.store.close();
    const composition = bench.compose();
    const share = Math.floor(INPUTS / 3);
    const faults = [
      await faultsOf(lines, fuzzedLines(composition), share),
      await faultsOf(payloads, fuzzedPayloads(bench.top, bench.env), share),
      await faultsOf(messages, await fuzzedMessages(composition, 'lead'), INPUTS - 2 * share),
    ].flat();
    for (const fault of faults.slice(0, 20)) console.error(fault);
    const unit = 'inputs that crashed, hung or broke the contract';
    return [figure({ figure: 'fuzz', n: INPUTS, value: faults.length, unit, goal: 'value = 0' }, options)];
  } finally {
    bench.remove();
  }
}

async function faultsOf<Input>(
  inputs: fc.Arbitrary<Input>,
  { take, close }: Fuzzed<Input>,
  count: number,
): Promise<readonly string[]> {
  const faults: string[] = [];
  await fc.assert(
    fc.asyncProperty(inputs, async (input) => {
      const fault = await take(input);
      if (fault !== '') faults.push(`${JSON.stringify(input).slice(0, 300)}: ${fault}`);
    }),
    { numRuns: count },
  );
  await close();
  return faults;
}
