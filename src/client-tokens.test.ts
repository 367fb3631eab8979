import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repositoryOf } from './client-tokens.ts';
import { type Address, addressOf } from './http/client/address.ts';
import { reachedFrom } from './reached.ts';

// Something else listens there, or speaks in the place of a server that is down.
let other: Server;
let address: Address;

const BODIES: { readonly [path: string]: string } = { '/health': '<!DOCTYPE html>\n', '/v1/places': 'null' };

beforeAll(async () => {
  other = createServer(({ url = '' }, answer) => {
    answer.statusCode = 502;
    answer.end(BODIES[url]);
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  address = addressOf(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);
});
afterAll(() => other.close());

test.each([
  ['which repository it serves', () => repositoryOf(address)],
  ['where its files are', () => reachedFrom(address, '', {})],
])('whoever answers otherwise than a server to the question %s is none', async (_, ask) => {
  await expect(ask()).rejects.toMatchObject({
    code: 'UNREACHABLE',
    message: `what answers at ${address.url} is no server of Countersign (status 502)`,
    hint: expect.stringContaining('countersign serve'),
  });
});
