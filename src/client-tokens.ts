import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from './attestation/digest.ts';
import type { Address } from './http/client/address.ts';
import { fieldsOf, noServer, send } from './http/client/exchange.ts';
import { type Place, placeOf, readToken, stateHome, writeToken } from './identity/places.ts';

/** Tokens for a server, apart from those of stores on this machine. */
export const serverPlace = (env: NodeJS.ProcessEnv, { url }: Pick<Address, 'url'>): Place => ({
  directory: join(stateHome(env), 'countersign', 'servers', sha256Hex(url).slice(0, 32)),
});

export const keepToken = (
  env: NodeJS.ProcessEnv,
  address: Address,
  { actor, token }: { readonly actor: string; readonly token: string },
): void => writeToken(serverPlace(env, address), actor, token);

/**
 * The token of an actor for a server, '' where there is none here. A server of this user's own store takes the tokens that
 * lie where they always do.
 */
export async function tokenFor(env: NodeJS.ProcessEnv, address: Address, actor: string): Promise<string> {
  const own = tokenIn(serverPlace(env, address), actor);
  if (own !== '') return own;
  if (!existsSync(join(stateHome(env), 'countersign'))) return '';
  return tokenIn(placeOf(stateHome(env), await repositoryOf(address)), actor);
}

function tokenIn(place: Place, actor: string): string {
  try {
    return readToken(place, actor);
  } catch (error) {
    if ((error as { code?: string }).code === 'MISSING') return '';
    throw error;
  }
}

/** Which repository a server serves. Throws UNREACHABLE. */
export async function repositoryOf(address: Address): Promise<string> {
  const answer = await send(address, { method: 'GET', path: '/health', headers: {}, body: '' });
  const { repository } = await fieldsOf(address, answer);
  if (typeof repository === 'string' && repository !== '') return repository;
  throw noServer(address.url, answer.statusCode);
}
