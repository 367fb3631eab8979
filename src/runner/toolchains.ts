import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { locateProgram } from './program.ts';

/** Where a tool chain keeps itself: a folder in the home of the user's account, or one for the whole machine. */
interface Place {
  readonly below: string;
  readonly system: string;
  /** Its folder of programs; '' where it has none. */
  readonly programs: string;
}

const PLACES: Readonly<Record<string, Place>> = {
  RUSTUP_HOME: { below: '.rustup', system: '/usr/local/rustup', programs: '' },
  CARGO_HOME: { below: '.cargo', system: '/usr/local/cargo', programs: 'bin' },
};

/** The variables that name such a place. */
export const toolchainNames: readonly string[] = Object.keys(PLACES);

/**
 * The places that criteria let through, with the folders of their programs. They are looked for at the usual places of
 * the account, as the system knows it, and of the machine; what the caller's environment says about them counts for
 * nothing, or whoever asks for a verification would choose the compiler. A place that is not there is left out.
 */
export function toolchains(
  allow: readonly string[],
  home: string = accountHome(),
): { readonly variables: Readonly<Record<string, string>>; readonly programs: readonly string[] } {
  const found = Object.entries(PLACES).flatMap(([name, place]) => {
    const folder = allow.includes(name) ? folderOf(place, home) : undefined;
    return folder === undefined ? [] : [{ name, folder, programs: place.programs }];
  });
  return {
    variables: Object.fromEntries(found.map(({ name, folder }) => [name, folder])),
    programs: found.flatMap(({ folder, programs }) => (programs === '' ? [] : [join(folder, programs)])),
  };
}

/** Programs that come with a tool chain, and the places that they need. */
const NEEDS: Readonly<Record<string, readonly string[]>> = { cargo: ['RUSTUP_HOME', 'CARGO_HOME'] };

/**
 * The places that criteria have to let through for a program to be found, where they are there: with a program of the
 * system what it downloaded earlier. undefined where the program is nowhere.
 */
export function placesFor(
  program: string,
  systemPath: string,
  home: string = accountHome(),
): readonly string[] | undefined {
  const { variables, programs } = toolchains(NEEDS[program] ?? [], home);
  const isThere = locateProgram(program, [systemPath, ...programs].join(':'), '/') !== undefined;
  return isThere ? Object.keys(variables) : undefined;
}

const folderOf = ({ below, system }: Place, home: string) =>
  [...(home === '' ? [] : [join(home, below)]), system].find(isFolder);

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

function accountHome(): string {
  try {
    return userInfo().homedir;
  } catch {
    // A user id without an entry in the user database has no home.
    return '';
  }
}
