import { own } from '../kernel/own.ts';
import type { Protocol } from '../kernel/protocol.ts';
import { twoPhase } from './two-phase.ts';

/** The protocols that ship with the engine, by name. */
export const BUILT_IN: { readonly [name: string]: Protocol } = { [twoPhase.name]: twoPhase };

/** The built-in protocol of exactly this name; whatever else a name may reach in an object is none. */
export const builtIn = (name: string): Protocol | undefined => own(BUILT_IN, name);
