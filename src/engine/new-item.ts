import type { Opened } from '../kernel/event.ts';
import { EngineError } from './engine-error.ts';
import type { Settings } from './settings.ts';

/** What work can be; the kind decides by which rules it is judged and is fixed when the item is opened. */
export const KINDS = ['code', 'refactor', 'chore', 'tests', 'docs', 'research', 'verification-only'] as const;

/** What a new item is to be. */
export interface NewItem {
  readonly title: string;
  readonly list: string;
  readonly kind: string;
  readonly dependsOn: readonly string[];
  /** Name of a protocol, '' = the project's. */
  readonly protocol: string;
  /** Name of a criteria file, '' = default. */
  readonly criteria: string;
  readonly settings: Settings;
  /** Status that an old list gave it; '' for a new item. Imported, never trusted. */
  readonly imported: string;
  /** More for the first event, beside what the engine puts there. */
  readonly facts: Opened['facts'];
  /** Where its work begins, and the branch that it is measured against; undefined = where the caller stands. `head` '' = so too. */
  readonly from?: { readonly head: string; readonly branch: string };
}

export const NEW_ITEM: NewItem = {
  title: '',
  list: 'main',
  kind: 'code',
  dependsOn: [],
  protocol: '',
  criteria: '',
  settings: {},
  imported: '',
  facts: {},
};

const MOST_TITLE = 300;

/** Throws BAD_INPUT for what no item may be called or belong to. */
export function assertSound({ title, list, kind, criteria }: NewItem): void {
  if (title.trim() === '') throw new EngineError('BAD_INPUT', 'the title is empty', 'say what is to be done');
  const wrong = titleProblem(title);
  if (wrong !== '')
    throw new EngineError('BAD_INPUT', `the title ${wrong}`, 'say it in one line of visible text');
  if (!/^[a-z0-9][a-z0-9._-]{0,63}$/.test(list)) {
    throw new EngineError(
      'BAD_INPUT',
      `${list} is no name for a list`,
      'use small letters, digits, dots and hyphens',
    );
  }
  if (criteria !== '' && !/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(criteria)) {
    throw new EngineError(
      'BAD_INPUT',
      `${criteria} is no name for criteria`,
      'name a file of .countersign/criteria without .yaml',
    );
  }
  if (!(KINDS as readonly string[]).includes(kind)) {
    throw new EngineError('BAD_INPUT', `there is no kind ${kind}`, `known: ${KINDS.join(', ')}`);
  }
}

/** Nobody may be shown another title than the one that is stored (Unicode TR36, bidirectional and invisible text). */
function titleProblem(title: string): string {
  if (title.length > MOST_TITLE) return `has ${title.length} characters, at most ${MOST_TITLE} fit`;
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(title)) return 'holds a line break or control character';
  if (/\p{Cs}/u.test(title)) return 'is not valid Unicode';
  const hidden = /\p{Cf}/u.exec(title)?.[0].codePointAt(0);
  if (hidden === undefined) return '';
  const code = hidden.toString(16).toUpperCase().padStart(4, '0');
  return `holds U+${code}, which is invisible or changes the direction of text`;
}
