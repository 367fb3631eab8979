import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { team } from './faces/wire.ts';
import { type Figure, figure, type MeasureOptions, median } from './figure.ts';
import { addItems, type Bench, benchRepository, sessionOf } from './scratch/repository.ts';

const ITEMS = 10_000;
const ROUNDS = 41;
const WARM_UP = 3;
const GOAL = 'ratio <= 1.25';

/**
 * Whole hook processes on a repository with 10,000 items and a claim in the hands of the session, started in turn with a
 * Node that does nothing: a file is written, a shell line is run, a turn ends and is kept from it.
 */
export async function measure(options: MeasureOptions): Promise<readonly Figure[]> {
  const bench = await benchRepository();
  try {
    await team(bench);
    const session = await sessionOf(bench);
    await addItems(session, ITEMS);
    await session.ports.store.close();
    const claimed = spawnSync(process.execPath, [options.bin, '--actor', 'builder', 'claim', 'T-1'], {
      cwd: bench.top,
      env: bench.env,
      encoding: 'utf8',
    });
    if (claimed.status !== 0) throw new Error(claimed.stderr);
    const uses = (tool_name: string, tool_input: object) => ({
      hook_event_name: 'PreToolUse',
      tool_name,
      tool_input,
    });
    const hook = join(dirname(options.bin), 'countersign-hook.cjs');
    const ask = (event: object) =>
      run(bench, [hook, 'claude-code', '--actor', 'builder'], payload(bench, event));
    ask(uses('mcp__countersign__item_claim', { item: 'T-1' }));
    const events: Readonly<Record<string, object>> = {
      write: uses('Write', { file_path: join(bench.top, 'src/main.js'), content: 'x' }),
      shell: uses('Bash', { command: 'npm test > out.txt 2>&1; git status' }),
      stop: { hook_event_name: 'Stop', stop_hook_active: false },
    };
    const names = Object.keys(events);
    const times = new Map(['node', ...names].map((name) => [name, [] as number[]]));
    for (let round = 0; round < WARM_UP + ROUNDS; round++) {
      const took = (name: string, milliseconds: number) => {
        if (round >= WARM_UP) times.get(name)?.push(milliseconds);
      };
      took('node', run(bench, ['-e', '0'], '').milliseconds);
      for (const name of names) {
        const { milliseconds, out } = ask(events[name] as object);
        // After three reminders the answer is another one; what is measured is the look at the store.
        if (name === 'stop' && !out.includes('T-1')) throw new Error(`the turn was not kept: ${out}`);
        took(name, milliseconds);
      }
    }
    const bare = times.get('node') ?? [];
    return names.map((name) => {
      const own = times.get(name) ?? [];
      const value = median(own);
      const ratio = median(own.map((milliseconds, n) => milliseconds / (bare[n] ?? 0)));
      const floor = { name: 'node -e 0', value: value / ratio };
      const unit = `ms a process, ${ITEMS} items`;
      return figure({ figure: `hook ${name}`, n: ROUNDS, value, unit, floor, goal: GOAL }, options);
    });
  } finally {
    bench.remove();
  }
}

const payload = ({ top }: Bench, event: object) =>
  JSON.stringify({ session_id: 'bench', transcript_path: '/t.jsonl', cwd: top, ...event });

function run({ top, env }: Bench, words: readonly string[], input: string) {
  const began = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: top,
    env,
    input,
    encoding: 'utf8',
  });
  const milliseconds = performance.now() - began;
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`);
  return { milliseconds, out: stdout };
}
