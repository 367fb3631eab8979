import { expect, it } from 'vitest';
import { storeError } from './failure.ts';

it.each([
  ['a host that there is not', 'getaddrinfo ENOTFOUND nope.invalid', 'ENOTFOUND'],
  ['names that cannot be looked up', 'getaddrinfo EAI_AGAIN db', 'EAI_AGAIN'],
  ['a socket of somebody else', 'connect EACCES /run/x/.s.PGSQL.5432', 'EACCES'],
  ['a server without TLS', 'The server does not support SSL connections', undefined],
  ['a certificate that nobody vouches for', 'self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
])('tells %s as a database that cannot be reached, and no defect', (_, message, code) => {
  const cause = Object.assign(new Error(message), code === undefined ? {} : { code });
  const told = storeError('schema s of postgres://nope.invalid/x', cause);
  expect(told).toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining(message) });
});

it('leaves what is a defect as it is', () => {
  const defect = new TypeError('x is not a function');
  expect(storeError('schema s', defect)).toBe(defect);
});
