import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job, Store, StoreContent } from '../../src/store/store.ts';
import { append, commitOf, type OpenedStore, type OpenStore } from './store-samples.ts';

const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`;

/** Side effects: leases with fencing tokens. */
export function jobsContract(open: OpenStore): void {
  describe('jobs', () => {
    let opened: OpenedStore;
    let store: Store & StoreContent;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
      const jobs = ['a', 'b', 'c'].map((key, n) => ({
        topic: 'verify',
        key,
        payload: `p-${key}`,
        availableAt: at(n),
      }));
      await store.commit(commitOf('seed', { appends: [append('s', 0, 'x')], jobs }));
    });
    afterEach(() => opened.dispose());

    const claim = (now: string, until: string, owner: string, limit = 10, key?: string) =>
      store.claim('verify', now, limit, until, owner, key);
    const fenced = (id: string, key: string, token: number, finish: boolean) =>
      store.commit(
        commitOf(id, { appends: [append(id, 0, 'done')], fences: [{ topic: 'verify', key, token, finish }] }),
      );
    const keys = (jobs: readonly Job[]) => jobs.map((job) => job.key);

    it('leases what is available, the longest waiting first, and only once', async () => {
      expect(await claim(at(1), at(10), 'w1')).toEqual([
        {
          topic: 'verify',
          key: 'a',
          payload: 'p-a',
          availableAt: at(0),
          fence: 1,
          owner: 'w1',
          leaseUntil: at(10),
          finished: false,
        },
        {
          topic: 'verify',
          key: 'b',
          payload: 'p-b',
          availableAt: at(1),
          fence: 1,
          owner: 'w1',
          leaseUntil: at(10),
          finished: false,
        },
      ]);
      expect(keys(await claim(at(5), at(10), 'w2'))).toEqual(['c']);
      expect(await claim(at(9), at(10), 'w3')).toEqual([]);
      expect(await store.claim('other', at(9), 10, at(10), 'w')).toEqual([]);
    });

    it('keeps to the limit and to the key asked for', async () => {
      expect(keys(await claim(at(5), at(10), 'w', 1))).toEqual(['a']);
      expect(keys(await claim(at(5), at(10), 'w', 10, 'c'))).toEqual(['c']);
      expect(await claim(at(5), at(10), 'w', 10, 'c')).toEqual([]);
      expect(await claim(at(5), at(10), 'w', 0, 'b')).toEqual([]);
      expect(await claim(at(5), at(10), 'w', 0)).toEqual([]);
    });

    it('ignores a job whose key is there, also when that one is finished', async () => {
      const repeated = { topic: 'verify', key: 'a', payload: 'new', availableAt: at(0) };
      await store.commit(commitOf('c1', { jobs: [repeated] }));
      expect((await store.job('verify', 'a'))?.payload).toBe('p-a');
      await claim(at(0), at(10), 'w');
      await fenced('f1', 'a', 1, true);
      await store.commit(commitOf('c2', { jobs: [repeated] }));
      expect(await claim(at(0), at(10), 'w')).toEqual([]);
    });

    it('lets an expired lease be taken over and fences its old holder', async () => {
      await claim(at(0), at(10), 'old');
      expect(await claim(at(9), at(20), 'new', 10, 'a')).toEqual([]);
      expect(await claim(at(10), at(20), 'new', 10, 'a')).toMatchObject([{ fence: 2, owner: 'new' }]);
      expect(await fenced('stale', 'a', 1, true)).toEqual({ kind: 'fenced', topic: 'verify', key: 'a' });
      expect(await store.read('stale')).toEqual([]);
      expect(await fenced('fresh', 'a', 2, false)).toMatchObject({ kind: 'committed' });
      expect(await fenced('last', 'a', 2, true)).toMatchObject({ kind: 'committed' });
      expect(await store.job('verify', 'a')).toMatchObject({
        fence: 2,
        owner: 'new',
        leaseUntil: '',
        finished: true,
      });
    });

    it('lets a late holder write as long as nobody took over', async () => {
      await claim(at(0), at(1), 'slow');
      expect(await fenced('late', 'a', 1, true)).toMatchObject({ kind: 'committed' });
    });

    it('never claims a finished job again, and closes it for its last holder too', async () => {
      await claim(at(0), at(1), 'w');
      await fenced('f1', 'a', 1, true);
      expect(await claim(at(50), at(59), 'w', 10, 'a')).toEqual([]);
      expect(await fenced('f2', 'a', 1, false)).toMatchObject({ kind: 'fenced' });
    });

    it('fences who never held the job: no such job, or none leased yet', async () => {
      expect(await fenced('f1', 'b', 0, true)).toMatchObject({ kind: 'fenced' });
      expect(await fenced('f2', 'missing', 1, true)).toMatchObject({ kind: 'fenced', key: 'missing' });
      expect(await store.job('verify', 'missing')).toBeUndefined();
      expect((await store.job('verify', 'b'))?.finished).toBe(false);
    });

    it('gives one job to one of two claimers', async () => {
      const other = await opened.again();
      const [mine, theirs] = await Promise.all([
        claim(at(5), at(10), 'w1'),
        other.claim('verify', at(5), 10, at(10), 'w2'),
      ]);
      expect([...keys(mine), ...keys(theirs)].sort()).toEqual(['a', 'b', 'c']);
      expect(await store.integrity()).toEqual([]);
      await other.close();
    });
  });
}
