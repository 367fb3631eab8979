import { sha256Hex } from '../../attestation/digest.ts';
import type { Finding } from '../../kernel/command.ts';
import type { Facts, Json } from '../../kernel/event.ts';
import { defaultBranchOf } from '../base.ts';
import { evidenceFile, filesFinding, gatherClaim } from '../claim.ts';
import { claimFacts } from '../claim-facts.ts';
import { packFinding } from '../complete-item.ts';
import type { Handle } from '../handle.ts';
import type { NamedCommit, Ports } from '../ports.ts';
import { isStranded, NOTHING_FINISHED } from '../stranded.ts';
import { type Gatherer, lacking, seen } from './looked.ts';

/** Work that is said to be finished: its commit, what it is compared with, the criteria that judge it. */
export const claimed: Gatherer = async ({ ports, handle, request, config, warnings }) => {
  const claim = { ...request, commit: request.commit || 'HEAD' };
  return gatherClaim(ports, handle, claim, defaultBranchOf(handle, await config()), warnings);
};

/** Files that are attached where nothing is claimed. They are kept by digest; they prove nothing by themselves. */
export const attached: Gatherer = ({ ports, handle, request }) => {
  const files = request.evidence.map((given) => evidenceFile(ports, given));
  const kept = files.filter((file) => file.sha256 !== '');
  const checks: Finding = isStranded(handle)
    ? lacking(NOTHING_FINISHED.because, NOTHING_FINISHED.fix)
    : kept.length > 0
      ? seen(`${kept.length} files show the self-checks`)
      : lacking('nothing shows that the self-checks were made', 'name their output with --evidence PATH');
  return {
    probes: { 'evidence-files': filesFinding(files), 'self-checks': checks },
    facts: { evidence: kept.map(({ path, type, sha256, bytes }) => ({ path, type, sha256, bytes })) as Json },
  };
};

/** An approach as a file. One that was rejected is not examined again (CL-13). */
export const approach: Gatherer = ({ ports, handle: { item }, request }) => {
  const [path = ''] = request.evidence;
  const bytes = path === '' ? undefined : ports.files.readWorking(path);
  if (bytes === undefined) {
    const because = path === '' ? 'no approach is named' : `${path} cannot be read`;
    return { probes: { 'new-approach': lacking(because, 'name its file with --evidence PATH') } };
  }
  const digest = sha256Hex(bytes);
  const before = item.evidence.some(({ kind, facts }) => kind === 'approach' && facts.approach === digest);
  const found = before
    ? lacking('this very approach was examined before', 'change the approach')
    : seen('the approach is a new one');
  ports.evidence.put(bytes);
  return { probes: { 'new-approach': found }, subjects: { plan: digest }, facts: { approach: digest, path } };
};

/** The files of the proof pack are where they were put, unchanged (2PC-04). */
export const pack: Gatherer = ({ ports, handle }) => ({
  probes: { 'proof-pack': packFinding(ports, handle) },
});

/** What is named as the commit of the finished work exists and holds it (LIFE-36). */
export const committed: Gatherer = ({ ports: { git }, handle, request }) => {
  const named = request.arguments.commit ?? '';
  const asked = git.namedCommit(named);
  const { commit } = asked;
  const found = commit === '' ? noCommit(named, asked) : commitFinding(git, handle, commit);
  return { probes: { 'commit-exists': found }, facts: { committed: commit || named } };
};

const noCommit = (named: string, { why, fix }: NamedCommit): Finding =>
  why === 'ambiguous'
    ? lacking(`${named} is the name of more than one commit`, 'give the full id of the one you mean')
    : lacking(`there is no commit ${named}`, fix ?? 'name the commit that holds the finished work');

function commitFinding(git: Ports['git'], handle: Handle, commit: string): Finding {
  const claim = claimFacts(handle);
  const verified = String(claim.commit ?? '');
  // What is nowhere holds nothing, and would be the same as a commit that lacks it.
  if (verified !== '' && git.namedCommit(verified).commit === '')
    return lacking(
      `the commit that was verified, ${verified.slice(0, 12)}, is not in this repository`,
      'bring it here: fetch it from where it was built',
    );
  const differ = commit === verified ? [] : git.differing(verified, commit, pathsOf(git, claim));
  return differ.length === 0
    ? seen(`${commit.slice(0, 12)} holds what was verified`)
    : lacking(
        `${commit.slice(0, 12)} holds something else at ${differ.slice(0, 3).join(', ')}`,
        'commit what was verified',
      );
}

/** Every path of the claimed work: those that were kept with the claim, or what git says where these are not all. */
function pathsOf(git: Ports['git'], { commit, base, changed, files }: Facts): readonly string[] {
  const kept = Array.isArray(files) ? files.map(String) : [];
  if (typeof commit !== 'string' || typeof base !== 'string' || changed === kept.length) return kept;
  return git.resolveClaim({ commit, base, defaultBranch: '' }).changed.map(({ path }) => path);
}
