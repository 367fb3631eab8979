import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { keepToken, repositoryOf } from './client-tokens.ts';
import type { Composition } from './engine/composition.ts';
import { EngineError } from './engine/engine-error.ts';
import { failureTold } from './failure-told.ts';
import type { Here } from './forward.ts';
import { addressOf } from './http/client/address.ts';
import { dropSetting, keepSetting } from './server-setting.ts';

const USAGE = 'countersign connect URL [--person NAME] [--actor NAME --token-file FILE]';

/** Has this clone work with a server, or, for `disconnect`, with a store of its own again. Answers the exit code. */
export async function connect(
  [face, ...words]: readonly string[],
  composition: Composition,
  around: Pick<Here, 'env' | 'out' | 'err'>,
): Promise<number> {
  try {
    const { state } = composition.locate();
    if (face === 'disconnect') {
      dropSetting(state);
      around.out('this clone works with its own store\n');
      return 0;
    }
    const { positionals, values } = parsed(words);
    const [url] = positionals;
    if (url === undefined) throw new EngineError('BAD_INPUT', 'no server was named', USAGE);
    const address = addressOf(url);
    const repository = await repositoryOf(address);
    const { actor = '', person = '', 'token-file': file } = values;
    if ((actor === '') !== (file === undefined))
      throw new EngineError('BAD_INPUT', '--actor and --token-file belong together', USAGE);
    if (file !== undefined) {
      const token = readFileSync(file === '-' ? 0 : file, 'utf8').trim();
      keepToken(around.env, address, { actor, token });
    }
    keepSetting(state, { url, person });
    const kept = actor === '' ? '' : `, with the token of ${actor}`;
    around.out(`this clone works with ${url}, which serves the repository ${repository}${kept}\n`);
    around.err(`next: countersign ${actor === '' ? '' : `--actor ${actor} `}doctor\n`);
    return 0;
  } catch (error) {
    around.err(failureTold([], error).err);
    return (error as { code?: string }).code === 'UNREACHABLE' ? 8 : 2;
  }
}

function parsed(words: readonly string[]) {
  const options = {
    person: { type: 'string' },
    actor: { type: 'string' },
    'token-file': { type: 'string' },
  } as const;
  try {
    return parseArgs({ args: [...words], options, strict: true, allowPositionals: true });
  } catch (cause) {
    throw new EngineError('BAD_INPUT', (cause as Error).message, USAGE, { cause });
  }
}
