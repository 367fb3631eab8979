import { defineProtocol } from '../kernel/define-protocol.ts';
import { absent } from '../kernel/guards/absent.ts';
import { apart } from '../kernel/guards/apart.ts';
import { evidence } from '../kernel/guards/evidence.ts';
import { independent } from '../kernel/guards/independent.ts';
import { anyOf, not, when } from '../kernel/guards/index.ts';
import { members } from '../kernel/guards/members.ts';
import { probe } from '../kernel/guards/probe.ts';
import { same } from '../kernel/guards/same.ts';
import { setting } from '../kernel/guards/setting.ts';
import { team } from '../kernel/guards/team.ts';

// Nobody is locked out: only where no second pair of eyes holds the role, and nobody in it stands outside the work,
// may the work's own lineage act, and the result is marked as not independent.
const alone = (role: string, from: string, bond: 'identity' | 'lineage') =>
  not(anyOf(team(2, role), team(1, role, from, bond)));
const outside = anyOf(apart('builder'), alone('verification-agent', 'builder', 'lineage'));
const notTheBuilder = anyOf(
  apart('builder', 'identity'),
  alone('workflow-orchestrator', 'builder', 'identity'),
);
// Where everybody who closes has built at some attempt, whoever verified closes: the maker still does not.
const notTheVerifier = anyOf(
  apart('verifier', 'identity'),
  alone('workflow-orchestrator', 'verifier', 'identity'),
  not(team(1, 'workflow-orchestrator', 'builder', 'identity')),
);
const outsideQuality = anyOf(apart('builder'), alone('quality-validator', 'builder', 'lineage'));

const listOpen = when(setting('halt_on_block', true), members('list', ['blocked'], 'none'));
const dependenciesDone = members('dependencies', ['=CONFIRMED', '=CLOSED'], 'all');
const dispatched = when(setting('undispatched', 'refuse'), same('assignee'));
const work = [probe('claimed-work'), probe('evidence-files'), probe('evidence-types')];
// Whoever is asked for a quality verdict has to approve, and whoever rejected it unasked is not passed over.
const qualityAsked = anyOf(
  setting('quality_validation', true),
  evidence('quality-demand', 'yes'),
  evidence('quality', 'REJECTED'),
);
const quality = when(qualityAsked, evidence('quality', 'APPROVED'));

// Who speaks about a claim stands outside the work: there is no fallback for somebody alone, but the proof of a person.
const REVIEWERS = ['verification-agent', 'quality-validator'] as const;
const SIGNERS = [...REVIEWERS, 'workflow-orchestrator'] as const;
const VOICE = ['approve', 'reject'] as const;

