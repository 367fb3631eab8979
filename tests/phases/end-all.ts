import { readRoster } from '../../src/engine/roster.ts';
import { RUN_ROLES } from '../../src/identity/roster-decision.ts';
import type { Session } from '../session.ts';

/** Ends the processes of those too who have said their last word and live on. */
export const endAll = (s: Session): Promise<void> =>
  s.with(async ({ ports }) => {
    const { roster } = await readRoster(ports);
    const runs = [...roster.members.values()].filter(
      ({ roles, retired }) => !retired && roles.some((role) => RUN_ROLES.includes(role)),
    );
    const ends = runs.map(async ({ id }) => {
      if ((await ports.agents.look(id)).startedAt !== '')
        await ports.agents.kill(id, 'the system', 'the test is over');
    });
    await Promise.all(ends);
  });
