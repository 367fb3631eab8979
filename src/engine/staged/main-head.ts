import type { Ports } from '../ports.ts';
import { knownMain, nameOf } from './main-branch.ts';

/** Full name of the local branch that things land on, '' where there is none. */
export async function mainRef(ports: Pick<Ports, 'git' | 'workspace'>): Promise<string> {
  const name = nameOf(await knownMain(ports));
  return name === '' ? '' : `refs/heads/${name}`;
}

/** Where that branch stands, '' where there is none. */
export async function mainHead(ports: Pick<Ports, 'git' | 'workspace'>): Promise<string> {
  const ref = await mainRef(ports);
  return ref === '' ? '' : ports.workspace.commitOf(ref);
}