/** Claim, verify, complete: nobody marks their own work as done (2PC-01 to 2PC-97). */
export const twoPhase = defineProtocol(() => ({
  name: 'two-phase',
  version: '1.2.0',
  meaning: 'Two-phase commit of a todo item: a claim is confirmed by somebody else before it is done',
  roles: ['specialist', 'verification-agent', 'workflow-orchestrator', 'quality-validator'],
  openers: ['workflow-orchestrator'],
  initial: 'pending',
  states: {
    pending: { category: 'QUEUED', meaning: 'Not started; waits for a specialist' },
    in_progress: { category: 'WORKING', meaning: 'Dispatched and being implemented' },
    claimed: { category: 'SUBMITTED', meaning: 'Said to be finished; nothing has been verified yet' },
    verified: {
      category: 'CONFIRMED',
      meaning: 'Every criterion was met on a clean checkout of the claimed commit',
    },
    blocked: {
      category: 'REWORK',
      meaning: 'At least one criterion failed; the only way on is a new attempt',
    },
    completed: { category: 'CLOSED', meaning: 'Verified and accepted', final: true, success: true },
  },
  settings: {
    quality_validation: [false, true],
    acknowledge: ['user', 'orchestrator'],
    halt_on_block: [true, false],
    undispatched: ['flag', 'refuse'],
    independence: ['automated', 'sibling', 'other-lineage', 'human'],
  },
  subjects: { commit: {}, item: {} },
  groups: ['list', 'dependencies'],
  probes: ['assignee-fits', 'claimed-work', 'evidence-files', 'evidence-types', 'proof-pack'],
  // biome-ignore format: a state table reads as a table
  rows: [
    { from: 'pending',     command: 'dispatch',  to: 'in_progress', by: 'workflow-orchestrator', requires: [listOpen, dependenciesDone, probe('assignee-fits')], takes: ['to'], names: { assignee: 'to' } },
    { from: 'in_progress', command: 'start',     to: '@same',       by: 'specialist',            requires: [same('assignee')] },
    { from: 'in_progress', command: 'claim',     to: 'claimed',     by: 'specialist',            requires: [same('assignee'), ...work], as: 'builder', moves: ['commit'] },
    { from: 'pending',     command: 'claim',     to: 'claimed',     by: 'specialist',            requires: [dispatched, listOpen, dependenciesDone, ...work], via: 'in_progress', as: 'builder', moves: ['commit'] },
    { from: 'in_progress', command: 'release',   to: 'pending',     by: 'workflow-orchestrator', forgets: ['assignee'] },
    { from: 'claimed',     command: 'verify',    to: 'verified',    by: ['verification-agent', 'human'], requires: [outside, evidence('proof-pack', 'PASSED'), independent('proof-pack')], as: 'verifier', verdict: true },
    { from: 'claimed',     command: 'block',     to: 'blocked',     by: ['verification-agent', 'human'], requires: [outside, evidence('proof-pack', 'BLOCKED')], as: 'verifier' },
    { from: 'claimed',     command: 'release',   to: 'pending',     by: 'workflow-orchestrator', requires: [evidence('inconclusive', 'INDETERMINATE')], attempt: true, forgets: ['assignee'] },
    { from: 'blocked',     command: 'retry',     to: 'pending',     by: 'workflow-orchestrator', requires: [evidence('failure-review', 'seen')], attempt: true, forgets: ['assignee', 'verifier'] },
    { from: 'verified',    command: 'complete',  to: 'completed',   by: ['workflow-orchestrator', 'human'], requires: [absent('superseded'), notTheBuilder, notTheVerifier, probe('proof-pack'), evidence('proof-pack', 'PASSED'), quality, evidence('final-report', 'WRITTEN')] },
    { from: 'verified',    command: 'supersede', to: '@same',       by: ['workflow-orchestrator', 'human'], requires: [absent('superseded'), evidence('quality', 'REJECTED')], records: ['superseded:yes:item'] },
  ],
  // biome-ignore format: a table reads as a table
  evidence: [
    { kind: 'proof-pack',     outcomes: ['PASSED', 'BLOCKED'],    by: 'engine',                       in: 'claimed',  on: 'commit', once: true },
    { kind: 'inconclusive',   outcomes: ['INDETERMINATE'],        by: 'engine',                       in: 'claimed',  on: 'commit' },
    { kind: 'quality-demand', outcomes: ['yes'],                  by: 'engine',                       in: 'claimed',  on: 'commit' },
    { kind: 'sign-off',       outcomes: VOICE,                    by: SIGNERS,                        in: 'claimed',  on: 'commit', requires: [apart('builder')], each: true },
    { kind: 'sign-off',       outcomes: VOICE,                    by: 'human',                        in: 'claimed',  on: 'commit', each: true },
    { kind: 'review',         outcomes: VOICE,                    by: REVIEWERS,                      in: 'claimed',  on: 'commit', requires: [apart('builder')], each: true },
    { kind: 'review',         outcomes: VOICE,                    by: 'human',                        in: 'claimed',  on: 'commit', each: true },
    { kind: 'approval',       outcomes: VOICE,                    by: 'human',                        in: 'claimed',  on: 'commit', each: true },
    { kind: 'waiver',         outcomes: ['waived'],               by: [...SIGNERS, 'specialist'],     in: 'claimed',  on: 'commit', requires: [apart('builder')], each: true },
    { kind: 'waiver',         outcomes: ['waived'],               by: 'human',                        in: 'claimed',  on: 'commit', each: true },
    { kind: 'failure-review', outcomes: ['seen'],                 by: 'human',                        in: 'blocked',  on: 'commit' },
    { kind: 'failure-review', outcomes: ['seen'],                 by: 'workflow-orchestrator',        in: 'blocked',  on: 'commit', requires: [setting('acknowledge', 'orchestrator')] },
    { kind: 'quality',        outcomes: ['APPROVED', 'REJECTED'], by: ['quality-validator', 'human'], in: 'verified', on: 'commit', requires: [outsideQuality], once: true },
    { kind: 'final-report',   outcomes: ['WRITTEN'],              by: 'engine',                       in: 'verified', on: 'commit' },
  ],
  // biome-ignore format: a table reads as a table
  forbidden: [
    { from: ['pending', 'in_progress'], command: 'complete', because: 'implementation may not be skipped', instead: 'claim it, then have it verified' },
    { from: 'claimed',  command: 'complete', because: 'verification may not be skipped',             instead: 'have it verified' },
    { from: ['pending', 'in_progress'], command: 'verify', because: 'there is nothing implemented to verify', instead: 'claim it first' },
    { from: 'blocked',  command: 'complete', because: 'failed verifications remain',                 instead: 'acknowledge the failures, retry, claim and verify again' },
    { from: 'blocked',  command: 'verify',   because: 'a blocked item must be fixed, claimed and verified again', instead: 'acknowledge the failures and retry' },
    { from: 'verified', command: 'retry',    because: 'verification cannot be undone',               instead: 'create a follow-up item' },
    { from: 'completed', command: 'retry',   because: 'a completed item is final',                   instead: 'create a follow-up item' },
  ],
  // biome-ignore format: a table reads as a table
  policies: [
    { enters: ['*'],       tell: 'dependants', note: 'dependencies' },
    { enters: ['blocked'], tell: 'list',       note: 'list' },
    { commands: ['retry'], tell: 'list',       note: 'list' },
    { enters: ['*'],       tell: 'whole',      note: 'parts', carry: ['builder'] },
  ],
  promises: [evidence('proof-pack', 'PASSED')],
  closed: [evidence('superseded', 'yes')],
  gates: [{ in: 'claimed', pass: 'verify', fail: 'block', role: 'verification-agent' }],
}));
