import type { Family, Label } from '../scenario.ts';
import type { ItemTable, Workflow } from './item-table.ts';
import type { PhaseTable, ReviewSetting } from './phase-table.ts';

/** A story about who may say what: it is told by commands in several names, on one of the workflows. */
export type Story = ItemStory | PhaseStory;

/** Told once on each of its workflows, on an item whose work is good and stands before its gate. */
export interface ItemStory extends Label {
  readonly on: readonly Workflow[];
  /** Answers whether the work counts as done at the end. */
  tell(table: ItemTable): Promise<boolean>;
}

/** Told once with each of its settings of reviews, on a task in two phases. */
export interface PhaseStory extends Label {
  readonly reviews: readonly ReviewSetting[];
  tell(table: PhaseTable): Promise<boolean>;
}

type Given<S extends Story> = Pick<S, 'id' | 'rows' | 'tell'> & Partial<S>;

/** Three reviewers of whom more than half decide, five, and three who all have to agree. */
export const REVIEWS: readonly ReviewSetting[] = [
  { reviewers: 3, policy: 'majority' },
  { reviewers: 5, policy: 'majority' },
  { reviewers: 3, policy: 'unanimous' },
];

/** A dishonest story on items: whatever is tried in it must be refused. */
export const itemCheat = (family: Family, given: Given<ItemStory> & Pick<Label, 'reasons'>): ItemStory => ({
  on: ['two-phase', 'lifecycle', 'goal-task'],
  grade: 'G1',
  family,
  expect: 'refuse',
  ...given,
});

export const phaseCheat = (
  family: Family,
  given: Given<PhaseStory> & Pick<Label, 'reasons'>,
): PhaseStory => ({ reviews: REVIEWS, grade: 'G1', family, expect: 'refuse', ...given });

const HONEST = { grade: 'G0', family: 'H', expect: 'accept', reasons: [] } as const;

/** An honest story: the work has to be done at the end. */
export const itemHonest = (given: Given<ItemStory>): ItemStory => ({
  on: ['two-phase', 'lifecycle', 'goal-task'],
  ...HONEST,
  ...given,
});

export const phaseHonest = (given: Given<PhaseStory>): PhaseStory => ({
  reviews: REVIEWS,
  ...HONEST,
  ...given,
});
