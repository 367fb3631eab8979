import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverPlace } from './client-tokens.ts';
import type { Address } from './http/client/address.ts';
import { fieldsOf, send } from './http/client/exchange.ts';

/**
 * What this process reaches of a server's store, keys and tokens, each tried for real; and tokens of several actors that lie
 * here, for whoever runs as this user can act as each of them.
 */
export async function reachedFrom(
  address: Address,
  authorization: string,
  env: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const headers: { [name: string]: string } = authorization === '' ? {} : { authorization };
  const answer = await send(address, { method: 'GET', path: '/v1/places', headers, body: '' });
  const { state = '', secrets = '' } = (await fieldsOf(address, answer)) as {
    state?: string;
    secrets?: string;
  };
  const tokens = entries(join(serverPlace(env, address).directory, 'tokens'));
  return [
    ...(canRead(join(state, 'store.db')) || entries(state).length > 0 ? ['the store'] : []),
    ...['keys', 'tokens', 'people']
      .filter((name) => entries(join(secrets, name)).length > 0)
      .map((name) => `the ${name}`),
    ...(tokens.length > 1 ? [`tokens of several actors (${tokens.join(', ')})`] : []),
  ];
}

function entries(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch {
    return [];
  }
}

function canRead(file: string): boolean {
  try {
    readFileSync(file, { flag: 'r' });
    return true;
  } catch {
    return false;
  }
}
