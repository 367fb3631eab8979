/** One thing that is wrong with a store, or that could not be judged. `where` is a place a person can look up. */
export interface AuditFinding {
  /** `remark`: nothing is wrong, and something cannot be shown. */
  readonly kind: 'broken' | 'doubt' | 'remark';
  /** `stream@version`, a table's row, a file, a checkpoint. */
  readonly where: string;
  readonly what: string;
}

export type AuditStatus = 'clean' | 'broken' | 'cannot-tell';

/** Findings as they come up. A contradiction weighs more than a doubt; what was not looked at is never clean. */
export interface Findings {
  broken(where: string, what: string): void;
  doubt(where: string, what: string): void;
  remark(where: string, what: string): void;
  add(findings: readonly AuditFinding[]): void;
  status(): AuditStatus;
  /** At most MOST of them, and how many more there were. */
  list(): readonly AuditFinding[];
  remarks(): readonly AuditFinding[];
}

/** Findings kept with their text; the rest is counted, so that a ruined store cannot fill the memory. */
const MOST = 1_000;

export function collectFindings(): Findings {
  const kept: AuditFinding[] = [];
  const remarks: AuditFinding[] = [];
  const seen = { broken: 0, doubt: 0 };
  const add = (finding: AuditFinding) => {
    if (finding.kind === 'remark') {
      if (remarks.length < MOST) remarks.push(finding);
      return;
    }
    seen[finding.kind] += 1;
    if (kept.length < MOST) kept.push(finding);
  };
  return {
    broken: (where, what) => add({ kind: 'broken', where, what }),
    doubt: (where, what) => add({ kind: 'doubt', where, what }),
    remark: (where, what) => add({ kind: 'remark', where, what }),
    remarks: () => remarks,
    add: (findings) => findings.forEach(add),
    status() {
      if (seen.broken > 0) return 'broken';
      return seen.doubt > 0 ? 'cannot-tell' : 'clean';
    },
    list() {
      const more = seen.broken + seen.doubt - kept.length;
      if (more === 0) return kept;
      return [...kept, { kind: 'broken', where: 'and more', what: `${more} further findings are not shown` }];
    },
  };
}
