import { EngineError } from '../engine/engine-error.ts';
import type { Credential } from '../engine/sign-in.ts';

/** What the header Authorization shows: Bearer (RFC 6750) for agents, Basic (RFC 7617) for people. Throws NO_CREDENTIAL. */
export function credentialIn(header: string | undefined): Credential {
  if (header === undefined || header === '') return { kind: 'none' };
  const [, scheme = '', value = ''] = /^(\S+)\s+(\S+)\s*$/.exec(header) ?? [];
  if (/^bearer$/i.test(scheme)) return { kind: 'token', token: value };
  if (/^basic$/i.test(scheme)) {
    const [person = '', ...rest] = Buffer.from(value, 'base64').toString('utf8').split(':');
    return { kind: 'passphrase', person, passphrase: rest.join(':') };
  }
  throw new EngineError('NO_CREDENTIAL', 'the header Authorization is neither Bearer nor Basic', '');
}
