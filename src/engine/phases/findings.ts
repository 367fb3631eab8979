import { EngineError } from '../engine-error.ts';
import { SEVERITIES, type Severity } from './settings.ts';

/** What a reviewer found, as it was said. */
export interface Said {
  readonly severity: Severity;
  readonly title: string;
  readonly detail: string;
  readonly path: string;
  readonly line: number;
  /** Lines of the tree, word for word, that it speaks of. */
  readonly quote: string;
  /** The criterion it touches. */
  readonly criterion: string;
  readonly blocker: boolean;
  /** Id of an earlier finding that is not mended. */
  readonly reopens: string;
}

/** A finding with its stable id (PHASE-62, PHASE-108). `counts`: it bears on the outcome; `aside` says why it does not. */
export interface Finding extends Said {
  readonly id: string;
  readonly counts: boolean;
  readonly aside: string;
}

const TEXTS = ['title', 'detail', 'path', 'quote', 'criterion', 'reopens'] as const;
const KEYS: readonly string[] = ['severity', 'line', 'blocker', ...TEXTS];
const MOST = 100;

/** The findings of a verdict, from JSON. Throws BAD_INPUT that names what is wrong with which. */
export function findingsIn(text: string): readonly Said[] {
  if (text.trim() === '') return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw bad(`the findings are no JSON: ${(error as Error).message}`);
  }
  if (!Array.isArray(value) || value.length > MOST) throw bad(`findings are a list of at most ${MOST}`);
  return value.map(findingIn);
}

function findingIn(value: unknown, n: number): Said {
  const at = `finding ${n + 1}`;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw bad(`${at} is no table of keys`);
  const given = value as { readonly [key: string]: unknown };
  const strange = Object.keys(given).find((key) => !KEYS.includes(key));
  if (strange !== undefined) throw bad(`${at} has no ${strange} (known: ${KEYS.join(', ')})`);
  if (!(SEVERITIES as readonly unknown[]).includes(given.severity))
    throw bad(`${at}: severity is one of ${SEVERITIES.join(', ')}`);
  const [title = '', detail = '', path = '', quote = '', criterion = '', reopens = ''] = TEXTS.map((key) => {
    const one = given[key] ?? '';
    if (typeof one !== 'string') throw bad(`${at}: ${key} must be text`);
    return one;
  });
  if (title.trim() === '') throw bad(`${at} has no title`);
  const line = given.line ?? 0;
  if (typeof line !== 'number' || !Number.isInteger(line) || line < 0)
    throw bad(`${at}: line must be a line number`);
  const blocker = given.blocker ?? false;
  if (typeof blocker !== 'boolean') throw bad(`${at}: blocker is true or false`);
  if (leadsOut(path))
    throw bad(
      `${at}: the path ${JSON.stringify(path)} leads out of the tree; name it from the top of the repository`,
    );
  if (quote !== '' && path === '') throw bad(`${at} quotes a file and does not name its path`);
  return {
    severity: given.severity as Severity,
    title,
    detail,
    path,
    line,
    quote,
    criterion,
    blocker,
    reopens,
  };
}

/** Whether a path is none from the top of the repository. */
export const leadsOut = (path: string): boolean =>
  path.startsWith('/') ||
  path.includes('\0') ||
  path.split('/').some((part) => part === '..' || part === '.');

/** What sends a phase back, whatever the others say. */
export const isGrave = ({ severity, blocker }: Pick<Said, 'severity' | 'blocker'>): boolean =>
  severity === 'critical' || blocker;

/** What a round may speak of: everything in the first; later, what was found before and what changed since (by path). */
export interface Scope {
  readonly isFirst: boolean;
  readonly known: ReadonlySet<string>;
  readonly changed: ReadonlySet<string>;
  readonly floor: Severity;
  /** The review before, for people. */
  readonly since: string;
}

/** Findings with their ids, and whether they bear on the outcome: so that rounds come to an end. What is critical always does. */
export function placed(said: readonly Said[], prefix: string, scope: Scope): readonly Finding[] {
  return said.map((one, n) => {
    const aside = asideOf(one, scope);
    return { ...one, id: `${prefix}-${n + 1}`, counts: aside === '', aside };
  });
}

function asideOf(said: Said, scope: Scope): string {
  const { severity, reopens, path } = said;
  if (isGrave(said)) return '';
  if (SEVERITIES.indexOf(severity) > SEVERITIES.indexOf(scope.floor)) return `it is below ${scope.floor}`;
  if (scope.isFirst || scope.known.has(reopens) || scope.changed.has(path)) return '';
  return `it is neither a finding of before nor in what changed since ${scope.since}`;
}

/** Findings whose quoted lines do not stand in the tree as they are quoted, in words. White space at the ends of lines is let be. */
export function falseQuotes(
  findings: readonly Finding[],
  textAt: (path: string) => string | undefined,
): readonly string[] {
  return findings.flatMap(({ id, path, quote }) => {
    if (quote === '') return [];
    const text = textAt(path);
    if (text === undefined) return [`${id}: there is no ${path} in the commit`];
    return trimmed(text).includes(trimmed(quote)) ? [] : [`${id}: these lines do not stand in ${path}`];
  });
}

const trimmed = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/^\n+|\n+$/g, '');

const bad = (what: string) =>
  new EngineError(
    'BAD_INPUT',
    what,
    'such as: [{"severity": "high", "title": "WHAT", "path": "FILE", "line": 3, "quote": "THE LINE"}]',
  );
