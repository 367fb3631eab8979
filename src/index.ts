export { compose, type Seams, VERSION } from './compose.ts';
export type { Composition, Opened } from './engine/composition.ts';
