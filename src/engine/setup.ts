import type { TrustedKey } from '../attestation/key.ts';
import type { RosterChange } from '../identity/roster-event.ts';
import { appending } from './appending.ts';
import { checkpoint } from './checkpoint.ts';
import { nowOf, type Ports } from './ports.ts';
import { ROSTER, readRoster } from './roster.ts';
import { bodyOf } from './stored.ts';

export interface Founding {
  readonly repository: string;
  readonly owner: string;
  readonly roles: readonly string[];
  readonly keys: readonly (TrustedKey & { readonly purpose: string })[];
}

/** Begins the log of a repository: its id, its first person, the keys that sign for it. False when it has one. */
export async function found(ports: Ports, founding: Founding): Promise<boolean> {
  const { roster } = await readRoster(ports);
  if (roster.repository !== '') return false;
  const { repository, owner, roles, keys } = founding;
  const changes: RosterChange[] = [
    { type: 'repository-opened', repository },
    { type: 'actor-registered', actor: { id: owner, kind: 'human', roles, parent: '' } },
    ...keys.map((key) => ({ type: 'key-added' as const, ...key })),
  ];
  const at = nowOf(ports);
  const commandId = ports.newId();
  const bodies = changes.map((change) => bodyOf({ ...change, at, by: owner }, commandId));
  const result = await ports.store.commit(appending(commandId, { stream: ROSTER, expected: 0, bodies }));
  if (result.kind !== 'committed') return false;
  await checkpoint(ports);
  return true;
}
