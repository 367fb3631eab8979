import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../../tests/fixtures/scratch-repo.ts';
import { batchReader } from './batch.ts';
import { gitEnvironment, runGit, runGitAsync, streamGit } from './git.ts';
import { objectId } from './tree-hash.ts';

let made: Scratch;
beforeEach(() => {
  made = scratch();
});
afterEach(() => made.remove());

describe('runGit', () => {
  it('drops every GIT_ variable of the caller', () => {
    process.env.GIT_CONFIG_COUNT = '1';
    process.env.GIT_ALTERNATE_OBJECT_DIRECTORIES = '/x';
    const env = gitEnvironment(made.top);
    delete process.env.GIT_CONFIG_COUNT;
    delete process.env.GIT_ALTERNATE_OBJECT_DIRECTORIES;
    expect(env).not.toHaveProperty('GIT_CONFIG_COUNT');
    expect(env).not.toHaveProperty('GIT_ALTERNATE_OBJECT_DIRECTORIES');
    expect(env).toMatchObject({
      GIT_NO_REPLACE_OBJECTS: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_GRAFT_FILE: '/dev/null',
    });
  });

  it('throws with what git said', async () => {
    expect(() => runGit(made.top, ['cat-file', '-p', '0'.repeat(38)])).toThrow(
      expect.objectContaining({ code: 'GIT_FAILED' }),
    );
    await expect(runGitAsync(made.top, ['ls-tree', 'nope'])).rejects.toEqual(
      expect.objectContaining({ code: 'GIT_FAILED', stderr: expect.stringMatching(/Not a valid object/i) }),
    );
  });

  it('names the lock that is in its way', () => {
    const lock = join(made.top, '.git/index.lock');
    writeFileSync(lock, '');
    expect(() => runGit(made.top, ['read-tree', '--empty'])).toThrow(
      `'${lock}': File exists. Where no other git`,
    );
  });

  it('says when git is not there', async () => {
    const path = process.env.PATH;
    process.env.PATH = '/nowhere';
    try {
      expect(() => runGit(made.top, ['status'])).toThrow(expect.objectContaining({ code: 'GIT_MISSING' }));
      await expect(runGitAsync(made.top, ['status'])).rejects.toMatchObject({ code: 'GIT_MISSING' });
    } finally {
      process.env.PATH = path;
    }
  });

  it('runs no configured fsmonitor or hook', () => {
    const trap = join(made.root, 'trap.sh');
    writeFileSync(trap, `#!/bin/sh\ntouch '${join(made.root, 'sprung')}'\n`, { mode: 0o755 });
    made.git('config', 'core.fsmonitor', `'${trap}'`);
    runGit(made.top, ['status', '--porcelain']);
    expect(existsSync(join(made.root, 'sprung'))).toBe(false);
    made.git('status');
    expect(existsSync(join(made.root, 'sprung'))).toBe(true);
  });

  it('passes on the error of a consumer and ends git', async () => {
    const commit = made.commit({ f: 'x' });
    const consume = () => {
      throw new RangeError('enough');
    };
    await expect(streamGit(made.top, ['cat-file', '--batch'], `${commit}\n`, consume)).rejects.toThrow(
      'enough',
    );
  });
});

describe('batchReader', () => {
  const entry = (content: Buffer) => ({
    path: 'p',
    mode: '100644',
    type: 'blob' as const,
    oid: objectId('blob', content, 40),
  });

  it('reads the same blobs however the output is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 60 })),
        fc.integer({ min: 1, max: 40 }),
        (contents, cut) => {
          const blobs = contents.map((content) => Buffer.from(content));
          const output = Buffer.concat(
            blobs.map((blob) =>
              Buffer.concat([
                Buffer.from(`${entry(blob).oid} blob ${blob.length}\n`),
                blob,
                Buffer.from('\n'),
              ]),
            ),
          );
          const got: Buffer[] = [];
          const reader = batchReader(blobs.map(entry), (_, content) => got.push(content));
          for (let at = 0; at < output.length; at += cut) reader.push(output.subarray(at, at + cut));
          reader.end();
          expect(got).toEqual(blobs);
        },
      ),
    );
  });

  it('refuses another content, another type, and an end too early', () => {
    const asked = entry(Buffer.from('x'));
    const read = (text: string) => () => {
      const reader = batchReader([asked], () => undefined);
      reader.push(Buffer.from(text));
      reader.end();
    };
    expect(read(`${asked.oid} blob 1\ny\n`)).toThrow(expect.objectContaining({ code: 'TREE_MISMATCH' }));
    expect(read(`${asked.oid} tree 1\nx\n`)).toThrow(expect.objectContaining({ code: 'MISSING_OBJECT' }));
    expect(read(`${asked.oid} missing\n`)).toThrow(expect.objectContaining({ code: 'MISSING_OBJECT' }));
    expect(read(`${asked.oid} blob 1\n`)).toThrow(expect.objectContaining({ code: 'MISSING_OBJECT' }));
  });
});
