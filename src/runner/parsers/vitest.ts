import { guarded } from '../report.ts';
import { parse as parseJest } from './jest.ts';

/** The JSON reporter of vitest, which writes the shape of jest. */
export const parse = guarded(parseJest);
