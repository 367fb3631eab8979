import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifyChain } from '../../src/attestation/chain.ts';
import type { Store, StoreContent, StoredEvent } from '../../src/store/store.ts';
import { append, commitOf, itemRow, type OpenedStore, type OpenStore } from './store-samples.ts';

/** Streams, versions, command ids, and following the log. */
export function logContract(open: OpenStore): void {
  describe('log', () => {
    let opened: OpenedStore;
    let store: Store & StoreContent;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => opened.dispose());

    it('answers nothing for a stream that it does not know', async () => {
      expect(await store.read('none')).toEqual([]);
      expect(await store.head('none')).toEqual({ stream: 'none', version: 0, hash: '' });
    });

    it('appends, reads back the exact text and moves the head', async () => {
      const bodies = ['{"a":1}', '{ "a" : "é😀\\u0000" }'];
      const result = await store.commit(commitOf('c1', { appends: [append('s', 0, ...bodies)] }));
      const events = await store.read('s');
      expect(result).toEqual({ kind: 'committed', events });
      expect(events.map((e) => [e.version, e.position, e.command, e.body])).toEqual([
        [1, 1, 'c1', bodies[0]],
        [2, 2, 'c1', bodies[1]],
      ]);
      expect(await store.head('s')).toEqual({ stream: 's', version: 2, hash: events[1]?.hash });
      expect(verifyChain('s', events)).toBeUndefined();
    });

    it('chains over commits and starts each stream from its own name', async () => {
      await store.commit(commitOf('c1', { appends: [append('a', 0, 'x'), append('b', 0, 'x')] }));
      await store.commit(commitOf('c2', { appends: [append('a', 1, 'y')] }));
      const a = await store.read('a');
      expect(verifyChain('a', a)).toBeUndefined();
      expect(verifyChain('b', a)).toBeDefined();
      expect((await store.read('b'))[0]?.hash).not.toBe(a[0]?.hash);
    });

    it('refuses another version than the decider saw', async () => {
      await store.commit(commitOf('c1', { appends: [append('s', 0, 'x')] }));
      for (const expected of [0, 2]) {
        const result = await store.commit(
          commitOf(`late-${expected}`, { appends: [append('s', expected, 'y')] }),
        );
        expect(result).toEqual({ kind: 'conflict', stream: 's', expected, actual: 1 });
      }
      expect(await store.read('s')).toHaveLength(1);
    });

    it('appends at the head when any version will do, twice in one commit too', async () => {
      await store.commit(commitOf('c1', { appends: [append('s', 'any', 'x')] }));
      await store.commit(commitOf('c2', { appends: [append('s', 'any', 'y'), append('s', 2, 'z')] }));
      const events = await store.read('s');
      expect(events.map((e) => e.body)).toEqual(['x', 'y', 'z']);
      expect(verifyChain('s', events)).toBeUndefined();
    });

    it('writes several streams together or not at all', async () => {
      await store.commit(commitOf('c1', { appends: [append('b', 0, 'x')] }));
      const refused = commitOf('c2', {
        appends: [append('a', 0, 'y'), append('b', 0, 'y')],
        items: [itemRow(1)],
        links: [{ from: 'a', kind: 'depends-on', to: 'b' }],
        jobs: [{ topic: 't', key: 'k', payload: '', availableAt: '2026-01-01T00:00:00.000Z' }],
      });
      expect(await store.commit(refused)).toMatchObject({ kind: 'conflict', stream: 'b' });
      expect(await store.read('a')).toEqual([]);
      expect(await store.eventCount()).toBe(1);
      expect(await store.allItems(0, 10)).toEqual([]);
      expect(await store.allLinks()).toEqual([]);
      expect(await store.allTallies()).toEqual([]);
      expect(await store.job('t', 'k')).toBeUndefined();
    });

    it('refuses when a stream that was only read has moved (write skew)', async () => {
      await store.commit(commitOf('c1', { appends: [append('roster', 0, 'x')] }));
      const decide = (id: string, version: number) =>
        commitOf(id, { appends: [append(id, 0, 'y')], readSet: [{ stream: 'roster', version }] });
      expect(await store.commit(decide('a', 1))).toMatchObject({ kind: 'committed' });
      await store.commit(commitOf('c2', { appends: [append('roster', 1, 'x')] }));
      expect(await store.commit(decide('b', 1))).toEqual({
        kind: 'conflict',
        stream: 'roster',
        expected: 1,
        actual: 2,
      });
      expect(await store.commit(decide('c', 0))).toMatchObject({ kind: 'conflict', actual: 2 });
      expect(await store.read('b')).toEqual([]);
    });

    it('answers a repeated command with the events of the first time', async () => {
      const first = commitOf('c1', { appends: [append('a', 0, 'x', 'y'), append('b', 0, 'z')] });
      const done = await store.commit(first);
      await store.commit(commitOf('c2', { appends: [append('a', 2, 'w')] }));
      const repeated = await store.commit(first);
      expect(repeated.kind).toBe('duplicate');
      expect('events' in repeated && repeated.events).toEqual('events' in done && done.events);
      const elsewhere = await store.commit(commitOf('c1', { appends: [append('other', 0, 'x')] }));
      expect(elsewhere.kind).toBe('duplicate');
      expect(await store.eventCount()).toBe(4);
    });

    it('shows a commit to another connection at once, and after reopening', async () => {
      const other = await opened.again();
      await store.commit(commitOf('c1', { appends: [append('s', 0, 'x')], items: [itemRow(1)] }));
      expect(await other.read('s')).toEqual(await store.read('s'));
      expect(await other.itemById('item-1')).toEqual(itemRow(1));
      await other.close();
      const later = await opened.reopen();
      expect(await later.read('s')).toHaveLength(1);
      expect(await later.integrity()).toEqual([]);
    });

    it('follows without gaps or repeats while others write', async () => {
      const other = await opened.again();
      const stop = new AbortController();
      const seen: StoredEvent[] = [];
      const following = (async () => {
        for await (const event of store.follow(2, stop.signal)) {
          seen.push(event);
          if (event.position === 602) stop.abort();
        }
      })();
      for (let n = 1; n <= 301; n += 1) {
        const writer = n % 2 === 0 ? store : other;
        await writer.commit(commitOf(`c${n}`, { appends: [append(`s${n % 7}`, 'any', `a${n}`, `b${n}`)] }));
        if (n % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 60));
      }
      await following;
      expect(seen.map((event) => event.position)).toEqual(Array.from({ length: 600 }, (_, n) => n + 3));
      expect(seen).toEqual(await store.events(2, 1000));
      await other.close();
    });

    it('stops following when aborted, also while it waits, and when the store is closed', async () => {
      const stop = new AbortController();
      const waiting = store.follow(0, stop.signal)[Symbol.asyncIterator]().next();
      setTimeout(() => stop.abort(), 20);
      expect(await waiting).toEqual({ done: true, value: undefined });
      const other = await opened.again();
      const closing = other.follow(0, new AbortController().signal)[Symbol.asyncIterator]().next();
      setTimeout(() => void other.close(), 20);
      expect(await closing).toEqual({ done: true, value: undefined });
      await expect(other.head('s')).rejects.toMatchObject({ name: 'StoreError', code: 'UNAVAILABLE' });
    });

    it('gives its content in pages: events by position, heads by the bytes of the name', async () => {
      for (const stream of ['b', 'é', 'a', 'Z', '😀', '\uffff']) {
        await store.commit(commitOf(stream, { appends: [append(stream, 0, 'x')] }));
      }
      expect((await store.events(2, 3)).map((e) => e.position)).toEqual([3, 4, 5]);
      const names: string[] = [];
      for (
        let page = await store.heads('', 2);
        page.length > 0;
        page = await store.heads(names.at(-1) ?? '', 2)
      ) {
        names.push(...page.map((head) => head.stream));
      }
      expect(names).toEqual(['Z', 'a', 'b', 'é', '\uffff', '😀']);
      expect(await store.eventCount()).toBe(6);
      expect(await store.repositoryId()).not.toBe('');
    });

    it('keeps checkpoints, newest first', async () => {
      await store.saveCheckpoint('first', 1);
      await store.saveCheckpoint('second', 5);
      expect(await store.checkpoints(10)).toEqual([
        { note: 'second', events: 5 },
        { note: 'first', events: 1 },
      ]);
      expect(await store.checkpoints(1)).toHaveLength(1);
    });
  });
}
