import type { Finding } from '../diff/finding.ts';
import { type Forbidden, forbiddenByDefault } from '../diff/forbidden.ts';
import { type ChangeRules, judgeChange } from '../diff/judge-change.ts';
import { protectedPatterns } from '../diff/protected.ts';
import { type Fields, fieldsOf, textsOrNone } from '../fields.ts';
import { testPatterns } from '../test-files.ts';
import { type CheckContext, type CheckResult, plainResult } from './check.ts';
import { compiles } from './pattern.ts';

/** Looks at what the work changed against its base: what the item allows, protected paths, tests, forbidden texts. */
export interface DiffCheck extends ChangeRules {
  readonly id: string;
  readonly kind: 'diff';
}

const mostNotes = 50;

/** Reads a diff check from criteria; problems go to the fields. */
export const readDiffCheck = (id: string, fields: Fields): DiffCheck => ({
  id,
  kind: 'diff',
  protect: textsOrNone(fields, 'protected', protectedPatterns),
  allow: textsOrNone(fields, 'allow', []),
  forbid: fields.has('forbid')
    ? fields.list('forbid', (value, path) => readForbidden(value, path, fields))
    : forbiddenByDefault,
  files: textsOrNone(fields, 'files', testPatterns),
  // Of the other checks the file as a whole knows.
  commands: [],
  tried: [],
});

function readForbidden(value: unknown, path: string, fields: Fields): Forbidden | undefined {
  const problems: string[] = [];
  const inner = fieldsOf(value, path.slice(fields.path === '' ? 0 : fields.path.length + 1), problems);
  const pattern = inner?.text('pattern') ?? '';
  const rule = inner && {
    pattern,
    flags: 'mu',
    where: 'whole' as const,
    in: inner.has('in') ? inner.texts('in') : [],
    notIn: [],
    unless: '',
    because: inner.text('because', `matches /${pattern}/`),
  };
  if (!compiles(pattern)) inner?.problem('pattern', 'is no regular expression');
  inner?.finish();
  for (const problem of problems) {
    const colon = problem.indexOf(': ');
    fields.problem(problem.slice(0, colon), problem.slice(colon + 2));
  }
  return rule;
}

/**
 * Judges the change. What a sign-off covers is let pass and stays in the notes. Without a base there is nothing to
 * compare with, and the check is left open.
 */
export async function runDiffCheck(
  check: DiffCheck,
  context: Pick<CheckContext, 'change' | 'item' | 'signed' | 'signal'>,
  limitMs?: number,
): Promise<CheckResult> {
  const start = performance.now();
  return {
    ...plainResult,
    id: check.id,
    kind: check.kind,
    ...(await judge(check, context, limitMs)),
    durationMs: Math.round(performance.now() - start),
  };
}

type Told = Pick<CheckResult, 'outcome' | 'explanation' | 'reason' | 'notes'>;

async function judge(
  check: DiffCheck,
  { change, item, signed, signal }: Pick<CheckContext, 'change' | 'item' | 'signed' | 'signal'>,
  limitMs: number | undefined,
): Promise<Told> {
  if (change === undefined) return leftOpen('there is no base to compare the work with');
  const findings = await judgeChange(check, { change, item, signal }, limitMs);
  if (findings === 'aborted') return leftOpen('the run was aborted');
  const isSigned = ({ signable, path }: Finding) => signable && signed.has(path);
  const left = findings.filter((finding) => !isSigned(finding));
  const notes = notesOf(findings, isSigned);
  const [first] = left;
  if (first !== undefined)
    return { outcome: 'fail', reason: first.reason, explanation: explain(left), notes };
  const approved = findings.length > 0 ? ', some of them signed off' : '';
  const explanation = `${change.files.length} changed files keep to what an item of kind ${item.kind} may change${approved}`;
  return { outcome: 'pass', reason: '', explanation, notes };
}

const leftOpen = (explanation: string): Told => ({
  outcome: 'indeterminate',
  explanation,
  reason: '',
  notes: [],
});

function explain(left: readonly Finding[]): string {
  const shown = left.slice(0, 3).map(({ message }) => message);
  const more = left.length > 3 ? [`and ${left.length - 3} more findings, see the notes`] : [];
  const way = left.some(({ signable }) => signable)
    ? [
        'if the work has to do this, somebody who shares no lineage with the builder lets it pass: countersign sign-off ITEM',
      ]
    : [];
  return [...shown, ...more, ...way].join('; ');
}

function notesOf(findings: readonly Finding[], isSigned: (finding: Finding) => boolean): readonly string[] {
  const notes = findings.map(
    (finding) => `${isSigned(finding) ? 'signed off, ' : ''}${finding.reason}: ${finding.message}`,
  );
  return notes.length <= mostNotes
    ? notes
    : [...notes.slice(0, mostNotes - 1), `and ${notes.length - mostNotes + 1} more`];
}
