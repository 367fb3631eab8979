import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres } from '../../src/store/postgres/open.ts';
import { bundlePrograms } from '../contracts/store-programs.ts';
import { type Cluster, startCluster } from '../postgres.ts';
import { histories, overlapping } from './histories.ts';
import { type Answer, isLinearizable, type Operation } from './linearizable.ts';

const read = (began: number, ended: number, version: number, command: string): Operation => ({
  ...{ began, ended, asked: { kind: 'read' }, answer: { kind: 'seen', version, command } },
});
const append = (
  began: number,
  ended: number,
  expected: number,
  command: string,
  answer?: Answer,
): Operation => ({
  ...{ began, ended: answer === undefined ? Number.POSITIVE_INFINITY : ended },
  ...{ asked: { kind: 'append', expected, command }, answer },
});
const DONE: Answer = { kind: 'committed' };

describe('the checker', () => {
  it.each<[string, boolean, readonly Operation[]]>([
    ['nothing', true, []],
    ['one after the other', true, [append(1, 2, 0, 'a', DONE), read(3, 4, 1, 'a')]],
    [
      'a read that saw what was on its way',
      true,
      [append(1, 9, 0, 'a', DONE), read(2, 3, 1, 'a'), read(2, 3, 0, '')],
    ],
    ['a read of what is long gone', false, [append(1, 2, 0, 'a', DONE), read(3, 4, 0, '')]],
    ['two that were both first', false, [append(1, 9, 0, 'a', DONE), append(1, 9, 0, 'b', DONE)]],
    ['a conflict with nobody', false, [append(1, 2, 0, 'a', { kind: 'conflict', actual: 1 })]],
    [
      'a conflict with what came later',
      false,
      [append(1, 2, 0, 'a', { kind: 'conflict', actual: 1 }), append(3, 4, 0, 'b', DONE)],
    ],
    ['a read back and forth', false, [append(1, 9, 0, 'a', DONE), read(2, 3, 1, 'a'), read(4, 5, 0, '')]],
    ['no answer, and done', true, [append(1, 2, 0, 'a'), read(8, 9, 1, 'a')]],
    ['no answer, and not done', true, [append(1, 2, 0, 'a'), read(8, 9, 0, '')]],
    ['no answer, done and undone', false, [append(1, 2, 0, 'a'), read(5, 6, 1, 'a'), read(8, 9, 0, '')]],
  ])('judges %s: %s', (_, wanted, history) => {
    expect(isLinearizable(history)).toBe(wanted);
    expect(isLinearizable([...history].reverse())).toBe(wanted);
  });
});

describe('histories of five processes on one item', () => {
  let cluster: Cluster;
  let folder: string;
  let url: string;
  beforeAll(async () => {
    cluster = startCluster();
    url = `${await cluster.database()}&schema=histories`;
    await (await openPostgres(url, { mode: 'create', repositoryId: 'r-1' })).close();
    folder = mkdtempSync(join(tmpdir(), 'countersign-histories-'));
    await bundlePrograms(folder, true);
  });
  afterAll(() => {
    cluster?.remove();
    rmSync(folder, { recursive: true });
  });

  it('are linearizable, 20 of 20', async () => {
    const all = await histories(folder, url, 20);
    expect(all.map((history) => history.length)).toEqual(all.map(() => 30));
    expect(all.filter((history) => !isLinearizable(history))).toEqual([]);
    expect(all.reduce((sum, history) => sum + overlapping(history), 0)).toBeGreaterThan(200);
    expect(all.flat().filter(({ answer }) => answer?.kind === 'conflict').length).toBeGreaterThan(20);
  });

  it.each(['no-version-check', 'stale-reads'])('of a broken store are found: %s', async (mutant) => {
    const all = await histories(folder, url, 5, mutant);
    expect(all.filter((history) => !isLinearizable(history)).length).toBeGreaterThan(0);
  });
});
