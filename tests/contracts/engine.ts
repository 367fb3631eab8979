import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OWNER, type Session } from '../session.ts';
import { bring, DEVELOPER, STATES, work } from '../two-phase/bring.ts';

/** A session of the team, and a way to end it. */
export interface Desk {
  readonly session: Session;
  readonly close: () => Promise<void>;
}

/**
 * What every way to the engine must do: in this process, and at a server. A command is said by an actor and answered with
 * an exit code and one document.
 */
export function engineContract(name: string, open: () => Promise<Desk>): void {
  describe(`${name} keeps the contract of the engine`, () => {
    let desk: Desk;
    let s: Session;
    beforeAll(async () => {
      desk = await open();
      s = desk.session;
    });
    afterAll(() => desk.close());

    test.each(STATES)('an item gets to %s by the commands that lead there', async (state) => {
      const id = await bring(s, state, '--list', state);
      expect((await s.say('', 'show', id)).data.status.toLowerCase()).toBe(state);
    });

    test('nobody verifies own work, and the refusal names who can', async () => {
      const id = await bring(s, 'claimed', '--list', 'own');
      const said = await s.say(DEVELOPER, 'verify', id);
      expect(said).toMatchObject({ code: 7, error: { code: 'wrong-role', state: 'claimed' } });
      expect(JSON.stringify(said.error.next)).toContain('verification-agent');
      expect((await s.refusals(id)).at(-1)).toMatchObject({ by: DEVELOPER, attempted: 'verify' });
    });

    test('checks that are red send the work back, exit 4', async () => {
      const other = await bring(s, 'in_progress', '--list', 'red');
      work(s, false);
      await s.say(DEVELOPER, 'claim', other);
      expect(await s.say('verification-agent', 'verify', other)).toMatchObject({
        code: 4,
        data: { status: 'blocked' },
      });
    });

    test.each([
      [5, ['show', 'T-9999']],
      [2, ['shwo']],
      [2, ['add']],
      [2, ['list', '--limit', 'many']],
      [6, ['retry', 'T-1']],
      [5, ['import', 'todo', 'no-such-file.json']],
    ] as const)('exit %i for %j, in one document', async (code, words) => {
      const said = await s.text('orchestrator', '--json', ...words);
      expect(said.code, said.out).toBe(code);
      expect(JSON.parse(said.out)).toMatchObject({ schema: 'countersign/cli/1', ok: false });
    });

    test('of sixteen claims at once one is taken, and the others are told', async () => {
      const id = await bring(s, 'in_progress', '--list', 'race');
      work(s);
      const all = await Promise.all(Array.from({ length: 16 }, () => s.say(DEVELOPER, 'claim', id)));
      expect(all.filter(({ code }) => code === 0)).toHaveLength(1);
      expect(all.filter(({ code }) => code === 6)).toHaveLength(15);
      expect((await s.events(id)).filter((e) => e.type === 'moved' && e.command === 'claim')).toHaveLength(1);
    });

    test('of forty items opened at once none is lost and no number is given twice', async () => {
      const all = await Promise.all(
        Array.from({ length: 40 }, (_, i) => s.say('orchestrator', 'add', `item ${i}`)),
      );
      const ids = all.map(({ data }) => data.id);
      expect(new Set(ids).size).toBe(40);
    });

    test('a goal and its task, and a task of the lifecycle', async () => {
      await s.say('', 'actor', 'add', 'lead', '--role', 'lead');
      const goal = await s.say('', 'goal', 'create', 'A goal');
      expect(goal.code, goal.out + goal.err).toBe(0);
      const task = await s.say('', 'add', 'A task', '--protocol', 'lifecycle');
      expect(task.code, task.out + task.err).toBe(0);
      expect((await s.say('', 'show', task.data.id)).data.status).toBe('pending');
    });

    test('a list of another tool is taken over from a file of the caller', async () => {
      const file = join(s.repo.root, 'todo.json');
      writeFileSync(file, JSON.stringify([{ id: 'x1', content: 'From before', status: 'completed' }]));
      const said = await s.say('orchestrator', 'import', 'todo', file, '--list', 'old');
      expect(said.code, said.out).toBe(0);
      expect((await s.say('', 'list', '--list', 'old')).out).toContain('From before');
    });

    test('who works here, and their tokens', async () => {
      expect((await s.say('', 'actor', 'add', 'extra', '--role', 'specialist')).code).toBe(0);
      expect((await s.say(DEVELOPER, 'actor', 'add', 'friend', '--role', 'verification-agent')).code).toBe(7);
      expect((await s.say('', 'actor', 'list')).out).toContain('extra');
      expect((await s.say('', 'actor', 'retire', 'extra')).code).toBe(0);
    });

    test.each([
      ['next'],
      ['inbox'],
      ['list'],
      ['log', 'T-1'],
      ['history', 'T-1'],
      ['metrics'],
      ['tick'],
      ['criteria', 'show'],
      ['protocol', 'show', 'two-phase'],
      ['protocol', 'list'],
      ['token', 'list'],
      ['doctor'],
    ])('looks: %s %s', async (...words) => {
      const said = await s.text('', '--json', ...words);
      expect(said.code, said.out + said.err).toBe(0);
      expect(JSON.parse(said.out)).toMatchObject({ ok: true });
    });

    test('the audit of it all is clean', async () => {
      const said = await s.text('', '--json', 'audit', 'verify');
      expect(JSON.parse(said.out)).toMatchObject({ data: { status: 'clean' } });
      expect(said.code).toBe(0);
      expect((await s.text(OWNER, 'export')).out.split('\n').length).toBeGreaterThan(100);
    });
  });
}
