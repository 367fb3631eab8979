import type { Chronicle } from '../chronicle.ts';

/** What must hold after every step: one sentence for each thing that does not. */
export type Invariant = (chronicle: Chronicle) => readonly string[] | Promise<readonly string[]>;
