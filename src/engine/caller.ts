import type { IssuedToken } from '../identity/roster.ts';
import type { Actor } from '../kernel/actor.ts';
import type { HumanProof } from '../kernel/command.ts';

/** Who calls, as the credential says. A proof is there only when the human channel gave one. */
export interface Caller {
  readonly actor: Actor;
  readonly proof: HumanProof | undefined;
  /** The token that was shown, with the items it is good for; undefined for a person. */
  readonly token: IssuedToken | undefined;
}
