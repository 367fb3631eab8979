import type { HumanAnswer, HumanQuestion } from './engine/composition.ts';
import type { SignedIn } from './engine/sign-in.ts';
import type { Channel } from './http/served.ts';
import { confirmationCode, isCode } from './identity/code.ts';
import { proofId } from './identity/proof.ts';

interface Server {
  readonly clock: () => Date;
  readonly random: (bytes: number) => Buffer;
  readonly isPassphrase: (person: string, passphrase: string) => Promise<boolean>;
}

/**
 * Asks the person at a client's terminal. The code is the server's, shown for this one question; whoever came by passphrase
 * gives it once more, so that nothing that a client keeps is enough. The proof is made here and never leaves the server.
 */
export async function askClient(
  { clock, random, isPassphrase }: Server,
  who: SignedIn,
  channel: Pick<Channel, 'ask'>,
  question: HumanQuestion,
): Promise<HumanAnswer> {
  const { title, shown, digest, purpose } = question;
  const code = confirmationCode(digest, random(32));
  const byPassphrase = who.kind === 'person' && who.by === 'passphrase';
  const asked = { title, shown, digest, purpose, code, passphrase: byPassphrase };
  const typed = await channel.ask(asked);
  if (typed.because !== '') return refused('no-terminal', typed.because);
  if (!isCode(typed.line, code)) return refused('wrong-code', 'that was not the code');
  if (byPassphrase && !(await isPassphrase(who.name, typed.passphrase)))
    return refused('wrong-code', 'that was not the passphrase');
  const proof = { id: proofId(random), digest, purpose, at: clock().toISOString(), channel: 'terminal' };
  return { ok: true, proof };
}

const refused = (code: string, because: string): HumanAnswer => ({
  ok: false,
  code,
  because,
  fix: 'A person runs the same command in a terminal of their own.',
});
