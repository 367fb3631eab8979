import type { Handle } from './handle.ts';

/** The exact command by which a person brings usable criteria to a claim that waits. */
export function adoption({ item }: Pick<Handle, 'item'>): string {
  const name = String(item.facts.criteria ?? 'default');
  return `a person runs: countersign criteria adopt ${name} --commit ${shortOf(String(item.facts.default_branch || 'HEAD'))}`;
}

/** A branch as people name it. */
export const shortOf = (ref: string) => ref.replace(/^refs\/(heads|remotes)\//, '');
