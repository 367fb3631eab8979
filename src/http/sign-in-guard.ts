import type { Context } from 'hono';
import { errorTold } from '../engine/error-told.ts';
import { type SignedIn, signIn } from '../engine/sign-in.ts';
import { credentialIn } from './credential.ts';
import { limiter, type Rate } from './limits.ts';
import type { Peer } from './peer.ts';
import type { Env, Served } from './served.ts';
import { problem, tooOften } from './status.ts';

interface Settings {
  readonly failures: Rate;
  readonly now: () => number;
  readonly log: (entry: { level: 'warn'; msg: string; from: string; because: string }) => void;
  readonly from: (peer: Peer | undefined) => string;
  readonly level: (peer: Peer | undefined) => string;
  readonly own: (peer: Peer | undefined) => boolean;
}

/** Everything after this knows who calls. Guessing is slowed down. */
export function signedIn(served: Served, settings: Settings) {
  const limit = limiter(settings.failures, settings.now);
  const turns = inTurn();
  return async (c: Context<Env>, next: () => Promise<void>) => {
    const peer = c.get('peer');
    const header = c.req.header('authorization');
    const own = settings.own(peer);
    const known = async (): Promise<SignedIn | Response> => {
      try {
        return await signIn(served.opened, credentialIn(header), own);
      } catch (error) {
        const told = errorTold(error);
        if (told.code !== 'NO_CREDENTIAL') throw error;
        const from = settings.from(peer);
        settings.log({ level: 'warn', msg: 'not signed in', from, because: told.message });
        const wait = limit.wait(from);
        return wait > 0 ? tooOften(wait) : problem(401, told, CHALLENGE);
      }
    };
    // Whoever guessed too often does not hear whether the next guess is right. A right token is nobody's guess.
    const byPassphrase = async (from: string) => {
      const wait = limit.look(from);
      return wait > 0 ? tooOften(wait) : known();
    };
    const from = /^basic/i.test(header ?? '') ? settings.from(peer) : undefined;
    const who = from === undefined ? await known() : await turns(from, () => byPassphrase(from));
    if (who instanceof Response) return who;
    c.set('client', { who, level: settings.level(peer) });
    return next();
  };
}

const CHALLENGE = { 'www-authenticate': 'Bearer realm="countersign"' };

/** Tasks of one name run one after the other, so that none begins before it is known what became of those before. */
function inTurn() {
  const last = new Map<string, Promise<unknown>>();
  return async <T>(name: string, task: () => Promise<T>): Promise<T> => {
    const turn = (last.get(name) ?? Promise.resolve()).then(task, task);
    last.set(name, turn);
    try {
      return await turn;
    } finally {
      if (last.get(name) === turn) last.delete(name);
    }
  };
}
