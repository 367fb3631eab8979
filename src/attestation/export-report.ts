/** One thing that is wrong or in doubt, at a line of the file. `where` names stream@version where there is one. */
export interface ExportFinding {
  readonly line: number;
  readonly where: string;
  readonly what: string;
}

/** Findings as they come up. A contradiction weighs more than a doubt. */
export interface ExportReport {
  broken(line: number, where: string, what: string): void;
  doubt(line: number, where: string, what: string): void;
  status(): 'clean' | 'broken' | 'cannot-tell';
  findings(): readonly ExportFinding[];
}

/** An empty report. */
export function exportReport(): ExportReport {
  const findings: ExportFinding[] = [];
  let contradictions = 0;
  return {
    broken: (line, where, what) => {
      contradictions += 1;
      findings.push({ line, where, what });
    },
    doubt: (line, where, what) => {
      findings.push({ line, where, what });
    },
    status: () => {
      if (contradictions > 0) return 'broken';
      return findings.length === 0 ? 'clean' : 'cannot-tell';
    },
    findings: () => findings.toSorted((a, b) => a.line - b.line),
  };
}
