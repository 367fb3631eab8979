import { randomUUID } from 'node:crypto';
import type { Asking, Frame, Typed } from './frames.ts';
import type { Channel } from './served.ts';

interface Waiting {
  readonly of: string;
  readonly resolve: (typed: Typed) => void;
}

const NOBODY: Typed = { line: '', passphrase: '', because: 'the client has gone' };

/** Questions that wait for somebody at a client's terminal. */
export function questions() {
  const waiting = new Map<string, Waiting>();
  return {
    /** The way back to a client named `of`. */
    channel(of: string, say: (frame: Frame) => void, signal: AbortSignal): Channel {
      return {
        say,
        signal,
        ask: (asking: Omit<Asking, 'id'>) =>
          new Promise<Typed>((resolve) => {
            if (signal.aborted) return resolve(NOBODY);
            const id = randomUUID();
            const settle = (typed: Typed) => {
              waiting.delete(id);
              signal.removeEventListener('abort', gone);
              resolve(typed);
            };
            const gone = () => settle(NOBODY);
            signal.addEventListener('abort', gone, { once: true });
            waiting.set(id, { of, resolve: settle });
            say({ ask: { id, ...asking } });
          }),
      };
    },
    /** False where nobody waits for this answer, or it comes from somebody else than who was asked. */
    answer(id: string, from: string, typed: Typed): boolean {
      const question = waiting.get(id);
      if (question === undefined || question.of !== from) return false;
      question.resolve(typed);
      return true;
    },
  };
}
