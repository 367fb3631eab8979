import { execFileSync } from 'node:child_process';
import { locateProgram } from './program.ts';

/** Long enough for an interpreter that starts cold. */
const TIMEOUT_MS = 10_000;

/**
 * The interpreter that has a module: `python3` where the checks' own search path finds one that does, else the absolute
 * path of one that the caller's finds. One inside of `except` is none: whoever does the work could write it, and a
 * checkout has it nowhere else.
 */
export function pythonWith(
  module: string,
  { checks, caller, except }: { readonly checks: string; readonly caller: string; readonly except: string },
): string | undefined {
  const usual = locateProgram('python3', checks, '/');
  if (usual !== undefined && programOf(usual, module, checks, '/') !== undefined) return 'python3';
  const found = caller.split(':').flatMap((folder) => {
    return ['python3', 'python'].flatMap((name) => locateProgram(name, folder, '/') ?? []);
  });
  for (const python of found) {
    // pyenv puts a script there that chooses the interpreter: what counts is the one that it chose.
    const program = programOf(python, module, caller, process.env.HOME ?? '/');
    if (program?.startsWith('/') && !`${program}/`.startsWith(`${except}/`)) {
      if (programOf(program, module, checks, '/') !== undefined) return program;
    }
  }
  return undefined;
}

/** Where an interpreter says that it lies; undefined where it has no such module. Checks have no modules of a home. */
function programOf(python: string, module: string, path: string, home: string): string | undefined {
  try {
    return execFileSync(python, ['-c', `import ${module}, sys; print(sys.executable)`], {
      cwd: '/',
      env: { PATH: path, HOME: home },
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}
