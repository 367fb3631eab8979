import { realpathSync, type Stats, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Fields } from '../fields.ts';

/** True for a relative path that stays below its start: no `..`, not absolute, not empty. */
export const isInnerPath = (path: string): boolean =>
  path !== '' &&
  !path.startsWith('/') &&
  path.split('/').every((name) => name !== '..' && name !== '' && name !== '.');

/** Reads a key that may name a path inside the checkout, '' where it is not given; problems go to the fields. */
export function innerPath(fields: Fields | undefined, key: string): string {
  if (!fields?.has(key)) return '';
  const path = fields.text(key);
  if (path !== '' && !isInnerPath(path)) fields.problem(key, 'must be a path inside the checkout');
  return path;
}

/** A path of the checkout with all links resolved, and what is there; undefined when nothing is, or it leads out. */
export function insideCheckout(
  checkout: string,
  path: string,
): { readonly path: string; readonly stat: Stats } | undefined {
  try {
    // As the system goes: the other one takes `..` behind a link by its letters.
    const real = realpathSync.native(join(checkout, path));
    const inside = real === checkout || real.startsWith(checkout + sep);
    return inside ? { path: real, stat: statSync(real) } : undefined;
  } catch {
    return undefined;
  }
}
