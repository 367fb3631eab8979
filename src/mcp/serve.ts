import { parseArgs } from 'node:util';
import type { Composition } from '../engine/composition.ts';
import { EngineError } from '../engine/engine-error.ts';
import { errorTold } from '../engine/error-told.ts';
import { agentOf } from './agent.ts';
import { greet } from './hello.ts';
import { PROFILE_NAMES, type Profile } from './profile.ts';

export interface Around {
  readonly env: NodeJS.ProcessEnv;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Serves MCP over stdin and stdout, in both generations of the protocol, until the client ends it. Answers the exit
 * code: 0, or 2 for a server that could not begin, with the reason on stderr.
 */
export async function serveMcp(
  words: readonly string[],
  composition: Composition,
  around: Around,
): Promise<0 | 2> {
  try {
    const { actor, profile } = settingsOf(words, around.env);
    const opened = await composition.open();
    try {
      const { actor: who } = await agentOf(opened, actor);
      const { version } = composition;
      // What serves the calls takes longer to load than everything before it.
      const hello = await greet(process.stdin, around.out, { version, profile });
      const { connect } = await import('./connection.ts');
      const { out, err, signal } = around;
      await connect({ opened, actor, who, profile, version, hello, out, err, signal });
      return 0;
    } finally {
      await opened.ports.store.close();
    }
  } catch (error) {
    const { code, message, hint } = errorTold(error);
    around.err(`countersign mcp: ${message} (${code})\n${hint === '' ? '' : `next: ${hint}\n`}`);
    return 2;
  }
}

function settingsOf(words: readonly string[], env: NodeJS.ProcessEnv) {
  const { values } = parsed(words);
  const profile = values.profile ?? 'core';
  if (!(PROFILE_NAMES as readonly string[]).includes(profile))
    throw new EngineError(
      'BAD_INPUT',
      `there is no profile ${profile}`,
      `known: ${PROFILE_NAMES.join(', ')}`,
    );
  return { actor: values.actor ?? env.COUNTERSIGN_ACTOR ?? '', profile: profile as Profile };
}

function parsed(words: readonly string[]) {
  const options = { actor: { type: 'string' }, profile: { type: 'string' } } as const;
  try {
    return parseArgs({ args: [...words], options, strict: true });
  } catch (cause) {
    const hint = 'countersign mcp --actor NAME [--profile core]';
    throw new EngineError('BAD_INPUT', (cause as Error).message, hint, { cause });
  }
}
