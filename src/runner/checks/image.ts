import { readFileSync } from 'node:fs';
import type { Fields } from '../fields.ts';
import { blankness } from '../image/blank.ts';
import { readImage } from '../image/read-image.ts';
import { type CheckContext, type CheckResult, plainResult } from './check.ts';
import { insideCheckout, isInnerPath } from './inside.ts';

/** Looks at a picture. Absent conditions are undefined. */
export interface ImageCheck {
  readonly id: string;
  readonly kind: 'image';
  readonly path: string;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly minWidth: number | undefined;
  readonly minHeight: number | undefined;
  readonly minColours: number;
  /** Lets a picture of one colour pass, and one whose pixels cannot be looked at. */
  readonly allowBlank: boolean;
  /** Whether a program of this run has to have written it, or it has to be the one that was committed. */
  readonly from: 'run' | 'commit';
}

const largest = 50_000_000;

/** Reads an image check from criteria; problems go to the fields. */
export function readImageCheck(id: string, fields: Fields): ImageCheck {
  const path = fields.text('path');
  if (path !== '' && !isInnerPath(path)) fields.problem('path', 'must be a path inside the checkout');
  const given = (key: string) => (fields.has(key) ? fields.integer(key, 0) : undefined);
  const check: ImageCheck = {
    id,
    kind: 'image',
    path,
    width: given('width'),
    height: given('height'),
    minWidth: given('min_width'),
    minHeight: given('min_height'),
    minColours: fields.integer('min_colours', 2),
    allowBlank: fields.flag('allow_blank', false),
    from: fields.choice('from', ['run', 'commit'], 'run'),
  };
  if (check.allowBlank && fields.has('min_colours'))
    fields.problem('min_colours', 'has no use where a picture may be blank');
  return check;
}

type Told = Pick<CheckResult, 'outcome' | 'explanation' | 'reason'>;

/**
 * Opens the picture and looks at its size, its pixels and where it comes from. A checkout starts with what is committed
 * and nothing else, so a file that the commit lacks, or has with other content, was written by this run. That its
 * content was made anew is not shown: a program can copy a picture.
 */
export async function runImageCheck(
  check: ImageCheck,
  { checkout, change }: Pick<CheckContext, 'checkout' | 'change'>,
): Promise<CheckResult> {
  const start = performance.now();
  const told = await judge(check, checkout, change);
  return {
    ...plainResult,
    id: check.id,
    kind: check.kind,
    ...told,
    durationMs: Math.round(performance.now() - start),
  };
}

async function judge(check: ImageCheck, checkout: string, change: CheckContext['change']): Promise<Told> {
  const found = insideCheckout(checkout, check.path);
  if (!found?.stat.isFile()) return bad(check, 'is missing, no file, or leads out of the checkout');
  if (found.stat.size > largest) return bad(check, `is larger than ${largest} bytes`);
  const file = readFileSync(found.path);
  if (change === undefined)
    return {
      outcome: 'indeterminate',
      reason: '',
      explanation: `${check.path}: without a base it is not known what the commit holds`,
    };
  const committed = await change.after(check.path);
  const isCommitted = committed?.equals(file) === true;
  if (check.from === 'run' && isCommitted)
    return bad(check, 'is the committed file: this run did not write it');
  if (check.from === 'commit' && !isCommitted) return bad(check, 'is not the file that was committed');
  return judgeContent(check, file);
}

function judgeContent(check: ImageCheck, file: Buffer): Told {
  const image = readImage(file);
  if ('fault' in image) return bad(check, image.fault);
  const size = `${image.width} by ${image.height}`;
  const wrong = sizeFault(check, image.width, image.height);
  if (wrong !== undefined) return bad(check, `is ${size}, ${wrong}`);
  if (!check.allowBlank) {
    if (image.pixels === undefined)
      return bad(check, `is a ${image.format}: only of a PNG it can be told that it is not blank`);
    const blank = blankness(image.pixels, check.minColours);
    if (blank !== undefined) return bad(check, blank);
  }
  return {
    outcome: 'pass',
    reason: '',
    explanation: `${check.path} is a ${image.format} of ${size}, as required`,
  };
}

function sizeFault(check: ImageCheck, width: number, height: number): string | undefined {
  const { width: wantedWidth = width, height: wantedHeight = height, minWidth = 0, minHeight = 0 } = check;
  if (width !== wantedWidth || height !== wantedHeight)
    return `${wantedWidth} by ${wantedHeight} is required`;
  return width < minWidth || height < minHeight
    ? `at least ${minWidth} by ${minHeight} is required`
    : undefined;
}

const bad = (check: ImageCheck, fault: string): Told => ({
  outcome: 'fail',
  reason: 'image-bad',
  explanation: `${check.path} ${fault}`,
});
