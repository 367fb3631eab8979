import { existsSync } from 'node:fs';
import { sha256Hex } from '../attestation/digest.ts';
import type { Caller } from '../engine/caller.ts';
import { EngineError } from '../engine/engine-error.ts';
import type { Ports } from '../engine/ports.ts';
import type { Facts } from '../kernel/event.ts';
import { type Cli, confirmed } from './context.ts';
import { note } from './print.ts';

export interface AcceptanceOptions {
  readonly acceptance?: string;
  readonly confirm?: boolean;
}

/** Examples as a command names them: facts for the item that is to be opened, and the caller, confirmed if asked for. */
export async function givenAcceptance(
  cli: Cli,
  ports: Ports,
  caller: Caller,
  { acceptance: path, confirm }: AcceptanceOptions,
): Promise<{ readonly caller: Caller; readonly facts: Facts }> {
  if (path === undefined) {
    if (confirm === true) throw new EngineError('BAD_INPUT', '--confirm belongs to --acceptance');
    return { caller, facts: {} };
  }
  const bytes = ports.files.readWorking(path);
  if (bytes === undefined) throw noFile(path);
  const author =
    confirm === true
      ? await confirmed(cli, caller, {
          title: 'Give these acceptance examples',
          shown: bytes.toString('utf8'),
          digest: sha256Hex(bytes),
          purpose: 'give acceptance examples',
        })
      : caller;
  if (author.actor.kind === 'human' && author.proof === undefined)
    note(cli.output, 'note: given without --confirm, the examples run but count for no grade');
  // Read only when somebody brings examples: the parser behind it is heavy.
  const { keepAcceptance } = await import('../engine/acceptance.ts');
  return { caller: author, facts: await keepAcceptance(ports, author, bytes) };
}

function noFile(path: string): EngineError {
  const hint = 'name a file with examples: --acceptance FILE';
  return existsSync(path)
    ? new EngineError('BAD_INPUT', `${path} is not a file`, hint)
    : new EngineError('NOT_FOUND', `there is no file ${path}`, hint);
}
