import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BUILDER, CHECKER, LEAD, missingOf, openWorkshop, type Workshop } from './workshop.ts';

/** What a kind may change is looked at as well. */
const CRITERIA = `schema: countersign/criteria/1
name: default
checks:
  - {id: done, kind: file, path: work.txt, contains: done}
  - {id: scope, kind: diff}
`;

let w: Workshop;
let goal: string;
beforeEach(async () => {
  w = await openWorkshop({ criteria: CRITERIA });
  goal = await w.goal();
});
afterEach(() => w.s.close());

const submit = (task: string, ...more: readonly string[]) =>
  w.s.say(BUILDER, 'move', task, 'submit', '--arg', 'summary=It is all there, believe me', ...more);
const begun = (kind: string) => w.bring(goal, 'in_progress', { add: ['--kind', kind] });
const verified = async (task: string) => {
  await w.must(LEAD, 'move', task, 'approve');
  return w.s.say(CHECKER, 'verify', task);
};

describe('kinds of tasks', () => {
  test('code: words without a change are no submission, and a claim that none is needed takes another’s word', async () => {
    const task = await begun('code');
    expect(missingOf(await submit(task))).toContain('nothing changed');
    expect(missingOf(await submit(task, '--no-change'))).toContain('needs evidence');
    expect(await w.state(task)).toBe('in_progress');
    w.s.repo.write('notes.md', 'I looked at all of it and it is fine.\n');
    expect((await submit(task, '--no-change', '--evidence', 'notes.md')).data.status).toBe('review');
    const judged = await verified(task);
    expect(judged.code).not.toBe(0);
    expect(await w.state(task)).toBe('completed');
    expect((await w.s.events(task)).filter((e) => e.type === 'recorded').map((e) => e.kind)).toEqual([
      'inconclusive',
    ]);
  });

  test('code: a change that passes is confirmed, one that fails is not, whatever the summary says', async () => {
    const good = await w.bring(goal, 'completed', { add: ['--kind', 'code'] });
    expect((await w.s.say(CHECKER, 'verify', good)).data.status).toBe('verified');
    const bad = await w.bring(goal, 'completed', { add: ['--kind', 'code'], good: false });
    expect((await w.s.say(CHECKER, 'verify', bad)).data).toMatchObject({
      status: 'in_progress',
      verdict: 'BLOCKED',
    });
  });

  test('docs: confirmed where it touches documents alone, not where it touches code', async () => {
    const task = await begun('docs');
    w.build(task, true, { [`docs/${task}.md`]: '# How it is done\n' });
    expect((await submit(task, '--commit', `work-${task}`)).data.status).toBe('review');
    // The workshop's own file beside it is no document.
    expect((await verified(task)).data).toMatchObject({ status: 'in_progress', verdict: 'BLOCKED' });
    const other = await begun('docs');
    w.s.repo.git('checkout', '-q', '-b', 'pages', 'main');
    w.s.repo.commit({ 'docs/guide.md': '# Guide\n' });
    w.s.repo.git('checkout', '-q', 'main');
    expect((await submit(other, '--commit', 'pages')).data.status).toBe('review');
    expect((await verified(other)).data).toMatchObject({ status: 'verified', verdict: 'PASSED' });
  });

  test.each(['research', 'verification-only'])(
    '%s: confirmed without a diff, by evidence that is kept; words alone are refused',
    async (kind) => {
      const task = await begun(kind);
      expect(missingOf(await submit(task, '--no-change'))).toContain('needs evidence');
      expect(missingOf(await submit(task, '--no-change', '--evidence', 'gone.md'))).toContain('gone.md');
      w.s.repo.write('findings.md', 'Three libraries were compared.\n');
      const done = await submit(task, '--no-change', '--evidence', 'report=findings.md');
      expect(done.data.status).toBe('review');
      expect((await verified(task)).data).toMatchObject({ status: 'verified', verdict: 'PASSED' });
      const [submitted] = (await w.s.events(task)).filter(
        (e) => e.type === 'moved' && e.command === 'submit',
      );
      expect(submitted).toMatchObject({
        facts: { no_change: true, evidence: [{ path: 'findings.md', type: 'report' }] },
      });
    },
  );
});
