import { readConfig } from '../config.ts';
import type { Ports } from '../ports.ts';

/** Full name of the local branch that things land on, '' where there is none. */
export async function mainRef({ git }: Pick<Ports, 'git'>): Promise<string> {
  const ref = git.defaultBranchRef((await readConfig({ git })).defaultBranch);
  const name = /^refs\/(?:heads|remotes\/[^/]+)\/(.+)$/.exec(ref)?.[1];
  return name === undefined ? '' : `refs/heads/${name}`;
}

/** Where that branch stands, '' where there is none. */
export async function mainHead(ports: Pick<Ports, 'git' | 'workspace'>): Promise<string> {
  const ref = await mainRef(ports);
  return ref === '' ? '' : ports.workspace.commitOf(ref);
}
