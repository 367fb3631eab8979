import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { keepToken, tokenFor } from './client-tokens.ts';
import { connectedTo } from './connected.ts';
import type { Composition } from './engine/composition.ts';
import { EngineError } from './engine/engine-error.ts';
import { errorTold } from './engine/error-told.ts';
import { failureTold } from './failure-told.ts';
import { folderMark } from './folder-mark.ts';
import { type Address, addressOf } from './http/client/address.ts';
import { runThere } from './http/client/command.ts';
import { relayMcp } from './http/client/mcp-lines.ts';
import { answerAtTerminal, passphraseAtTerminal } from './identity/human.ts';
import { isOfTheMachine, meant, namedActor } from './meant.ts';
import { commitIdOf, withCommitIds } from './named-commits.ts';
import { filesNamed, filesOfLine } from './named-files.ts';
import { reachedFrom } from './reached.ts';
import type { ServerSetting } from './server-setting.ts';
import { runGit } from './workspace/git.ts';

/** The process around a command line. */
export interface Here {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly interactive: boolean;
  readonly color: boolean;
  readonly signal: AbortSignal;
}

/** What a line means to whoever works with a server: its commands there, those of the machine here. Answers the exit code. */
export async function atServer(
  words: readonly string[],
  setting: ServerSetting,
  composition: Composition,
  here: Here,
): Promise<number> {
  const command = meant(words);
  if (command === 'mcp') return forwardMcp(words.slice(1), setting, here);
  if (command !== '' && !isOfTheMachine(words)) return forward(words, setting, here);
  return (await import('./cli/cli.ts')).runCli(words, connectedTo(setting, composition), here);
}

/** Has the server run a command line, as if it were run here. Answers its exit code; never throws. */
async function forward(words: readonly string[], setting: ServerSetting, here: Here): Promise<number> {
  try {
    const address = addressOf(setting.url);
    const actor = actorOf(words, here.env);
    const credential = await credentialFor(address, setting, actor, here);
    const line = {
      words: withCommitIds(words, here.cwd),
      cwd: here.cwd,
      folder: folderMark(here.cwd),
      head: headAt(here.cwd),
      session: here.env.COUNTERSIGN_SESSION ?? here.env.CURRENT_SESSION_ID ?? '',
      interactive: here.interactive,
      color: here.color,
      files: filesOfLine(words),
      ...(meant(words) === 'doctor'
        ? { reached: await reachedFrom(address, credential.authorization, here.env) }
        : {}),
    };
    return await runThere(address, credential.authorization, randomUUID(), line, {
      out: here.out,
      err: here.err,
      file: (path, bytes) => writeNamed(words, path, bytes),
      token: (name, token) => keepToken(here.env, address, { actor: name, token }),
      ask: (asking) => answerAtTerminal(asking, credential.passphrase),
      signal: here.signal,
      pause: async (milliseconds) => {
        await pause(milliseconds, undefined, { signal: here.signal }).catch(() => {});
      },
    });
  } catch (error) {
    if (here.signal.aborted) return 130;
    return failed(words, error, here);
  }
}

/** Serves MCP over stdin and stdout with what the server answers. */
async function forwardMcp(words: readonly string[], setting: ServerSetting, here: Here): Promise<number> {
  try {
    const address = addressOf(setting.url);
    const actor = actorOf(words, here.env);
    if (actor === '')
      throw new EngineError(
        'NO_CREDENTIAL',
        'a server speaks for an agent: name it',
        'countersign mcp --actor NAME',
      );
    const { authorization } = await credentialFor(address, setting, actor, here);
    const stand = {
      cwd: here.cwd,
      folder: folderMark(here.cwd),
      head: () => headAt(here.cwd),
      commitId: (name: string) => commitIdOf(name, here.cwd),
      files: filesNamed,
    };
    await relayMcp(address, { profile: profileIn(words), authorization, stand }, process.stdin, here.out);
    return 0;
  } catch (error) {
    const { code, message, hint } = errorTold(error);
    here.err(`countersign mcp: ${message} (${code})\n${hint === '' ? '' : `next: ${hint}\n`}`);
    return 2;
  }
}

const actorOf = (words: readonly string[], env: NodeJS.ProcessEnv): string =>
  namedActor(words) ?? env.COUNTERSIGN_ACTOR ?? '';

function profileIn(words: readonly string[]): string {
  const at = words.indexOf('--profile');
  if (at >= 0) return words[at + 1] ?? '';
  return words.find((word) => word.startsWith('--profile='))?.slice('--profile='.length) ?? 'core';
}

interface Shown {
  readonly authorization: string;
  readonly passphrase: string;
}

/** An agent's token; else the passphrase of the person, asked for at the terminal; nothing over a socket of this user. */
async function credentialFor(
  address: Address,
  setting: Pick<ServerSetting, 'person'>,
  actor: string,
  { env }: Pick<Here, 'env'>,
): Promise<Shown> {
  const token = actor === '' ? '' : await tokenFor(env, address, actor);
  if (token !== '') return { authorization: `Bearer ${token}`, passphrase: '' };
  if (address.socket !== '') return { authorization: '', passphrase: '' };
  const person = actor || setting.person;
  if (person === '')
    throw new EngineError(
      'NO_CREDENTIAL',
      'the server wants to know who calls',
      'an agent: --actor NAME; a person: countersign connect URL --person NAME',
    );
  const passphrase = await passphraseAtTerminal(person);
  if (passphrase === undefined)
    throw new EngineError(
      'NO_CREDENTIAL',
      `there is no token for ${person} here, and no terminal to ask for a passphrase`,
      `keep the token of an agent: countersign connect ${address.url} --actor ${person} --token-file FILE`,
    );
  const basic = Buffer.from(`${person}:${passphrase}`).toString('base64');
  return { authorization: `Basic ${basic}`, passphrase };
}

/** A server writes here what the line named, and nothing else: whoever answers in its place is not believed. */
function writeNamed(words: readonly string[], path: string, bytes: Buffer): void {
  if (!words.some((word) => word === path || word.endsWith(`=${path}`)))
    throw new EngineError(
      'BAD_INPUT',
      `the server would write ${path}, which nobody named`,
      'countersign doctor',
    );
  writeFileSync(path, bytes, { flag: 'wx' });
}

/** The commit of HEAD here; '' where there is none. */
function headAt(cwd: string): string {
  try {
    return runGit(cwd, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']).toString('utf8').trim();
  } catch {
    return '';
  }
}

function failed(words: readonly string[], error: unknown, { out, err }: Here): number {
  const told = failureTold(words, error);
  out(told.out);
  err(told.err);
  return told.exit;
}
