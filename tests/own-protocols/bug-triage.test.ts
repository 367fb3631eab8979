import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSession, type Session } from '../session.ts';

const TABLE = readFileSync(join(import.meta.dirname, '../../examples/bug-triage/bug-triage.yaml'), 'utf8');
const PATH = '.countersign/protocols/bug-triage.yaml';
const TESTS = '  - { kind: tests, outcomes: [green], by: engine, in: proposed, on: commit }\n';
const TEAM = { tina: ['specialist'], fred: ['specialist'] };

describe('a protocol that a project wrote for itself', () => {
  let s: Session;
  beforeAll(async () => {
    s = await openSession({ agents: TEAM, files: { 'README.md': '# Scratch\n', [PATH]: TABLE } });
    for (const [id, role] of [
      ['tri', 'triager'],
      ['fix', 'fixer'],
      ['one', 'reader'],
      ['two', 'reader'],
    ] as const)
      await s.register(id, [role]);
  });
  afterAll(() => s.close());

  const move = (actor: string, id: string, ...words: string[]) => s.say(actor, 'move', id, ...words);

  it('is listed, shown and checked by its name', async () => {
    const listed = await s.say('', 'protocol', 'list');
    expect(JSON.stringify(listed.data)).toContain('"bug-triage"');
    expect((await s.text('', 'protocol', 'show', 'bug-triage')).out).toContain('proposed');
    const checked = await s.text('', 'protocol', 'check', 'bug-triage');
    expect(checked.code).toBe(0);
    expect(checked.out).toContain('everything that can happen was looked at');
  });

  it('is walked by its own commands, and confirmed by two readers and a run of the checks', async () => {
    const added = await s.say('tri', 'add', 'Totals are off by one', '--protocol', 'bug-triage');
    expect(added.data.status).toBe('reported');
    const id = added.data.id;
    expect((await move('fix', id, 'accept', '--reason', 'mine')).error.message).toContain('Only triager');
    await move('tri', id, 'accept', '--reason', 'it is one');
    await move('fix', id, 'take');
    s.repo.commit({ 'work.txt': 'done' });
    expect((await move('fix', id, 'propose')).data.status).toBe('proposed');
    for (const reader of ['one', 'two'])
      expect((await s.text(reader, 'next')).out).toContain(
        `countersign --actor ${reader} review ${id} --approve`,
      );
    expect((await s.text('', 'next')).out).toContain(`  countersign review ${id} --approve`);
    expect((await s.text('fix', 'next')).out).not.toContain('review');
    const early = await s.say('one', 'verify', id);
    expect(early.code).not.toBe(0);
    expect(early.err + early.out).toContain('0 of 2 say approve');
    expect((await s.say('one', 'review', id, '--approve')).code).toBe(0);
    expect((await s.say('fix', 'review', id, '--approve')).code).not.toBe(0);
    // One voice each: who gave it waits, and the other is still asked.
    expect((await s.text('one', 'next')).out).toContain(`waits: 1 of 2 say approve`);
    expect((await s.text('one', 'show', id)).out).toContain(
      `next: countersign review ${id} --approve  [reader or human (ada, two)]`,
    );
    const once = await s.say('one', 'verify', id);
    expect(once.err + once.out).toContain('1 of 2 say approve');
    expect((await s.say('two', 'review', id, '--approve')).code).toBe(0);
    const next = await s.text('two', 'next');
    expect(next.out).toContain(`verify ${id}`);
    const verified = await s.say('two', 'verify', id);
    expect(verified.data.status).toBe('confirmed');
    expect((await s.say('', 'list')).data.progress).toMatchObject({ done: 1, total: 1 });
    const audit = await s.text('', 'audit', 'verify');
    expect(audit.out).toContain('clean');
  });

  it('nothing waits for an item of it: its table tells nobody what becomes of one', async () => {
    const { id } = (await s.say('tri', 'add', 'Tell nobody', '--protocol', 'bug-triage', '--list', 'other'))
      .data;
    const refused = await s.say('', 'add', 'Wait for ever', '--depends-on', id);
    expect([refused.code, refused.error.message]).toEqual([
      2,
      `${id} follows the protocol bug-triage, which does not tell others what becomes of it: nothing can depend on it`,
    ]);
    await move('tri', id, 'decline', '--reason', 'only a question');
  });

  it('one whose table tells by commands alone can be waited for', async () => {
    const telling = `${TABLE.replaceAll('bug-triage', 'telling-triage')}policies:
  - { commands: [accept, decline], tell: dependants, note: dependencies }
`;
    s.repo.git('checkout', '-q', 'main');
    s.repo.commit({ '.countersign/protocols/telling-triage.yaml': telling });
    const { id } = (await s.say('tri', 'add', 'Tell others', '--protocol', 'telling-triage')).data;
    expect((await s.say('', 'add', 'Wait for it', '--depends-on', id, '--list', 'waits')).code).toBe(0);
  });

  it('a table that waits for what the engine never records is refused', async () => {
    s.repo.write('never.yaml', TABLE.replace('gates:', `${TESTS}gates:`));
    const refused = await s.say('', 'protocol', 'check', join(s.repo.top, 'never.yaml'));
    expect([refused.code, refused.error.message]).toEqual([
      2,
      expect.stringContaining('the engine records no tests; it records proof-pack'),
    ]);
  });

  it('keeps the table that an item was opened with; migration is asked for, and logged', async () => {
    const { data } = await s.say('tri', 'add', 'Names are cut', '--protocol', 'bug-triage');
    const same = await s.say('tri', 'protocol', 'migrate', data.id, '--reason', 'the new table');
    expect(same.error.message).toContain('follows bug-triage 1.0.0 already');
    s.repo.git('checkout', '-q', 'main');
    s.repo.commit({ [PATH]: TABLE.replace('version: 1.0.0', 'version: 1.1.0') });
    expect((await move('tri', data.id, 'accept', '--reason', 'yes')).data.status).toBe('accepted');
    const shown = await s.say('', 'show', data.id);
    expect(shown.data.protocol).toMatchObject({ version: '1.0.0' });
    const moved = await s.say('tri', 'protocol', 'migrate', data.id, '--reason', 'the new table');
    expect(moved.code, moved.err).toBe(0);
    const [from, to] = [moved.data.from, moved.data.to] as { id: string; status: string }[];
    expect(to?.status).toBe('reported');
    const after = await s.say('', 'show', to?.id ?? '');
    expect(after.data.protocol).toMatchObject({ version: '1.1.0' });
    const refused = await move('fix', from?.id ?? '', 'take');
    expect(refused.error.message).toContain(`was replaced by ${to?.id}`);
    expect((await s.text('', 'log', from?.id ?? '')).out).toContain(`superseded-by ${to?.id}`);
    expect((await s.text('', 'audit', 'verify')).out).toContain('clean');
  });

  it('is refused where it breaks what every protocol promises', async () => {
    s.repo.git('checkout', '-q', 'main');
    const broken = TABLE.replaceAll('bug-triage', 'quick-fix')
      .replace('      - { guard: apart, from: builder }\n      - { guard: votes', '      - { guard: votes')
      .replace('by: [reader, human]\n    requires:', 'by: [reader, fixer, human]\n    requires:');
    s.repo.commit({ '.countersign/protocols/quick-fix.yaml': broken });
    const refused = await s.say('tri', 'add', 'Anything', '--protocol', 'quick-fix');
    expect(refused.error.code).toBe('BAD_CONFIG');
    expect(refused.error.message).toContain('breaks a promise');
  });

  it('is refused where it asks what the engine cannot look for, or is no table at all', async () => {
    s.repo.git('checkout', '-q', 'main');
    s.repo.git('rm', '-q', '.countersign/protocols/quick-fix.yaml');
    const strange = TABLE.replaceAll('bug-triage', 'strange').replaceAll('evidence-types', 'moon-is-full');
    s.repo.commit({ '.countersign/protocols/strange.yaml': strange });
    const refused = await s.say('tri', 'add', 'Anything', '--protocol', 'strange');
    expect(refused.error.message).toContain('the engine cannot look for moon-is-full');
    s.repo.git('rm', '-q', '.countersign/protocols/strange.yaml');
    s.repo.commit({ '.countersign/protocols/none.yaml': 'name: none\n' });
    const none = await s.say('tri', 'add', 'Anything', '--protocol', 'none');
    expect(none.error.message).toContain('.countersign/protocols/none.yaml');
    const other = await s.say('tri', 'add', 'Sums are rounded', '--protocol', 'bug-triage');
    expect(other.data.status).toBe('reported');
    s.repo.git('rm', '-q', '.countersign/protocols/none.yaml');
    s.repo.git('commit', '-q', '-m', 'none again');
    expect((await s.say('tri', 'add', 'Anything', '--protocol', 'nothing')).error.message).toContain(
      'there is no protocol nothing',
    );
  });

  it('stops no other where its file cannot be read, and the items that follow it are told', async () => {
    s.repo.git('checkout', '-q', 'main');
    const { data } = await s.say('tri', 'add', 'Dates are wrong', '--protocol', 'bug-triage');
    const sound = TABLE.replaceAll('bug-triage', 'other-triage');
    s.repo.commit({ [PATH]: 'name: [\n', '.countersign/protocols/other-triage.yaml': sound });
    const refused = await s.say('tri', 'add', 'Anything', '--protocol', 'bug-triage');
    expect(refused.error).toMatchObject({ code: 'BAD_CONFIG', message: expect.stringContaining(PATH) });
    const check = await s.say('', 'protocol', 'check', 'bug-triage');
    expect(check.error.message).toContain(PATH);
    expect(check.error.hint).toBe('mend the file and commit it on the default branch');
    const listed = await s.text('', 'protocol', 'list');
    expect(listed.out).toContain('other-triage');
    expect(listed.err).toContain(`unusable: ${PATH}`);
    expect((await s.say('tri', 'add', 'Anything', '--protocol', 'two-phase')).error?.code).not.toBe(
      'BAD_CONFIG',
    );
    expect((await s.say('tri', 'add', 'Anything', '--protocol', 'other-triage')).data.status).toBe(
      'reported',
    );
    const shown = await s.text('tri', 'show', data.id);
    expect([shown.code, shown.err]).toEqual([
      0,
      expect.stringContaining('goes on by the table that it was opened with'),
    ]);
    expect((await move('tri', data.id, 'accept', '--reason', 'yes')).data.status).toBe('accepted');
    const { conditions } = (await s.say('', 'doctor')).data as {
      conditions?: { name: string; says: string }[];
    };
    expect(conditions?.find(({ name }) => name === 'configuration')?.says).toContain(PATH);
  });
});
