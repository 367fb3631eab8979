/** How somebody stands to whoever did the work. */
export const RELATIONS = ['self', 'parent', 'child', 'sibling', 'stranger', 'person', 'unproven'] as const;
export type Relation = (typeof RELATIONS)[number];

/**
 * What a ledger says of one command: which roles may take it, how far from those who did the work, and whether a person
 * who showed to be one may as well. `kin`: neither they nor their parents and children; `self`: just not they themselves;
 * `mine`: nobody but whoever it was given to.
 */
export interface Right {
  readonly command: string;
  /** Where the item stands, as a story of the test brings it there. */
  readonly at: string;
  readonly roles: readonly string[];
  readonly apart: 'none' | 'kin' | 'self' | 'mine';
  readonly person: boolean;
  /** An outcome, where it is evidence that is given. */
  readonly gives: string;
}

type Words = readonly [
  at: string,
  command: string,
  roles: string,
  apart: Right['apart'],
  person?: 'person' | '',
  gives?: string,
];

const rights = (...lines: readonly Words[]): readonly Right[] =>
  lines.map(([at, command, roles, apart, person, gives = '']) => ({
    ...{ at, command, apart, gives, roles: roles.split(' ').filter(Boolean), person: person === 'person' },
  }));

// biome-ignore format: a table reads as a table
export const TWO_PHASE_RIGHTS = rights(
  ['pending',     'dispatch',       'workflow-orchestrator', 'none'],
  ['in_progress', 'start',          'specialist',            'mine'],
  ['in_progress', 'claim',          'specialist',            'mine'],
  ['pending',     'claim',          'specialist',            'none'],
  ['in_progress', 'release',        'workflow-orchestrator', 'none'],
  ['passed',      'verify',         'verification-agent',    'kin',  'person'],
  ['failed',      'block',          'verification-agent',    'kin',  'person'],
  ['unclear',     'release',        'workflow-orchestrator', 'none'],
  ['blocked',     'retry',          'workflow-orchestrator', 'none'],
  ['reported',    'complete',       'workflow-orchestrator', 'self', 'person'],
  ['rejected',    'supersede',      'workflow-orchestrator', 'none', 'person'],
  ['claimed',     'sign-off',       'verification-agent quality-validator workflow-orchestrator', 'kin', 'person', 'approve'],
  ['claimed',     'review',         'verification-agent quality-validator', 'kin', 'person', 'approve'],
  ['claimed',     'approval',       '', 'none', 'person', 'approve'],
  ['claimed',     'waiver',         'verification-agent quality-validator workflow-orchestrator specialist', 'kin', 'person', 'waived'],
  ['unseen',      'failure-review', '', 'none', 'person', 'seen'],
  ['verified',    'quality',        'quality-validator', 'kin', 'person', 'APPROVED'],
);

// biome-ignore format: a table reads as a table
export const LIFECYCLE_RIGHTS = rights(
  ['pending',          'assign',     'build-orchestrator',  'none'],
  ['assigned',         'plan',       'solution-validator',  'none'],
  ['planning',         'propose',    'fullstack-developer', 'none'],
  ['planning',         'validate',   'solution-validator',  'none'],
  ['validated',        'begin',      'fullstack-developer', 'none'],
  ['in_progress',      'finish',     'fullstack-developer', 'none'],
  ['testing',          'ask-review', 'fullstack-developer', 'none'],
  ['passed',           'approve',    'quality-monitor',     'kin', 'person'],
  ['approved',         'commit',     'git-manager',         'none'],
  ['committing',       'committed',  'git-manager',         'none'],
  ['pending',          'fail',       'build-orchestrator',  'none'],
  ['assigned',         'fail',       'solution-validator',  'none'],
  ['planning',         'fail',       'solution-validator',  'none'],
  ['validated',        'fail',       'fullstack-developer', 'none'],
  ['in_progress',      'fail',       'fullstack-developer', 'none'],
  ['testing',          'fail',       'fullstack-developer', 'none'],
  ['quality_review',   'fail',       'quality-monitor',     'none'],
  ['approved',         'fail',       'git-manager',         'none'],
  ['committing',       'fail',       'git-manager',         'none'],
  ['cto_intervention', 'return',     'cto',                 'none'],
  ['cto_intervention', 'rollback',   'cto',                 'none'],
  ['skippable',        'skip',       'cto',                 'none'],
  ['second',           'escalate',   'cto',                 'none'],
  ['human_escalation', 'resolve',    '',                    'none', 'person'],
  ['human_escalation', 'abandon',    '',                    'none', 'person'],
  ['pending',          'codebase-review', 'cto', 'none', '', 'done'],
  ['quality_review',   'sign-off',   'quality-monitor cto build-orchestrator', 'kin', 'person', 'approve'],
  ['quality_review',   'review',     'quality-monitor cto', 'kin', 'person', 'approve'],
  ['quality_review',   'approval',   '', 'none', 'person', 'approve'],
  ['quality_review',   'waiver',     'quality-monitor cto build-orchestrator', 'kin', 'person', 'waived'],
);

// biome-ignore format: a table reads as a table
export const GOAL_TASK_RIGHTS = rights(
  ['pending',     'assign',              'lead',             'none', 'person'],
  ['in_progress', 'assign',              'lead',             'none', 'person'],
  ['assigned',    'start',               'builder',          'mine'],
  ['in_progress', 'submit',              'builder lead',     'mine'],
  ['review',      'approve',             'reviewer lead',    'kin',  'person'],
  ['review',      'reject',              'reviewer lead',    'kin',  'person'],
  ['passed',      'verify',              'verifier',         'kin',  'person'],
  ['completed',   'reject-verification', 'verifier',         'kin',  'person'],
  ['escalated',   'reassign-builder',    'lead',             'none', 'person'],
  ['escalated',   'reassign-checker',    'lead',             'none', 'person'],
  ['escalated',   'intervene',           'lead',             'none'],
  ['verified',    'reopen',              'lead',             'none', 'person'],
  ['in_progress', 'abandon',             'lead',             'none', 'person'],
  ['completed',   'sign-off',            'verifier reviewer lead', 'kin', 'person', 'approve'],
  ['completed',   'review',              'verifier reviewer', 'kin', 'person', 'approve'],
  ['completed',   'approval',            '', 'none', 'person', 'approve'],
  ['completed',   'waiver',              'verifier reviewer lead', 'kin', 'person', 'waived'],
);

// biome-ignore format: a table reads as a table
export const GOAL_RIGHTS = rights(
  ['active',         'link',        'lead', 'none', 'person'],
  ['active',         'unlink',      'lead', 'none', 'person'],
  ['pending_verify', 'integrate',   'lead', 'kin',  'person'],
  ['passed',         'verify-goal', 'lead', 'kin',  'person'],
  ['pending_verify', 'reject-goal', 'lead', 'none', 'person'],
  ['active',         'cancel',      'lead', 'none', 'person'],
  ['pending_verify', 'sign-off',    'lead', 'kin',  'person', 'approve'],
  ['pending_verify', 'review',      'lead', 'kin',  'person', 'approve'],
  ['pending_verify', 'approval',    '',     'none', 'person', 'approve'],
  ['pending_verify', 'waiver',      'lead', 'kin',  'person', 'waived'],
);
