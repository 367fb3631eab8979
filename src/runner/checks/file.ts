import { createHash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fields } from '../fields.ts';
import { type CheckContext, type CheckResult, plainResult } from './check.ts';
import { insideCheckout, isInnerPath } from './inside.ts';
import { compiles, searchPattern } from './pattern.ts';

/** Looks at one file of the checkout. Absent conditions are undefined. */
export interface FileCheck {
  readonly id: string;
  readonly kind: 'file';
  readonly path: string;
  readonly exists: boolean;
  /** Texts that must all be there. */
  readonly contains: readonly string[] | undefined;
  /** Sources of regular expressions, multi-line, all of which must match. */
  readonly matches: readonly string[] | undefined;
  readonly minBytes: number | undefined;
  readonly maxBytes: number | undefined;
  /** Lower-case hex. */
  readonly sha256: string | undefined;
}

const largest = 50_000_000;
const aborted = 'was not searched: the run was aborted';

/** Reads a file check from criteria; problems go to the fields. */
export function readFileCheck(id: string, fields: Fields): FileCheck {
  const path = fields.text('path');
  if (path !== '' && !isInnerPath(path)) fields.problem('path', 'must be a path inside the checkout');
  const given = <T>(key: string, read: () => T): T | undefined => (fields.has(key) ? read() : undefined);
  const check: FileCheck = {
    id,
    kind: 'file',
    path,
    exists: fields.flag('exists', true),
    contains: given('contains', () => oneOrMore(fields, 'contains')),
    matches: given('matches', () => oneOrMore(fields, 'matches')),
    minBytes: given('min_bytes', () => fields.integer('min_bytes', 0)),
    maxBytes: given('max_bytes', () => fields.integer('max_bytes', 0)),
    sha256: given('sha256', () => fields.text('sha256').toLowerCase()),
  };
  if (check.sha256 !== undefined && !/^[0-9a-f]{64}$/.test(check.sha256))
    fields.problem('sha256', 'must be 64 hex digits');
  const broken = check.matches?.find((pattern) => !compiles(pattern));
  if (broken !== undefined) fields.problem('matches', `is no regular expression: ${broken}`);
  if (!check.exists && hasContentCondition(check))
    fields.problem('exists', 'false leaves nothing to look into');
  return check;
}

const oneOrMore = (fields: Fields, key: string): readonly string[] =>
  typeof fields.raw(key) === 'string' ? [fields.text(key)] : fields.texts(key);

const hasContentCondition = (check: FileCheck) =>
  [check.contains, check.matches, check.minBytes, check.maxBytes, check.sha256].some(
    (value) => value !== undefined,
  );

/** Looks at it. A link counts only when it stays inside the checkout. A pattern has `limitMs` to be found. */
export async function runFileCheck(
  check: FileCheck,
  context: Pick<CheckContext, 'checkout' | 'signal'>,
  limitMs = 5_000,
): Promise<CheckResult> {
  const start = performance.now();
  const fault = faultOf(check, context.checkout) ?? (await patternFault(check, context, limitMs));
  return {
    ...plainResult,
    id: check.id,
    kind: check.kind,
    outcome: fault === undefined ? 'pass' : fault === aborted ? 'indeterminate' : 'fail',
    explanation: `${check.path} ${fault ?? (check.exists ? 'is as required' : 'is absent, as required')}`,
    durationMs: Math.round(performance.now() - start),
  };
}

function faultOf(check: FileCheck, checkout: string): string | undefined {
  if (!check.exists) {
    return lstatSync(join(checkout, check.path), { throwIfNoEntry: false }) === undefined
      ? undefined
      : 'exists';
  }
  const found = insideCheckout(checkout, check.path);
  if (!found?.stat.isFile()) return 'is missing, no file, or leads out of the checkout';
  if (found.stat.size > largest) return `is larger than ${largest} bytes`;
  return contentFault(check, readFileSync(found.path));
}

function contentFault(check: FileCheck, content: Buffer): string | undefined {
  const { minBytes = 0, maxBytes = largest, contains = [], sha256 } = check;
  if (content.length < minBytes) return `has ${content.length} bytes, at least ${minBytes} are required`;
  if (content.length > maxBytes) return `has ${content.length} bytes, at most ${maxBytes} are allowed`;
  const absent = contains.filter((text) => !content.includes(text));
  if (absent.length > 0) return `does not contain ${absent.map((text) => JSON.stringify(text)).join(', ')}`;
  const digest = createHash('sha256').update(content).digest('hex');
  return sha256 === undefined || digest === sha256 ? undefined : `has the digest ${digest}`;
}

async function patternFault(
  { path, matches }: FileCheck,
  { checkout, signal }: Pick<CheckContext, 'checkout' | 'signal'>,
  limitMs: number,
): Promise<string | undefined> {
  if (matches === undefined) return undefined;
  const found = insideCheckout(checkout, path);
  if (found === undefined) return 'is missing';
  const text = readFileSync(found.path, 'utf8');
  for (const pattern of matches) {
    const fault = await searched(pattern, text, limitMs, signal);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

async function searched(
  pattern: string,
  text: string,
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  switch (await searchPattern(pattern, text, limitMs, signal)) {
    case 'matches':
      return undefined;
    case 'differs':
      return `does not match /${pattern}/`;
    case 'unfinished':
      return `was searched for /${pattern}/ for ${limitMs / 1000} s: the pattern did not finish`;
    case 'aborted':
      return aborted;
  }
}
