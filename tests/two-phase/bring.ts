import type { Session } from '../session.ts';

export type State = 'pending' | 'in_progress' | 'claimed' | 'verified' | 'blocked' | 'completed';
export const STATES: readonly State[] = [
  'pending',
  'in_progress',
  'claimed',
  'verified',
  'blocked',
  'completed',
];

export const DEVELOPER = 'swiftui-developer';

/** A command of a walk that must succeed. */
async function must(session: Session, actor: string, ...words: readonly string[]): Promise<string> {
  const said = await session.say(actor, ...words);
  if (said.code === 0 || (words[0] === 'verify' && said.code === 4)) return said.data.id;
  throw new Error(`${actor} ${words.join(' ')}: exit ${said.code}, ${said.out}${said.err}`);
}

/** Commits work that the default criteria accept, or not. */
export function work(session: Session, good = true): string {
  return session.repo.commit({ 'work.txt': `${good ? 'done' : 'begun'} ${session.now()}\n` });
}

/** Brings a new item to a state by the commands that lead there, and answers its id. */
export async function bring(session: Session, state: State, ...add: readonly string[]): Promise<string> {
  const id = await must(session, 'orchestrator', 'add', 'Implement login screen', ...add);
  if (state === 'pending') return id;
  await must(session, 'orchestrator', 'dispatch', id, '--to', DEVELOPER);
  if (state === 'in_progress') return id;
  work(session, state !== 'blocked');
  await must(session, DEVELOPER, 'claim', id);
  if (state === 'claimed') return id;
  await must(session, 'verification-agent', 'verify', id);
  if (state === 'completed') await must(session, 'orchestrator', 'complete', id);
  return id;
}
