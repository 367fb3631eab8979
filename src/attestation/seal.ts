import { verify } from 'node:crypto';
import { publicKeyFrom, type Signer } from './key.ts';

/** Marks texts with a key and knows its own marks again: base64 of an ed25519 signature over the text's UTF-8 bytes. */
export interface TextSeal {
  mark(text: string): string;
  holds(text: string, mark: string): boolean;
}

/**
 * A seal of this signer. The texts begin so that none can be taken for what the key signs elsewhere (an envelope's
 * `DSSEv1 ` or a note): the caller sees to it.
 */
export function sealBy(signer: Signer): TextSeal {
  const key = publicKeyFrom(signer.publicPem);
  return {
    mark: (text) => signer.sign(Buffer.from(text, 'utf8')).toString('base64'),
    holds: (text, mark) => verify(null, Buffer.from(text, 'utf8'), key, Buffer.from(mark, 'base64')),
  };
}
