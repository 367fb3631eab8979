import { sha256Hex } from '../../src/attestation/digest.ts';
import type { CheckFinding, ParsedCriteria, RunFinding, RunnerPort } from '../../src/engine/ports.ts';
import { parseCriteria } from '../../src/runner/criteria.ts';
import { matchesGlob } from '../../src/runner/glob.ts';
import type { Repository } from './repository.ts';

/** Every file of a commit that was made in bad faith or badly says so in its first word. */
export const BAD = 'bad';

/** Whether the work of a commit is what was asked for: what is true, whatever anybody says. */
export const isGood = (of: Repository, commit: string): boolean =>
  of.get(commit) !== undefined && [...of.filesOf(commit).values()].every((text) => !text.startsWith(BAD));

const PARSED = new Map<string, Promise<ParsedCriteria>>();

async function parsed(bytes: Uint8Array, path: string): Promise<ParsedCriteria> {
  const { evidence, requiresQualityValidation, checks } = await parseCriteria(bytes, path);
  const named = checks.map(({ id, kind }) => ({ id, kind, owner: '', by: [], count: 0 }));
  return { problems: [], evidence, requiresQuality: requiresQualityValidation, runsOn: [], checks: named };
}

/**
 * Runs that tell the truth about a commit, at once and without a process. `breaks` says whether the next one cannot be
 * carried out.
 */
export function runnerInMemory(of: Repository, now: () => string, breaks: () => boolean): RunnerPort {
  const nothing = { digest: '', paths: [], lines: [] };
  return {
    version: 'simulated',
    labels: [],
    criteria(bytes, path) {
      const digest = sha256Hex(bytes);
      const found = PARSED.get(digest) ?? parsed(bytes, path);
      PARSED.set(digest, found);
      return found;
    },
    wasRead: async () => true,
    acceptanceProblems: async () => [],
    protectedChanges: async () => nothing,
    matches: async (path, pattern) => matchesGlob(path, pattern),
    prepare: () => {},
    async run({ commit }): Promise<RunFinding> {
      const at = now();
      const common = { tier: '', startedAt: at, endedAt: at, environment: {} };
      if (breaks())
        return { ...common, verdict: 'indeterminate', cause: 'the machine has no memory left', checks: [] };
      const good = isGood(of, commit);
      return { ...common, verdict: good ? 'pass' : 'fail', cause: '', checks: [checkOf(good)] };
    },
  };
}

const checkOf = (good: boolean): CheckFinding => ({
  ...{
    id: 'sound',
    kind: 'file',
    outcome: good ? 'pass' : 'fail',
    explanation: good ? 'sound' : 'not sound',
  },
  ...{ durationMs: 1, exitCode: null, strength: 'file', tests: null },
  ...{ output: Buffer.from(good ? 'sound' : 'not sound'), outputTruncated: false },
  ...{ reason: '', shows: [], notes: [], owner: '' },
});
