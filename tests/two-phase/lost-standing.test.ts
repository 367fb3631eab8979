import { afterEach, beforeEach, expect, it } from 'vitest';
import { addActor, addToken, setRoles } from '../../src/engine/actors.ts';
import { auditStore } from '../../src/engine/audit/audit-store.ts';
import { callerOf } from '../../src/engine/credential.ts';
import { gatherAssignee } from '../../src/engine/dispatch.ts';
import { execute, plain } from '../../src/engine/execute.ts';
import { NEW_ITEM } from '../../src/engine/new-item.ts';
import { openItems } from '../../src/engine/open.ts';
import { readRoster } from '../../src/engine/roster.ts';
import { readWorld } from '../../src/engine/world.ts';
import { authenticate } from '../../src/identity/tokens.ts';
import { openSession, type Session } from '../session.ts';

let session: Session;
beforeEach(async () => {
  session = await openSession();
});
afterEach(() => session.close());

const dispatched = (session: Session, meanwhile: () => Promise<unknown>, actor = 'orchestrator') =>
  session.with(async (opened) => {
    const caller = await callerOf(opened, actor);
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

it('whoever lost the role that opens items, or was retired, before the item stands in the log opens none', async () => {
  const meanwhile = [
    () =>
      session.with(async (opened) =>
        setRoles(opened.ports, { ...(await callerOf(opened, '')), token: undefined }, 'orchestrator', [
          'quality-validator',
        ]),
      ),
    () => session.text('', 'actor', 'retire', 'orchestrator'),
  ];
  for (const change of meanwhile) {
    await session.with(async (opened) => {
      const caller = await callerOf(opened, 'orchestrator');
      const asked = { ...NEW_ITEM, title: 'Mend the parser' };
      const opening = openItems(opened.ports, caller, [asked], async () => {
        await change();
      });
      await expect(opening).rejects.toMatchObject({ code: 'NO_CREDENTIAL' });
      expect(await opened.ports.store.lastNumber()).toBe(0);
      expect(await auditStore(opened.ports)).toMatchObject({ status: 'clean' });
    });
    await session.with(async (opened) =>
      setRoles(opened.ports, { ...(await callerOf(opened, '')), token: undefined }, 'orchestrator', [
        'workflow-orchestrator',
      ]),
    );
  }
});

it('whose token was issued under one that was revoked before the step is refused it', async () => {
  await session.say('', 'add', 'Mend the parser');
  await session.with(async ({ ports, credentials }) => {
    const { roster } = await readRoster(ports);
    const parent = authenticate(roster, credentials.read('orchestrator'), session.now());
    if (!parent.ok) throw new Error(parent.because);
    const named = {
      id: 'child',
      kind: 'agent',
      roles: ['workflow-orchestrator'],
      parent: 'orchestrator',
    } as const;
    expect(await addActor(ports, parent, named)).toMatchObject({ ok: true });
    const asked = { actor: 'child', expiresAt: '', items: [], roles: [] };
    const issued = await addToken(ports, parent, asked);
    if (!issued.ok) throw new Error(issued.because);
    credentials.hand('child', issued.token);
  });
  const { outcome } = await dispatched(
    session,
    () => session.text('', 'actor', 'retire', 'orchestrator'),
    'child',
  );
  expect(outcome).toMatchObject({ kind: 'refused', because: expect.stringContaining('revoked') });
});

it('whose token was revoked before the step is refused it', async () => {
  await session.say('', 'add', 'Mend the parser');
  const { outcome } = await dispatched(session, async () => {
    const { tokens } = (await session.with(({ ports }) => readRoster(ports))).roster;
    for (const { id, actor } of tokens.values())
      if (actor === 'orchestrator') await session.text('', 'token', 'revoke', id);
  });
  expect(outcome).toMatchObject({ kind: 'refused', code: 'wrong-role' });
  expect(outcome).toMatchObject({ because: expect.stringContaining('revoked') });
});
