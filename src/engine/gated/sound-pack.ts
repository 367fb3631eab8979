import { sha256Hex } from '../../attestation/digest.ts';
import type { VerdictPredicate } from '../../attestation/verdict.ts';
import { fileIn } from '../../workspace/pushed.ts';
import { criteriaPath } from '../criteria.ts';
import { judgePack } from '../proof-verify.ts';
import { STRENGTHS } from '../strength.ts';
import type { Gate } from './gate.ts';
import type { Paper } from './papers.ts';
import { type GateSection, INDEPENDENCES, PROTECTIONS, TIERS } from './policy.ts';

/** A pack that counts at a gate, or what it lacks. */
export type SoundPack =
  | { readonly ok: true; readonly where: string; readonly verdict: VerdictPredicate; readonly tree: string }
  | { readonly ok: false; readonly where: string; readonly lacks: readonly string[] };

/** What is demanded, and the commit on whose criteria the work has to be judged. */
export interface Demand {
  readonly policy: GateSection;
  readonly base: string;
}

const MOST_CRITERIA = 1 << 20;

/** Judges one pack against the policy; on which tree and base it stands is for others to compare. Throws BAD_KEY. */
export function soundPack(gate: Pick<Gate, 'ask' | 'keys'>, demand: Demand, paper: Paper): SoundPack {
  const { keys: allowed } = demand.policy;
  const trusted = gate.keys.filter(({ keyid }) => allowed === undefined || allowed.includes(keyid));
  const { status, findings, verdict, subject } = judgePack(paper.bytes, trusted);
  const { where } = paper;
  if (status !== 'clean' || verdict === undefined)
    return { ok: false, where, lacks: findings.map(({ what }) => what).slice(0, 3) };
  const lacks = [...lacksOf(verdict, demand.policy), ...criteriaLack(gate, demand, verdict)];
  return lacks.length > 0
    ? { ok: false, where, lacks }
    : { ok: true, where, verdict, tree: subject.gitTree ?? '' };
}

function lacksOf(verdict: VerdictPredicate, policy: GateSection): readonly string[] {
  const { independence, strength = 'none', tier = '', protectionLevel, checks } = verdict;
  if (verdict.verdict !== 'PASSED') return [`the verdict is ${verdict.verdict}`];
  const [grade = 'none'] = strength.split(' + ');
  const waived = checks.filter(({ waivedBy = '' }) => waivedBy !== '').map(({ id }) => id);
  return [
    ...tooLow('independence', INDEPENDENCES, independence, policy.independence),
    ...tooLow('strength', STRENGTHS, grade, policy.strength),
    ...tooLow('tier', TIERS, tier, policy.tier),
    ...tooLow('protection level', PROTECTIONS, protectionLevel, policy.protection),
    ...(policy.mutation && !strength.endsWith('mutation')
      ? ['its tests were not tried on a changed program']
      : []),
    ...(waived.length > 0 && policy.waivers !== true ? [`checks were waived: ${waived.join(', ')}`] : []),
  ];
}

function tooLow(name: string, known: readonly string[], has: string, least: number): readonly string[] {
  if (least === 0 || known.indexOf(has) >= least) return [];
  return [`its ${name} is ${has || 'not named'}, at least ${known[least]} is demanded`];
}

/** The criteria must be those of the base as it stands now: a change cannot bring its own, and old ones have had their day. */
function criteriaLack({ ask }: Pick<Gate, 'ask'>, { policy, base }: Demand, { criteria }: VerdictPredicate) {
  const names = policy.criteria ?? ['default'];
  if (!names.some((name) => criteriaPath(name) === criteria.path))
    return [
      `it was judged by ${criteria.path}, and only ${names.map(criteriaPath).join(', ') || 'nothing'} counts`,
    ];
  const bytes = fileIn(ask, base, criteria.path, MOST_CRITERIA);
  if (bytes === undefined) return [`${criteria.path} is not on the branch any more`];
  return sha256Hex(bytes) === criteria.digest ? [] : [`${criteria.path} has changed on the branch since`];
}
