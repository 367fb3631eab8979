import { honestItems, honestPhases } from './honest-stories.ts';
import { lineage, names } from './s5-names.ts';
import { overrides, voices } from './s5-phases.ts';
import { reviewQuality } from './s6-reviews.ts';
import type { Story } from './story.ts';

/** Every story about who may say what, and what reviews are worth. */
export const STORIES: readonly Story[] = [
  ...names,
  ...lineage,
  ...voices,
  ...overrides,
  ...reviewQuality,
  ...honestItems,
  ...honestPhases,
];
