import type { Protocol } from '../kernel/protocol.ts';
import { twoPhase } from './two-phase.ts';

/** The protocols that ship with the engine, by name. */
export const BUILT_IN: { readonly [name: string]: Protocol } = { [twoPhase.name]: twoPhase };
