import { canonicalize } from '../attestation/canonical.ts';
import { sha256Hex } from '../attestation/digest.ts';
import { signStatement } from '../attestation/sign.ts';
import { revision } from '../attestation/statement.ts';
import type { VerdictPredicate } from '../attestation/verdict.ts';
import { vsaStatement } from '../attestation/vsa.ts';
import { EngineError } from './engine-error.ts';
import { requireSigner } from './keys.ts';
import type { Ports } from './ports.ts';
import type { JudgedPack } from './proof-verify.ts';
import { strengthProperties } from './strength.ts';

/** The verdict of a pack that may be retold. Throws DAMAGED for one that is not what its signer wrote. */
export function soundVerdict({ status, verdict, findings }: JudgedPack, path: string): VerdictPredicate {
  if (status === 'clean' && verdict !== undefined) return verdict;
  const why = findings.map(({ where, what }) => `${where}: ${what}`).join('; ');
  throw new EngineError(
    'DAMAGED',
    `the proof pack ${path} cannot be told again: ${why}`,
    'restore it from a copy',
  );
}

/**
 * A SLSA verification summary of a pack, signed as the pack was: one envelope on one line. `pack` is the pack itself,
 * which the summary names by its digest. Throws NO_CREDENTIAL where this machine may not sign.
 */
export async function vsaOf(
  ports: Ports,
  judged: JudgedPack,
  pack: { readonly path: string; readonly bytes: Uint8Array },
): Promise<string> {
  await requireSigner(ports, 'runner');
  const verdict = soundVerdict(judged, pack.path);
  const { gitCommit = '', gitTree = '' } = judged.subject;
  const repository = `urn:uuid:${await ports.store.repositoryId()}`;
  const { criteria, verifier } = verdict;
  const passed = verdict.verdict === 'PASSED';
  const statement = vsaStatement(revision(gitCommit, gitTree), {
    verifier: {
      id: `https://countersign.dev/runner/${verifier.runnerVersion}`,
      version: { countersign: verifier.runnerVersion },
    },
    timeVerified: verdict.endedAt,
    resourceUri: repository,
    policy: { uri: `${repository}#${criteria.path}`, digest: { sha256: criteria.digest } },
    inputAttestations: [{ uri: `${repository}#${pack.path}`, digest: { sha256: sha256Hex(pack.bytes) } }],
    verificationResult: passed ? 'PASSED' : 'FAILED',
    verifiedLevels: passed ? levelsOf(verdict) : ['FAILED'],
    dependencyLevels: {},
  });
  return `${canonicalize(signStatement(statement, ports.signer('runner')))}\n`;
}

function levelsOf({ independence, strength = 'none' }: VerdictPredicate): readonly string[] {
  return [
    `COUNTERSIGN_INDEPENDENCE_${independence.toUpperCase().replace('-', '_')}`,
    ...strengthProperties(strength),
  ];
}
