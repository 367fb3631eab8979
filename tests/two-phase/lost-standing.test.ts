import { afterEach, beforeEach, expect, it } from 'vitest';
import { setRoles } from '../../src/engine/actors.ts';
import { auditStore } from '../../src/engine/audit/audit-store.ts';
import { callerOf } from '../../src/engine/credential.ts';
import { gatherAssignee } from '../../src/engine/dispatch.ts';
import { execute, plain } from '../../src/engine/execute.ts';
import { readWorld } from '../../src/engine/world.ts';
import { openSession, type Session } from '../session.ts';

let session: Session;
beforeEach(async () => {
  session = await openSession();
});
afterEach(() => session.close());

const dispatched = (session: Session, meanwhile: () => Promise<unknown>) =>
  session.with(async (opened) => {
    const caller = await callerOf(opened, 'orchestrator');
    await meanwhile();
    const outcome = await execute(opened.ports, caller, {
      ...plain,
      ...{ ref: 'T-1', name: 'dispatch', arguments: { to: 'swiftui-developer' } },
      gather: async ({ protocol, item }) =>
        gatherAssignee((await readWorld(opened.ports, protocol, item.list)).world, 'swiftui-developer'),
    });
    const { status, findings } = await auditStore(opened.ports);
    return { outcome, status, findings };
  });

it('whoever was let in and lost the role before the step is refused it, and the log says nothing else', async () => {
  await session.say('', 'add', 'Mend the parser');
  const { outcome, status, findings } = await dispatched(session, () =>
    session.with(async (opened) =>
      setRoles(opened.ports, { ...(await callerOf(opened, '')), token: undefined }, 'orchestrator', [
        'quality-validator',
      ]),
    ),
  );
  expect(outcome).toMatchObject({ kind: 'refused', code: 'wrong-role' });
  expect({ status, findings }).toEqual({ status: 'clean', findings: [] });
});

it('whoever was retired meanwhile is refused it too; whoever was not goes on', async () => {
  await session.say('', 'add', 'Mend the parser');
  expect(
    (await dispatched(session, () => session.text('', 'actor', 'retire', 'orchestrator'))).outcome,
  ).toMatchObject({
    kind: 'refused',
  });
  const other = await openSession();
  await other.say('', 'add', 'Mend the parser');
  expect((await dispatched(other, async () => {})).outcome).toMatchObject({ kind: 'done' });
  other.close();
});
