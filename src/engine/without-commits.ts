import { EngineError } from './engine-error.ts';
import type { Ports } from './ports.ts';

/** Where there is no commit at all, none of them is unknown: work begins with the first. */
export function withoutCommits(ports: Pick<Ports, 'git'>, cause: unknown): EngineError | undefined {
  if ((cause as { code?: string }).code !== 'UNKNOWN_COMMIT' || ports.git.heads('').head !== '') return;
  const hint = 'commit something first: git add . && git commit -m "First commit"';
  return new EngineError('NOT_FOUND', 'this repository has no commit yet', hint, { cause });
}
