/** How a ledger's words read: which commands hand work in, make a contributor, send back, pass and land. */
export interface Reading {
  /** States that count as done. */
  readonly done: readonly string[];
  readonly handsIn: readonly string[];
  /** Whoever takes these has put something into the work. */
  readonly contributes: readonly string[];
  /** A second pair of eyes that comes between the work and its verdict; '' where there is none. */
  readonly approves: string;
  readonly passes: string;
  /** What makes it final after its verdict; '' where the verdict does. */
  readonly lands: string;
  /** Commands that send claimed work back, by the state that they are given in. */
  readonly sendsBack: readonly string[];
  /** Decisions of an authority after which a rejected work may be judged again as it is. */
  readonly overrides: readonly string[];
  /** Who is given the work, by the command that does it: from an argument, or the actor. */
  readonly assigns: { readonly [command: string]: 'to' | 'actor' };
  /** What only the assignee may do. */
  readonly assigned: readonly string[];
  readonly frees: readonly string[];
  /** Subjects that evidence may be about. */
  readonly subjects: readonly string[];
  /** What is looked at outside before each command. */
  readonly looks: { readonly [command: string]: readonly string[] };
  /** Who may take each command, and give each kind of evidence; 'person' is somebody who proved to be one. */
  readonly by: { readonly [command: string]: readonly string[] };
  /** Minutes that an item should stay at most. */
  readonly allowances: { readonly [state: string]: number };
}

const WORK = ['claimed-work', 'evidence-files', 'evidence-types'];
const person = (...roles: readonly string[]) => [...roles, 'person'];

const twoPhase: Reading = {
  done: ['verified', 'completed'],
  handsIn: ['claim'],
  contributes: ['claim'],
  approves: '',
  passes: 'verify',
  lands: 'complete',
  sendsBack: ['claimed block'],
  overrides: [],
  assigns: { dispatch: 'to' },
  assigned: ['in_progress start', 'in_progress claim'],
  frees: ['release', 'retry'],
  subjects: ['commit', 'item'],
  looks: { dispatch: ['assignee-fits'], claim: WORK, complete: ['proof-pack'] },
  by: {
    dispatch: ['workflow-orchestrator'],
    start: ['specialist'],
    claim: ['specialist'],
    release: ['workflow-orchestrator'],
    verify: person('verification-agent'),
    block: person('verification-agent'),
    retry: ['workflow-orchestrator'],
    complete: person('workflow-orchestrator'),
    supersede: person('workflow-orchestrator'),
    'sign-off': person('verification-agent', 'quality-validator', 'workflow-orchestrator'),
    review: person('verification-agent', 'quality-validator'),
    approval: person(),
    waiver: person('verification-agent', 'quality-validator', 'workflow-orchestrator', 'specialist'),
    'failure-review': person('workflow-orchestrator'),
    quality: person('quality-validator'),
  },
  allowances: {},
};

const lifecycle: Reading = {
  done: ['completed'],
  handsIn: ['finish', 'ask-review'],
  contributes: ['begin', 'finish', 'ask-review'],
  approves: '',
  passes: 'approve',
  lands: 'committed',
  sendsBack: ['quality_review fail', 'committing fail'],
  overrides: ['return', 'rollback', 'skip', 'resolve'],
  assigns: {},
  assigned: [],
  frees: [],
  subjects: ['commit', 'item', 'plan'],
  looks: {
    propose: ['new-approach'],
    finish: WORK,
    'ask-review': ['evidence-files', 'self-checks'],
    committed: ['commit-exists', 'proof-pack'],
  },
  by: {
    assign: ['build-orchestrator'],
    plan: ['solution-validator'],
    propose: ['fullstack-developer'],
    validate: ['solution-validator'],
    begin: ['fullstack-developer'],
    finish: ['fullstack-developer'],
    'ask-review': ['fullstack-developer'],
    approve: person('quality-monitor'),
    commit: ['git-manager'],
    committed: ['git-manager'],
    'pending fail': ['build-orchestrator'],
    'assigned fail': ['solution-validator'],
    'planning fail': ['solution-validator'],
    'validated fail': ['fullstack-developer'],
    'in_progress fail': ['fullstack-developer'],
    'testing fail': ['fullstack-developer'],
    'quality_review fail': ['quality-monitor'],
    'approved fail': ['git-manager'],
    'committing fail': ['git-manager'],
    return: ['cto'],
    rollback: ['cto'],
    skip: ['cto'],
    escalate: ['cto'],
    resolve: person(),
    abandon: person(),
    'codebase-review': ['cto'],
    'sign-off': person('quality-monitor', 'cto', 'build-orchestrator'),
    review: person('quality-monitor', 'cto'),
    approval: person(),
    waiver: person('quality-monitor', 'cto', 'build-orchestrator'),
  },
  allowances: {
    ...{ pending: 60, assigned: 15, planning: 30, validated: 15, in_progress: 240, testing: 30 },
    ...{ quality_review: 30, approved: 10, committing: 15, cto_intervention: 60 },
  },
};

const goalTask: Reading = {
  done: ['verified'],
  handsIn: ['submit'],
  contributes: ['start', 'submit'],
  approves: 'approve',
  passes: 'verify',
  lands: '',
  sendsBack: ['review reject', 'completed reject-verification', 'verified reopen'],
  overrides: [],
  assigns: { assign: 'to', 'reassign-builder': 'to', intervene: 'actor', reopen: 'to' },
  assigned: ['assigned start', 'in_progress submit'],
  frees: [],
  subjects: ['commit', 'item'],
  looks: {
    assign: ['assignee-fits'],
    submit: [...WORK, 'helpers-fit'],
    'reassign-builder': ['assignee-fits'],
    'reassign-checker': ['checker-fits'],
    reopen: ['assignee-fits'],
  },
  by: {
    assign: person('lead'),
    start: ['builder'],
    submit: ['builder', 'lead'],
    approve: person('reviewer', 'lead'),
    reject: person('reviewer', 'lead'),
    verify: person('verifier', 'lead'),
    'reject-verification': person('verifier', 'lead'),
    'reassign-builder': person('lead'),
    'reassign-checker': person('lead'),
    intervene: ['lead'],
    reopen: person('lead'),
    abandon: person('lead'),
    'sign-off': person('verifier', 'reviewer', 'lead'),
    review: person('verifier', 'reviewer'),
    approval: person(),
    waiver: person('verifier', 'reviewer', 'lead'),
  },
  allowances: {},
};

const goal: Reading = {
  done: ['verified'],
  handsIn: ['integrate'],
  contributes: [],
  approves: '',
  passes: 'verify-goal',
  lands: '',
  sendsBack: ['pending_verify reject-goal'],
  overrides: [],
  assigns: {},
  assigned: [],
  frees: [],
  subjects: ['commit'],
  looks: { link: ['linkable'], unlink: ['linkable'], integrate: ['integrated'] },
  by: Object.fromEntries(
    [
      ...['link', 'unlink', 'integrate', 'verify-goal', 'reject-goal', 'cancel'],
      ...['sign-off', 'review', 'waiver'],
    ].map((command) => [command, person('lead')]),
  ),
  allowances: {},
};

export const READINGS: { readonly [protocol: string]: Reading } = {
  'two-phase': twoPhase,
  lifecycle,
  'goal-task': goalTask,
  goal: { ...goal, by: { ...goal.by, approval: person() } },
};
