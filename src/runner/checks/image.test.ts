import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeOf } from '../../../tests/change-of.ts';
import { png } from '../../../tests/fixtures/png.ts';
import { fieldsOf } from '../fields.ts';
import { type ImageCheck, readImageCheck, runImageCheck } from './image.ts';

let checkout: string;
beforeEach(() => {
  checkout = realpathSync(mkdtempSync(join(tmpdir(), 'image-')));
  mkdirSync(join(checkout, 'out'));
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

const picture = png({
  width: 8,
  height: 4,
  line: (y) => Array.from({ length: 24 }, (_, x) => (x * y * 9) & 255),
});
const blank = png({ width: 8, height: 4, line: () => Array.from({ length: 24 }, () => 255) });
const read = (keys: object) => {
  const problems: string[] = [];
  const fields = fieldsOf({ path: 'out/a.png', ...keys }, '', problems);
  const check = fields && readImageCheck('i', fields);
  fields?.finish();
  return { check: check as ImageCheck, problems };
};
const run = (keys: object, committed: Readonly<Record<string, Buffer>> = {}) =>
  runImageCheck(read(keys).check, { checkout, change: changeOf({}, committed) });
const write = (content: Buffer) => writeFileSync(join(checkout, 'out/a.png'), content);

describe('an image check', () => {
  it('passes for a picture of the size asked for that this run wrote', async () => {
    write(picture);
    expect(await run({ width: 8, height: 4, min_width: 8, min_height: 1 })).toMatchObject({
      outcome: 'pass',
      reason: '',
      explanation: 'out/a.png is a PNG of 8 by 4, as required',
    });
  });

  it.each<[string, object, Buffer, string]>([
    ['another width', { width: 9 }, picture, '8 by 4, 9 by 4 is required'],
    ['less than the least height', { min_height: 5 }, picture, 'at least 0 by 5'],
    ['one colour', {}, blank, 'has 1 colours'],
    ['fewer colours than asked for', { min_colours: 1000 }, picture, 'at least 1000'],
    ['damage', {}, picture.subarray(0, -1), 'ends early'],
    ['something else', {}, Buffer.from('a picture'), 'is no PNG'],
    [
      'pixels that cannot be seen',
      {},
      Buffer.from('ffd8ffe000040000ffc0000b080006000501011100ffda0000ffd9', 'hex'),
      'is a JPEG: only of a PNG',
    ],
  ])('fails for %s', async (_, keys, content, explanation) => {
    write(content);
    const result = await run(keys);
    expect(result).toMatchObject({ outcome: 'fail', reason: 'image-bad' });
    expect(result.explanation).toContain(explanation);
  });

  it('fails for a missing file, a folder, and a link that leads out', async () => {
    expect(await run({})).toMatchObject({ outcome: 'fail' });
    mkdirSync(join(checkout, 'out/a.png'));
    expect(await run({})).toMatchObject({ outcome: 'fail' });
    symlinkSync('/etc/passwd', join(checkout, 'out/b.png'));
    expect(await run({ path: 'out/b.png' })).toMatchObject({ outcome: 'fail' });
  });

  it('tells what this run wrote from what was committed', async () => {
    write(picture);
    expect(await run({}, { 'out/a.png': picture })).toMatchObject({
      outcome: 'fail',
      explanation: 'out/a.png is the committed file: this run did not write it',
    });
    expect(await run({}, { 'out/a.png': blank })).toMatchObject({ outcome: 'pass' });
    expect(await run({ from: 'commit' }, { 'out/a.png': picture })).toMatchObject({ outcome: 'pass' });
    expect(await run({ from: 'commit' }, { 'out/a.png': blank })).toMatchObject({ outcome: 'fail' });
    expect(await run({ from: 'commit' })).toMatchObject({ outcome: 'fail' });
    const unknown = await runImageCheck(read({}).check, { checkout, change: undefined });
    expect(unknown).toMatchObject({ outcome: 'indeterminate' });
  });

  it('takes a blank picture, and other formats, only where the criteria say so', async () => {
    write(blank);
    expect(await run({ allow_blank: true })).toMatchObject({ outcome: 'pass' });
  });

  it('has keys that are checked', () => {
    expect(
      read({ path: '../a', width: -1, from: 'x', allow_blank: true, min_colours: 3, other: 1 }).problems,
    ).toEqual([
      'path: must be a path inside the checkout',
      'width: must be a whole number, 0 or more',
      'from: must be one of run, commit',
      'min_colours: has no use where a picture may be blank',
      expect.stringMatching(/^other: is not a known key; known here: path, width/),
    ]);
  });
});
