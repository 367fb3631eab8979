/** A process that can be told from a later one with the same number. */
export interface ProcessId {
  readonly pid: number;
  /** When it started, as the system counts; '' is unknown and equals nothing. */
  readonly start: string;
}

/** A line of the table of processes. */
export interface ProcessRow extends ProcessId {
  readonly group: number;
  /** 0 where the system does not tell. */
  readonly session: number;
  readonly ended: boolean;
}
