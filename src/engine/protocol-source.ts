import { parseProtocol } from '../kernel/parse-protocol.ts';
import type { Protocol } from '../kernel/protocol.ts';
import { BUILT_IN, builtIn } from '../protocols/index.ts';
import type { CallerFiles } from './composition.ts';
import { parseYaml } from './config.ts';
import { EngineError } from './engine-error.ts';
import type { Ports } from './ports.ts';
import { brokenProtocols, projectProtocols, strangeIn } from './project-protocols.ts';

/** A protocol by its name or from a file, YAML or JSON. Throws NOT_FOUND, or BAD_INPUT with every problem. */
export async function protocolFrom(
  files: Pick<CallerFiles, 'read' | 'has'>,
  nameOrFile: string,
  ports?: Pick<Ports, 'git'>,
): Promise<Protocol> {
  const shipped = builtIn(nameOrFile);
  const isFile = files.has(nameOrFile);
  if (shipped !== undefined && !isFile) return shipped;
  // A name that is no file may be one of the project's own.
  if (ports !== undefined && !isFile) {
    const own = (await projectProtocols(ports)).get(nameOrFile);
    if (own !== undefined) return own;
    const wrong = (await brokenProtocols(ports)).get(nameOrFile);
    if (wrong !== undefined) throw wrong;
  }
  const parsed = parseProtocol(await valueIn(files, nameOrFile));
  const strange = parsed.ok ? strangeIn(parsed.protocol) : '';
  if (parsed.ok && strange === '') return parsed.protocol;
  const problems = (parsed.ok ? [strange] : parsed.problems).map((problem) => `\n  - ${problem}`).join('');
  throw new EngineError('BAD_INPUT', `${nameOrFile} is no protocol:${problems}`);
}

async function valueIn(files: Pick<CallerFiles, 'read'>, file: string): Promise<unknown> {
  let text: string;
  try {
    text = files.read(file).toString('utf8');
  } catch (cause) {
    const known = `built in: ${Object.keys(BUILT_IN).join(', ')}`;
    throw new EngineError('NOT_FOUND', `there is no protocol and no file ${file}`, known, { cause });
  }
  try {
    return await parseYaml(text);
  } catch (cause) {
    throw new EngineError('BAD_INPUT', `${file} is neither YAML nor JSON: ${String(cause)}`, '', { cause });
  }
}
