import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchPath } from './environment.ts';
import { type Spaces, spacesToTry, type Wrap, wrapIn } from './isolate-command.ts';
import type { View } from './isolate-disk.ts';
import { runProcess } from './process.ts';

/** What keeps programs of a run from the machine, as far as the machine allows it. */
export interface Isolation {
  /** `none`: only localhost inside of the program; `host`: nothing could be cut off. */
  readonly network: 'none' | 'host';
  /** `own`: whatever a program leaves running ends with it. `shared`: it is looked for afterwards. */
  readonly processes: 'own' | 'own, /proc shared' | 'shared';
  /** `partly covered`: packages do not see it and checks do, or packages see of it what checks see. */
  readonly disk: 'covered' | 'partly covered' | 'visible';
  /** All of this in one line for the record. */
  readonly how: string;
  /** For checks and builds. */
  readonly wrap: Wrap;
  /** For installers: with the network and the whole disk. */
  readonly online: Wrap;
  /** For packages that are used as by a consumer: no more of the disk than their own folders. */
  readonly alone: Wrap;
}

const plain: Wrap = (argv) => argv;

/** Checks run as they are, and the result says so. */
export const noIsolation: Isolation = isolationOf('not-available', undefined, {});

let probed: Promise<Isolation> | undefined;

/**
 * The strongest isolation that works here, tried out once per process with real programs. What could not be tried, as on
 * a full disk, is tried again.
 */
export function probeIsolation(): Promise<Isolation> {
  probed ??= probe().catch((error) => {
    probed = undefined;
    throw error;
  });
  return probed;
}

async function probe(): Promise<Isolation> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'probe-')));
  try {
    // Where the strongest works, which is nearly everywhere, its views are known at the same time.
    const tried = async (spaces: Spaces) => {
      const views = viewsIn(spaces, folder);
      return (await works(wrapIn(spaces), folder, 'exit 42'))
        ? isolationOf(spaces.power, spaces, await views)
        : void (await views);
    };
    for (const spaces of spacesToTry()) {
      const found = await tried(spaces);
      if (found !== undefined) return found;
    }
    return noIsolation;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Views = Partial<Record<View, Wrap>>;

/** Which views of the disk can be made: a program must find its own folder and node, and not what lies beside it. */
async function viewsIn(spaces: Spaces, folder: string): Promise<Views> {
  // The machine's root would take the covers off again.
  if (spaces.power !== 'user-namespace') return {};
  const [inside, outside] = [join(folder, 'in'), join(folder, 'out')];
  for (const path of [inside, outside]) mkdirSync(path, { recursive: true });
  const asked = '[ -d ../in ] && [ ! -e ../out ] && node --version >/dev/null && exit 42';
  const views: Views = {};
  const tryOut = async (view: View) => {
    const wrap = wrapIn(spaces, view);
    if (await works(wrap, inside, asked)) views[view] = wrap;
  };
  await Promise.all([tryOut('project'), tryOut('own')]);
  return views;
}

async function works(wrap: Wrap, cwd: string, script: string): Promise<boolean> {
  const { exitCode } = await runProcess({
    argv: ['sh', '-c', script],
    cwd,
    env: { PATH: searchPath },
    timeoutMs: 10_000,
    maxOutput: 10_000,
    signal: undefined,
    wrap,
  });
  return exitCode === 42;
}

function isolationOf(power: string, spaces: Spaces | undefined, { project, own }: Views): Isolation {
  const network = spaces?.network === undefined ? 'host' : 'none';
  const processes = !spaces?.processes ? 'shared' : spaces.proc ? 'own' : 'own, /proc shared';
  const disk = project && own ? 'covered' : project || own ? 'partly covered' : 'visible';
  const wrap = spaces === undefined ? plain : wrapIn(spaces);
  return {
    network,
    processes,
    disk,
    how: `${power}; network ${network}, processes ${processes}, disk ${disk}`,
    wrap: project ?? wrap,
    online: spaces?.processes ? wrapIn({ ...spaces, network: undefined }) : plain,
    alone: own ?? project ?? wrap,
  };
}
