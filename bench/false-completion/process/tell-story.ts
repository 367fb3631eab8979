import { atOnce } from '../at-once.ts';
import type { Trial } from '../trial.ts';
import type { Desk, Workshop } from '../workshop.ts';
import { itemTable, prepareItems, type Workflow } from './item-table.ts';
import { endAgents, phaseTable, preparePhases, type ReviewSetting } from './phase-table.ts';
import type { Story } from './story.ts';
import { type Noted, tableOn } from './table.ts';

/** A story and what it is told on. */
export interface PlannedStory {
  readonly story: Story;
  readonly ground: Workflow | ReviewSetting;
}

/** Every story on each of its grounds, or on the first alone. */
export const plannedStories = (stories: readonly Story[], first = false): readonly PlannedStory[] =>
  stories.flatMap((story) => {
    const grounds = 'on' in story ? story.on : story.reviews;
    return (first ? grounds.slice(0, 1) : grounds).map((ground) => ({ story, ground }));
  });

export const groundName = (ground: PlannedStory['ground']): string =>
  typeof ground === 'string' ? ground : `${ground.reviewers} reviewers, ${ground.policy}`;

/** Prepared repositories by what is told on them; each is made when it is first asked for, and copied for every story. */
export interface Grounds {
  deskFor(ground: PlannedStory['ground']): Promise<Desk>;
}

export function groundsIn(workshop: Workshop): Grounds {
  const made = new Map<string, Promise<Desk>>();
  const make = async (ground: PlannedStory['ground']) => {
    const desk = workshop.desk();
    await (typeof ground === 'string' ? prepareItems(desk, ground) : preparePhases(desk, ground));
    return desk;
  };
  return {
    async deskFor(ground) {
      const name = JSON.stringify(ground);
      const model = made.get(name) ?? make(ground);
      made.set(name, model);
      return workshop.desk(await model);
    },
  };
}

/** Tells one story. Throws when it could not be told, or is not what it says. */
export async function tellStory(
  workshop: Workshop,
  grounds: Grounds,
  { story, ground }: PlannedStory,
): Promise<Trial> {
  const desk = await grounds.deskFor(ground);
  const noted: Noted = { broken: [], refusals: [] };
  try {
    const done = await toldOn(story, ground, desk, workshop.bin, noted);
    const { family, id, grade, rows, expect, reasons } = story;
    return {
      scenario: { family, id, grade, rows, expect, reasons },
      material: groundName(ground),
      // What was done against the rules counts like work that passes all the same.
      accepted: expect === 'accept' ? done && noted.broken.length === 0 : done || noted.broken.length > 0,
      reasons: reasonsOf(noted, reasons),
      truthful: expect === 'accept' || noted.refusals.length + noted.broken.length > 0,
      milliseconds: undefined,
      baselines: undefined,
      said: noted.broken.join('; '),
    };
  } finally {
    await endAgents(desk);
    desk.remove();
  }
}

/** A story that could not be told to its end: the bench is at fault, and it counts as no refusal. */
export interface NotTold extends PlannedStory {
  readonly because: string;
}

/** Tells all of them, two at once; answers in order. */
export async function tellAll(
  workshop: Workshop,
  plan: readonly PlannedStory[],
  { onEnd }: { readonly onEnd?: (told: Trial | NotTold) => void } = {},
): Promise<{ readonly trials: readonly Trial[]; readonly broken: readonly NotTold[] }> {
  const grounds = groundsIn(workshop);
  const told = await atOnce(plan, 2, async (one): Promise<Trial | NotTold> => {
    const end = await tellStory(workshop, grounds, one).catch((error: unknown) => ({
      ...one,
      because: error instanceof Error ? error.message : String(error),
    }));
    onEnd?.(end);
    return end;
  });
  return {
    trials: told.flatMap((one) => ('because' in one ? [] : [one])),
    broken: told.flatMap((one) => ('because' in one ? [one] : [])),
  };
}

async function toldOn(
  story: Story,
  ground: PlannedStory['ground'],
  desk: Desk,
  bin: string,
  noted: Noted,
): Promise<boolean> {
  const table = tableOn(desk, bin, noted);
  if ('on' in story) return story.tell(itemTable(table, ground as Workflow));
  return story.tell(await phaseTable(table, ground as ReviewSetting));
}

/** Every refusal has to have one of the right reasons: those that have not stand for all. */
function reasonsOf({ refusals }: Noted, right: readonly string[]): readonly string[] {
  const wrong = refusals.filter((codes) => !codes.some((code) => right.includes(code)));
  return [...new Set((wrong.length > 0 ? wrong : refusals).flat())];
}
