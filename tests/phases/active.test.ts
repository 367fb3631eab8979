import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LEAD, openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

describe('ACTIVE', () => {
  it('PHASE-11, PHASE-05: the first phase is active when the task is planned, the others wait', async () => {
    const [first = '', second = '', third = ''] = await stage.plan('A', 'B', 'C');
    expect(await stage.state(first)).toBe('ACTIVE');
    expect(await stage.state(second)).toBe('PENDING');
    expect(await stage.state(third)).toBe('PENDING');
  });

  it.each(['APPROVED', 'REJECTED', 'REVISING', 'ESCALATED', 'COMPLETED'] as const)(
    'comes to %s',
    async (state) => {
      const phase = await stage.bring(state);
      expect(await stage.state(phase)).toBe(state);
      expect((await stage.must('', 'audit', 'verify')).code).toBe(0);
    },
  );
});
void LEAD;
