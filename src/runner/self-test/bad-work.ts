import { lstatSync, realpathSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CheckResult } from '../checks/check.ts';
import { insideCheckout } from '../checks/inside.ts';

/** One file as a change has it; undefined on the side where it is not. */
export interface BadFile {
  readonly path: string;
  readonly before: string | Buffer | undefined;
  readonly after: string | Buffer | undefined;
}

/** Work that a check has to turn down. */
export interface KnownBad {
  /** For people, after "with". */
  readonly what: string;
  /**
   * Makes a checkout bad and answers what the work is said to have changed, the same each time. Undefined when there was
   * nothing to make bad: then it shows nothing.
   */
  readonly edit: (checkout: string, secret: string) => Promise<readonly BadFile[] | undefined>;
  /** What is put in place before the check looks: dependencies and builds, dependencies alone, or nothing. */
  readonly setup: 'all' | 'install' | 'none';
  /** Whether the commands before the check in the file run first: they write what it looks at. */
  readonly withCommands: boolean;
  /** Whether a result is about this work; one that is not counts as none. */
  readonly tells: (result: CheckResult) => boolean;
  /** Whether a check that passes it cannot fail, whatever it says of other work. */
  readonly decides: boolean;
}

/** Bad work unless said otherwise: the check alone, everything put in place, whatever it finds counts. */
export const plain = {
  edit: async () => [],
  setup: 'all',
  withCommands: false,
  tells: () => true,
  decides: false,
} as const satisfies Omit<KnownBad, 'what'>;

/** A file gone. Made only where no link leads out of the checkout. */
export const withoutFile = (path: string): KnownBad => ({
  ...plain,
  setup: 'none',
  what: `${path} removed`,
  edit: async (checkout) => ((await cleared(checkout, path)) ? [] : undefined),
});

/** As `withoutFile`; `committed` says that the work has it as well, and not the folder alone. */
export const withContent = (path: string, what: string, content: Buffer, committed = false): KnownBad => ({
  ...plain,
  setup: 'none',
  what,
  edit: async (checkout) => {
    if (!(await putFile(checkout, path, content))) return undefined;
    return committed ? [{ path, before: undefined, after: content }] : [];
  },
});

/** Writes a file of a checkout; false where a link would lead out of it. */
export async function putFile(checkout: string, path: string, content: string | Buffer): Promise<boolean> {
  if (!(await cleared(checkout, path))) return false;
  await mkdir(dirname(join(checkout, path)), { recursive: true });
  await writeFile(join(checkout, path), content);
  return true;
}

async function cleared(checkout: string, path: string): Promise<boolean> {
  if (!leadsInside(realpathSync(checkout), dirname(path))) return false;
  await rm(join(checkout, path), { recursive: true, force: true });
  return true;
}

/** Whether whatever is there already of a folder's path lies in the checkout: a commit can hold links. */
function leadsInside(checkout: string, folder: string): boolean {
  const names = folder === '.' ? [] : folder.split('/');
  for (let count = names.length; count >= 0; count--) {
    const part = names.slice(0, count).join('/');
    const found = insideCheckout(checkout, part);
    if (found !== undefined) return found.stat.isDirectory();
    if (isThere(join(checkout, part))) return false;
  }
  return false;
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path) !== undefined;
  } catch {
    return false;
  }
}
