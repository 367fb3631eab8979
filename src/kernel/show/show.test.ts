import { expect, it, describe as suite } from 'vitest';
import { goalTask } from '../../../tests/fixtures/protocols/goals.ts';
import { lifecycle } from '../../../tests/fixtures/protocols/lifecycle.ts';
import { phase } from '../../protocols/phase.ts';
import { twoPhase } from '../../protocols/two-phase.ts';
import { guardsOf } from '../check/setup.ts';
import { apart } from '../guards/apart.ts';
import { evidence } from '../guards/evidence.ts';
import { when } from '../guards/index.ts';
import { members } from '../guards/members.ts';
import { setting } from '../guards/setting.ts';
import { team } from '../guards/team.ts';
import { describe } from './describe.ts';
import { mermaidOf } from './mermaid.ts';
import { tableOf } from './table.ts';
import { xstateOf } from './xstate.ts';

const all = [twoPhase, lifecycle, goalTask, phase];

suite('describe', () => {
  it.each([
    ['outside the lineage of the builder', apart('builder')],
    ['not the builder', apart('builder', 'identity')],
    ['proof-pack says PASSED', evidence('proof-pack', 'PASSED')],
    ['if strict is true: not the builder', when(setting('strict', true), apart('builder', 'identity'))],
    [
      'all of tasks verified or closed, 1 or more in all',
      members('tasks', ['verified', '=CLOSED'], 'all', 1),
    ],
    ['2 or more independent holders of reviewer', team(2, 'reviewer')],
    ['1 or more independent actors other than the builder', team(1, '', 'builder', 'identity')],
  ])('says: %s', (phrase, guard) => {
    expect(describe(guard)).toBe(phrase);
  });

  it('has a phrase for every guard of every protocol', () => {
    for (const guard of all.flatMap(guardsOf)) expect(describe(guard)).toMatch(/^\S.+\S$/);
  });
});

suite('tableOf', () => {
  const text = tableOf(twoPhase);

  it('shows each row in the order of the table', () => {
    const rows = text.split('\n').filter((line) => line.startsWith('| '));
    expect(rows.slice(1, 1 + twoPhase.rows.length).map((line) => line.split(' | ')[1])).toEqual(
      twoPhase.rows.map((row) => [row.command, ...row.takes.map((name) => `{${name}}`)].join(' ')),
    );
    expect(text).toContain('| claimed | verify | verified | verification-agent, human |');
    expect(text).toContain('a new attempt: nothing carries over');
  });

  it('shows states, evidence, what is forbidden, settings, policies and promises', () => {
    for (const head of [
      'States',
      'Evidence',
      'Forbidden',
      'Settings',
      'Told to others',
      'Promised at every success',
    ]) {
      expect(text).toContain(`## ${head}`);
    }
    expect(text).toContain('| completed | CLOSED |  | Verified and accepted | success; final |');
    expect(text).toContain('| verified | retry | verification cannot be undone | create a follow-up item |');
    expect(tableOf(lifecycle)).toContain('| failures | state | 3 |');
    expect(tableOf(phase)).toContain('OVERRIDE, marked for ever');
  });

  it('leaves out what a protocol does not have', () => {
    expect(tableOf(lifecycle)).not.toContain('## Forbidden');
  });

  it('has as many cells in each line as in its head', () => {
    for (const protocol of all) {
      for (const block of tableOf(protocol)
        .trim()
        .split('\n\n')
        .filter((b) => b.startsWith('| '))) {
        const cells = block.split('\n').map((line) => line.replaceAll('\\|', '').split('|').length);
        expect(new Set(cells).size).toBe(1);
      }
    }
  });
});

suite('mermaidOf', () => {
  it('draws each state, the way in and the ways out', () => {
    const text = mermaidOf(twoPhase);
    expect(text.startsWith('stateDiagram-v2\n')).toBe(true);
    for (const line of ['[*] --> s_pending', 's_claimed --> s_verified : verify', 's_completed --> [*]']) {
      expect(text).toContain(`  ${line}\n`);
    }
    expect(text).toContain('s_in_progress --> s_in_progress : start');
  });

  it('draws sets and relative targets to every state that they may mean', () => {
    const text = mermaidOf(lifecycle);
    expect(text).toContain('s_cto_intervention --> s_testing : return, rollback, skip');
    expect(text).toContain('s_human_escalation --> s_quality_review : resolve');
    expect(text).not.toContain('s_human_escalation --> s_approved');
  });
});

interface Machine {
  readonly initial: string;
  readonly states: {
    readonly [state: string]: {
      readonly type?: string;
      readonly on?: {
        readonly [event: string]: readonly { readonly target: string; readonly guard?: string }[];
      };
      readonly always?: readonly { readonly target: string }[];
    };
  };
}

suite('xstateOf', () => {
  const machine = (protocol: typeof twoPhase) => xstateOf(protocol) as unknown as Machine;

  it('is plain JSON', () => {
    for (const protocol of all)
      expect(JSON.parse(JSON.stringify(xstateOf(protocol)))).toEqual(xstateOf(protocol));
  });

  it('names commands in upper case, gates by their row, and final states', () => {
    const { states, initial } = machine(twoPhase);
    expect(initial).toBe('pending');
    expect(states.claimed?.on?.VERIFY).toMatchObject([{ target: 'verified', guard: 'row-6' }]);
    expect(states.completed).toMatchObject({ type: 'final' });
    expect(states.in_progress?.on?.START).toMatchObject([{ target: 'in_progress', reenter: true }]);
  });

  it('makes rows without a command eventless, and keeps the order of rows with one', () => {
    expect(machine(phase).states.UNDER_REVIEW?.always?.map((a) => a.target)).toEqual([
      'APPROVED',
      'REJECTED',
      'REVISING',
      'ESCALATED',
    ]);
    expect(machine(goalTask).states.completed?.on?.REJECT_VERIFICATION?.map((t) => t.guard)).toEqual([
      'row-8',
      'row-9',
    ]);
  });

  it('leads only to states that there are', () => {
    for (const protocol of all) {
      const { states } = machine(protocol);
      for (const state of Object.values(states)) {
        for (const to of [...Object.values(state.on ?? {}).flat(), ...(state.always ?? [])]) {
          expect(states).toHaveProperty(to.target);
        }
      }
    }
  });
});
