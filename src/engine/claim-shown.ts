import { accountability } from './accountability.ts';
import { claimFacts } from './claim-facts.ts';
import { EngineError } from './engine-error.ts';
import type { Handle } from './handle.ts';
import type { Ports } from './ports.ts';

/** What is read before something is said of a claim, and the digest that the word is bound to. */
export interface ClaimShown {
  readonly digest: string;
  readonly lines: readonly string[];
}

/** The claimed tree, with who claimed it: what reviews and approvals are about. */
export function claimedTree(_ports: Ports, handle: Handle): ClaimShown {
  const told = accountability(handle);
  const { tree, base, changed } = claimFacts(handle);
  const lines = [
    `${told.item} ${told.title}`,
    `claimed by ${told.claimed_by} at ${told.claimed_at}`,
    `commit ${told.commit}, ${String(changed)} paths changed since ${String(base).slice(0, 12)}`,
    `tree   ${String(tree)}`,
    `read it with: git diff ${String(base).slice(0, 12)} ${told.commit.slice(0, 12)}`,
  ];
  return { digest: String(tree ?? ''), lines };
}

/** What a claim changed of the protected paths: what a sign-off is about. Throws BAD_INPUT where there is nothing. */
export async function protectedChanges(ports: Ports, handle: Handle): Promise<ClaimShown> {
  const [{ protectedBy }, { usableCriteria }] = await Promise.all([
    import('./awaited.ts'),
    import('./judged-by.ts'),
  ]);
  const { display, item } = handle;
  const { paths, digest, lines } = await protectedBy(ports, handle, await usableCriteria(ports, handle));
  if (paths.length === 0)
    throw new EngineError(
      'BAD_INPUT',
      `${display} changes nothing that is protected: there is nothing to sign off`,
      `countersign verify ${display}`,
    );
  const named = `${paths.length} protected ${paths.length === 1 ? 'path' : 'paths'}: ${paths.join(', ')}`;
  return { digest, lines: [`${display} ${item.title}`, named, '', ...lines, '', `sha256 ${digest}`] };
}
