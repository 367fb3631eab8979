import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { readRoster } from '../../src/engine/roster.ts';
import { RUN_ROLES } from '../../src/identity/roster-decision.ts';
import type { Session } from '../session.ts';

/**
 * Ends every process of a session, and waits for its watchers: those who have said their last word live on, and who watched a
 * reviewer that dies starts another one.
 */
export async function endAll(s: Session): Promise<void> {
  for (let round = 0; round < 60; round++) {
    await s.with(async ({ ports }) => {
      const { roster } = await readRoster(ports);
      const runs = [...roster.members.values()].filter(
        ({ roles, retired }) => !retired && roles.some((role) => RUN_ROLES.includes(role)),
      );
      const ends = runs.map(async ({ id }) => {
        if ((await ports.agents.look(id)).state === 'running')
          await ports.agents.kill(id, 'the system', 'the test is over');
      });
      await Promise.all(ends);
    });
    if (!commandLines().some((line) => line.includes(s.repo.root))) return;
    await wait(200);
  }
}

/** The processes of this machine, by how they were called. */
const commandLines = (): readonly string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    });
