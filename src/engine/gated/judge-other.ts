import { sha256Hex } from '../../attestation/digest.ts';
import { openOverride } from '../../attestation/override.ts';
import { ANCHOR_REF } from '../../workspace/anchor.ts';
import { contains, pushedCommit, type StandingRef } from '../../workspace/pushed.ts';
import type { AskGit } from '../../workspace/received.ts';
import { judgePack } from '../proof-verify.ts';
import type { Finding, Gate, Judged, Update } from './gate.ts';
import { personSigns, withLetGo } from './judge-branch.ts';
import { letGo } from './overrides.ts';
import { OVERRIDES, PROOFS, paperIn } from './papers.ts';
import type { GateSection } from './policy.ts';

/** A protected tag is put once, on what a protected branch holds at its tip, before or after this push. */
export function judgeTag(
  gate: Gate,
  update: Update,
  policy: GateSection,
  coming: readonly StandingRef[],
): Judged {
  const { old, next } = update;
  const still = { update, guarded: true, remarks: [] };
  if (next === '') return { ...still, findings: [tagStays] };
  const commit = pushedCommit(gate.ask, peeled(gate.ask, next));
  if (commit === undefined)
    return { ...still, findings: [{ code: 'no-commit', says: 'it is on no commit', next: 'tag a commit' }] };
  // The commit, not its tree alone: whoever asks for a tag gets its history and its words with it.
  const isTip = [...gate.tips, ...coming].some(({ id }) => id === commit.id);
  const found = [...(old === '' ? [] : [tagStays]), ...(isTip ? [] : [tagOfOther])];
  return withLetGo(update, found, letGo(gate, policy, update, commit));
}

const tagStays: Finding = {
  code: 'tag',
  says: 'a protected tag is neither moved nor deleted by a push',
  next: `take another name; ${personSigns('tag')}`,
};
const tagOfOther: Finding = {
  code: 'tag',
  says: 'a protected tag is put on what stands at the tip of a protected branch',
  next: `push the branch first, or tag its tip; ${personSigns('tag')}`,
};

/** The commit behind a tag object, the id itself for anything else. */
function peeled(ask: AskGit, id: string): string {
  return ask(['rev-parse', '--verify', '--quiet', `${id}^{}`])
    .toString('utf8')
    .trim();
}

/** What is pushed below `refs/countersign/`: papers are added and never moved, and only where a trusted key signed them. */
export function judgePaper(gate: Gate, update: Update): Judged {
  const { ref, old, next } = update;
  const judged = (...findings: readonly Finding[]): Judged => ({
    update,
    guarded: true,
    findings,
    remarks: [],
  });
  if (next === '' || (old !== '' && !isAddition(gate, update))) return judged(stays(ref));
  const root = ref.startsWith(`${PROOFS}/`)
    ? PROOFS
    : ref.startsWith(`${OVERRIDES}/`)
      ? OVERRIDES
      : undefined;
  if (ref === ANCHOR_REF) return { ...judged(), guarded: false };
  // Of another name it could keep papers out for good: git has no ref below a ref.
  if (root === undefined) return judged(strange(ref, 'no paper has such a name'));
  const [about = '', digest = '', ...more] = ref.slice(root.length + 1).split('/');
  const paper = paperIn(gate.ask, root, { ref, id: next });
  if (paper === undefined) return judged(strange(ref, 'its commit holds no such file'));
  if (more.length > 0 || sha256Hex(paper.bytes) !== digest)
    return judged(strange(ref, 'its name is not its digest'));
  const lack = root === PROOFS ? packLack(gate, about, paper.bytes) : overrideLack(gate, about, paper.bytes);
  return lack === '' ? judged() : judged(strange(ref, lack));
}

/** Checkpoints of the log follow on each other; everything else stands where it was put. */
function isAddition({ ask }: Gate, { ref, old, next }: Update): boolean {
  const isPaper = ref.startsWith(`${PROOFS}/`) || ref.startsWith(`${OVERRIDES}/`);
  return next === old || (!isPaper && contains(ask, next, old));
}

function packLack({ keys }: Gate, about: string, bytes: Uint8Array): string {
  const { status, findings, subject } = judgePack(bytes, keys);
  if (status !== 'clean') return findings[0]?.what ?? 'it is no proof pack';
  return subject.gitTree === about ? '' : 'it is about another tree than its name says';
}

function overrideLack({ people }: Gate, about: string, bytes: Uint8Array): string {
  const opened = openOverride(bytes, people);
  if (!opened.ok) return opened.because;
  return opened.subject.gitCommit === about ? '' : 'it is about another commit than its name says';
}

const stays = (ref: string): Finding => ({
  code: 'paper',
  says: `${ref} is neither moved nor deleted by a push`,
  next: 'whoever keeps the repository does it there: git update-ref',
});

const strange = (ref: string, why: string): Finding => ({
  code: 'paper',
  says: `${ref} is not taken: ${why}`,
  next: 'run: countersign proof push ITEM; the key must be one that the gate trusts (countersign gate-push --install --key FILE there)',
});
