import type { Composition, Opened } from './composition.ts';
import { type Condition, fail, looked, ok, warn } from './condition.ts';
import { claudeCode } from './doctor-harness.ts';
import { protection } from './doctor-level.ts';
import { configuration, criteria } from './doctor-project.ts';
import { clock, drift, keys, log, privacy, tokens } from './doctor-store.ts';

/** Node's oldest release that the package is tested on. */
const NODE = [20, 19] as const;
/** The oldest git whose commands are all known to behave as the engine reads them. */
const GIT = [2, 30] as const;

/**
 * Looks at everything that Countersign needs here, one condition each, in the order in which one would mend it.
 * Nothing is changed. What cannot be looked at has failed.
 */
export async function examine(composition: Composition): Promise<readonly Condition[]> {
  const place = await looked('repository', () => ok('repository', composition.locate().top), 'run: git init');
  const level = protection(composition.protection());
  const machine = [node(), await looked('git', git, 'install git'), place];
  if (place.status === 'fail') return [...machine, await isolation(), level];
  const opened = await openOr(composition);
  if ('status' in opened) return [...machine, opened, await isolation(), level];
  try {
    const agent = await looked('claude-code', () => claudeCode(composition), 'mend the file');
    const gate = await looked('gate', () => gateOf(composition), 'mend it there');
    return [...machine, ...(await examineStore(opened)), agent, gate, await isolation(), level];
  } finally {
    await opened.ports.store.close();
  }
}

async function openOr(composition: Composition): Promise<Opened | Condition> {
  try {
    return await composition.open();
  } catch (error) {
    return looked('store', () => Promise.reject(error), 'run: countersign audit verify');
  }
}

async function examineStore(opened: Opened): Promise<readonly Condition[]> {
  return [
    await looked('store', () => log(opened), 'run: countersign audit verify'),
    await looked('private files', () => privacy(opened), 'see to it that this user can read them'),
    await looked('keys', () => keys(opened), 'restore the key files from a copy'),
    await looked('tokens', () => tokens(opened), ''),
    await looked('configuration', () => configuration(opened), 'mend the file and commit it'),
    await looked('criteria', () => criteria(opened), 'mend the file and commit it'),
    await looked('clock', () => clock(opened), 'set the clock of this machine'),
    await looked('projections', () => drift(opened), ''),
  ];
}

function node(): Condition {
  const version = process.versions.node;
  return atLeast(version, NODE)
    ? ok('node', version)
    : fail('node', `${version} is too old`, `install Node ${NODE.join('.')} or newer`);
}

async function git(): Promise<Condition> {
  const { runGit } = await import('../workspace/git.ts');
  const version = /\d+(\.\d+)+/.exec(runGit(process.cwd(), ['--version']).toString('utf8'))?.[0] ?? '';
  return atLeast(version, GIT)
    ? ok('git', version)
    : warn(
        'git',
        `${version || 'an unknown version'} is older than what is tested`,
        `update git to ${GIT.join('.')} or newer`,
      );
}

/** Whether what lands at the remote has to pass a gate, where that can be looked at from here. */
async function gateOf(composition: Composition): Promise<Condition> {
  const { remoteGate } = await import('./gated/remote-gate.ts');
  return remoteGate(composition);
}

/** What checks can be kept from here, tried with real programs. */
function isolation(): Promise<Condition> {
  const name = 'isolation';
  return looked(
    name,
    async () => {
      const { probeIsolation } = await import('../runner/isolate.ts');
      const { network, processes, disk, how } = await probeIsolation();
      const lacking = [
        ...(network === 'none' ? [] : ['checks have the network of this machine']),
        ...(processes === 'shared'
          ? ['what a check leaves running is looked for, and may not be found']
          : []),
        ...(disk === 'covered' ? [] : ['checks or packages can read what lies outside of the commit']),
      ];
      if (lacking.length === 0) return ok(name, how);
      return warn(
        name,
        `${lacking.join('; ')}; results say so (${how})`,
        'allow user namespaces, and install unshare, mount and ip (util-linux, iproute2)',
      );
    },
    '',
  );
}

function atLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [a = 0, b = 0] = version.split('.').map(Number);
  return a > major || (a === major && b >= minor);
}
