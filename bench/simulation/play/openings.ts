import { addTask } from '../../../src/engine/add-task.ts';
import { NEW_ITEM } from '../../../src/engine/new-item.ts';
import { openItems } from '../../../src/engine/open.ts';
import { planPhases } from '../../../src/engine/phases/plan.ts';
import { checkTask } from '../../../src/engine/staged/feasibility.ts';
import { startTask } from '../../../src/engine/staged/start-task.ts';
import type { Dice } from '../dice.ts';
import { STAGED_TASKS, type Town } from '../town.ts';
import type { Request } from './request.ts';

const asked = (who: string, what: string, run: Request['run']): Request => ({ who, what, here: '', run });

/** The protocols that are played, each with how something new of it begins. */
export const OPENINGS: { readonly [protocol: string]: (town: Town, dice: Dice) => Promise<Request> } = {
  async 'two-phase'(_town, dice) {
    const settings = {
      quality_validation: dice.chance(0.3),
      independence: dice.pick(['automated', 'sibling', 'other-lineage']),
    };
    const item = {
      ...NEW_ITEM,
      title: 'Implement it',
      protocol: 'two-phase',
      list: dice.pick(['main', 'side']),
      settings,
    };
    return asked('olga', 'open two-phase', ({ ports }, caller) => openItems(ports, caller, [item]));
  },
  async lifecycle(_town, dice) {
    const settings = { independence: dice.pick(['automated', 'other-lineage']) };
    const item = { ...NEW_ITEM, title: 'Build it', protocol: 'lifecycle', settings };
    return asked('olga', 'open lifecycle', ({ ports }, caller) => openItems(ports, caller, [item]));
  },
  async goal(town, dice) {
    const rows = await town.ports.store.items({
      list: undefined,
      states: ['open', 'active', 'pending_verify'],
      categories: [],
      assignee: undefined,
      after: 0,
      limit: 20,
    });
    const goals = rows.filter(({ protocol }) => protocol === 'goal');
    if (goals.length === 0 || dice.chance(0.1))
      return asked('lin', 'open a goal', ({ ports }, caller) =>
        openItems(ports, caller, [{ ...NEW_ITEM, title: 'A shop that sells', protocol: 'goal' }]),
      );
    const { id, number } = dice.pick(goals);
    const task = { ...NEW_ITEM, title: 'A piece of it' };
    return asked('lin', `add a task to the goal ${number}`, ({ ports }, caller) =>
      addTask(ports, caller, task, id),
    );
  },
  async staged(_town, dice) {
    const task = dice.pick(STAGED_TASKS);
    const [who, session] = dice.pick([
      ['coord', 's-1'],
      ['rival', 's-2'],
    ] as const);
    return asked(who, `start ${task}`, async ({ ports }, caller) => {
      await checkTask(ports, caller, { task, session, blockers: [], choices: [] });
      return startTask(ports, caller, {
        task,
        session,
        kind: 'code',
        criteria: 'default',
        choice: undefined,
      });
    });
  },
  async phases(_town, dice) {
    const phases = ['Design Phase', 'Implementation Phase']
      .slice(0, dice.below(2) + 1)
      .map((name) => ({ name, criteria: '' }));
    return asked('olga', 'plan phases', ({ ports }, caller) =>
      planPhases(ports, caller, { title: 'Build the thing', phases, list: 'main', from: '', partOf: '' }),
    );
  },
};
