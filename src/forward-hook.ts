import { appendFileSync } from 'node:fs';
import { tokenFor } from './client-tokens.ts';
import { folderMark } from './folder-mark.ts';
import { addressOf } from './http/client/address.ts';
import { send, textOf } from './http/client/exchange.ts';
import type { ServerSetting } from './server-setting.ts';

interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/** Longer than any look takes, and shorter than a session waits for a hook. */
const LONGEST_MS = 20_000;

/**
 * Has the server answer an event of a session. Where it does not, the session is told and goes on: hooks of a clone without a
 * store are a warning, and what lands is judged where the store is.
 */
export async function forwardHook(
  payload: string,
  { url }: ServerSetting,
  actor: string,
  env: NodeJS.ProcessEnv,
): Promise<Printed> {
  try {
    const address = addressOf(url);
    const token = actor === '' ? '' : await tokenFor(env, address, actor);
    const { CLAUDE_PROJECT_DIR = '' } = env;
    const cwd = process.cwd();
    const sent = { payload, cwd, folder: folderMark(cwd), env: { CLAUDE_PROJECT_DIR } };
    const answer = await send(address, {
      method: 'POST',
      path: '/v1/hooks',
      headers: token === '' ? {} : { authorization: `Bearer ${token}` },
      body: JSON.stringify(sent),
      signal: AbortSignal.timeout(LONGEST_MS),
    });
    const text = await textOf(answer);
    if (answer.statusCode !== 200) throw new Error(`it answered with the status ${answer.statusCode}`);
    const { variables, ...printed } = JSON.parse(text) as Printed & { readonly variables: string };
    if (variables !== '' && env.CLAUDE_ENV_FILE) appendFileSync(env.CLAUDE_ENV_FILE, variables);
    return printed;
  } catch (error) {
    const text = `Countersign's server could not look at this (${(error as Error).message}). Run: countersign doctor`;
    return { stdout: `${JSON.stringify({ systemMessage: text })}\n`, stderr: '', code: 0 };
  }
}
