import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runs } from '../../tests/thoroughness.ts';
import { endNow } from './ending.ts';
import { page } from './page.ts';
import { writeEnd } from './records.ts';
import { packTranscript } from './rotate.ts';

let run = '';
beforeEach(() => {
  run = mkdtempSync(join(tmpdir(), 'agent page '));
});
afterEach(() => rmSync(run, { recursive: true, force: true }));

const write = (text: string | Buffer) => writeFileSync(join(run, 'transcript.out'), text);
const end = () =>
  writeEnd(run, endNow(run, { reason: 'exited', exitCode: 0, signal: '', killedBy: '', killReason: '' }));

/** All pages of one size, from the beginning. */
function pages(limit: number): readonly string[] {
  const found: string[] = [];
  for (let next = 0; ; ) {
    const one = page(run, next, limit);
    found.push(one.text);
    if (one.ended) return found;
    expect(one.next).toBeGreaterThan(next);
    next = one.next;
  }
}

it('cuts after whole lines', () => {
  write('one\ntwo\nthree\n');
  expect(page(run, 0, 9)).toEqual({ text: 'one\ntwo\n', next: 8, ended: false });
  expect(page(run, 8, 9)).toEqual({ text: 'three\n', next: 14, ended: false });
  expect(page(run, 14, 9)).toEqual({ text: '', next: 14, ended: false });
});

it('keeps a line back that is still being written, until the run has ended', () => {
  write('whole\nhal');
  expect(page(run, 0, 100)).toEqual({ text: 'whole\n', next: 6, ended: false });
  expect(page(run, 6, 100)).toEqual({ text: '', next: 6, ended: false });
  end();
  expect(page(run, 6, 100)).toEqual({ text: 'hal', next: 9, ended: true });
});

it('goes on within a line that is longer than a page, never within a character', () => {
  write('äöü€😀äöü');
  end();
  expect(pages(5).join('')).toBe('äöü€😀äöü');
  expect(pages(4).join('')).toBe('äöü€😀äöü');
});

it.each([-5, Number.NaN, 1.5])('takes the offset %s for one that can be meant', (offset) => {
  write('a line\n');
  expect(page(run, offset, 100).text).toBe('a line\n'.slice(Math.max(0, Math.floor(offset) || 0)));
});

it('answers nothing beyond the end', () => {
  write('a line\n');
  end();
  expect(page(run, 1000, 100)).toEqual({ text: '', next: 7, ended: true });
});

it('tells the two streams apart', () => {
  write('said\n');
  writeFileSync(join(run, 'transcript.err'), 'cried\n');
  expect([page(run, 0, 100).text, page(run, 0, 100, 'err').text]).toEqual(['said\n', 'cried\n']);
});

describe('a packed transcript', () => {
  const text = Array.from({ length: 90_000 }, (_, n) => `line ${n} äöü😀 of many\n`).join('');
  const bytes = Buffer.from(text);
  beforeEach(() => {
    write(bytes);
    end();
    packTranscript(run);
  });

  it('is read in the same pages', () => {
    expect(existsSync(join(run, 'transcript.out'))).toBe(false);
    fc.assert(
      fc.property(fc.nat(bytes.length + 10), fc.integer({ min: 1, max: 300_000 }), (offset, limit) => {
        const packed = page(run, offset, limit);
        write(bytes);
        expect(page(run, offset, limit)).toEqual(packed);
        rmSync(join(run, 'transcript.out'));
      }),
      { numRuns: runs(20, 300) },
    );
  });

  it('is whole', () => {
    expect(pages(400_000).join('')).toBe(text);
  });

  it('is a gzip file for everybody', () => {
    const unpacked = execFileSync('gzip', ['-dc', join(run, 'transcript.out.gz')], { maxBuffer: 2 ** 26 });
    expect(unpacked.equals(bytes)).toBe(true);
  });

  it('is read without its index, and not at all when it is damaged', () => {
    rmSync(join(run, 'transcript.out.gz.json'));
    expect(page(run, 100, 1000).text).toBe(bytes.toString('utf8', 100, page(run, 100, 1000).next));
    writeFileSync(join(run, 'transcript.out.gz'), 'no gzip');
    expect(page(run, 0, 100)).toEqual({ text: '', next: 0, ended: true });
  });
});

it('leaves a short transcript as it is', () => {
  write('short\n');
  end();
  packTranscript(run);
  expect(existsSync(join(run, 'transcript.out'))).toBe(true);
});
