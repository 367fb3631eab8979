import { isDeepStrictEqual } from 'node:util';
import { asMapping } from '../parsers/json.ts';
import type { ChangedText } from './changed-text.ts';
import { mappingOf } from './entries.ts';
import { folderOf, joined } from './listing.ts';

/**
 * The names inside of a package (`imports`) that lead elsewhere while what they led to is still there: tests that load it by
 * such a name ask another program than the one that is handed out. '' for none.
 */
export function redirected(text: ChangedText, texts: readonly ChangedText[]): string {
  const [before, after] = [text.before, text.after].map((one) => asMapping(mappingOf(one).imports) ?? {});
  const gone = new Set(texts.flatMap(({ path, status }) => (status === 'deleted' ? [path] : [])));
  const isGone = (target: unknown) =>
    typeof target === 'string' && gone.has(joined(folderOf(text.path), target));
  const elsewhere = Object.keys(before ?? {}).filter(
    (name) =>
      after?.[name] !== undefined &&
      !isDeepStrictEqual(before?.[name], after?.[name]) &&
      !isGone(before?.[name]),
  );
  return elsewhere.length === 0 ? '' : `what it calls ${elsewhere.slice(0, 3).join(', ')} leads elsewhere`;
}
