import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killRounds } from '../../bench/crash/kills.ts';
import { OPERATIONS, PROJECTING } from '../../bench/crash/life.ts';
import { everyPoint, type PointResult, throwAt } from '../../bench/crash/points.ts';
import { unsoundnessWithAudit } from '../../bench/crash/soundness.ts';
import { addItems, type Bench, benchRepository, sessionOf } from '../../bench/scratch/repository.ts';
import { buildProgram, type Program } from '../cli/program.ts';
import { runs } from '../thoroughness.ts';

const KILLS = runs(25, 50);

// The full size is `npm run bench -- crash`. Death of a process is not loss of power: the kernel keeps what was written.

describe('a process of the command line, killed at a random moment', () => {
  let program: Program;
  let bench: Bench;
  beforeAll(async () => {
    program = buildProgram();
    bench = await benchRepository(PROJECTING);
  });
  afterAll(() => {
    bench.remove();
    program.remove();
  });

  it(`loses and doubles nothing it answered in ${KILLS} kills, and what it held is taken over`, async () => {
    const report = await killRounds(bench, program.path, KILLS, Math.random);
    expect(report.problems).toEqual([]);
    expect(report.kills).toBe(KILLS);
  });
});

describe.each(OPERATIONS)('$name, failing at each of its calls to the outside', (operation) => {
  it('leaves a sound store, and can be done by trying again', async () => {
    const results: PointResult[] = [];
    for await (const result of everyPoint(operation, throwAt)) results.push(result);
    expect(results.filter(({ problems }) => problems.length > 0)).toEqual([]);
    const calls = new Set(results.map(({ call }) => call));
    const expected = { claim: 'git.resolveClaim', verify: 'files.write', complete: 'files.read' };
    for (const call of [expected[operation.name], 'store.commit', 'evidence.put', 'files.project'])
      expect(calls).toContain(call);
  });
});

describe('the judge of these runs', () => {
  it('finds a view that is not the fold of the log, and a proof pack that was cut', async () => {
    const bench = await benchRepository();
    const session = await sessionOf(bench);
    const [id = ''] = await addItems(session, 1);
    for (const operation of OPERATIONS.slice(0, 2)) await operation.run(session, id);
    expect(await unsoundnessWithAudit(session.ports)).toEqual([]);
    const { store, files } = session.ports;
    const rows = (await store.allItems(0, 10)).map((row) => ({ ...row, state: 'completed' }));
    const lying = {
      ...session.ports,
      store: new Proxy(store, {
        get: (target, key) => {
          const value: unknown = key === 'allItems' ? async () => rows : Reflect.get(target, key, target);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      }),
      files: { ...files, read: (path: string) => files.read(path)?.subarray(1) },
    };
    const found = (await unsoundnessWithAudit(lying)).join('\n');
    expect(found).toContain('T-1: the view is not the fold of the log');
    expect(found).toMatch(/T-1: .*was changed/);
    await store.close();
    bench.remove();
  });
});
