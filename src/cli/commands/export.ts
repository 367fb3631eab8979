import {
  closeSync,
  existsSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { CallerFiles } from '../../engine/composition.ts';
import { EngineError } from '../../engine/engine-error.ts';
import { exportLog } from '../../engine/export.ts';
import { loadRow } from '../../engine/query.ts';
import { type Todo, todoOf } from '../../engine/todo.ts';
import { type Cli, type Session, withSession } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { printAnswer } from '../print.ts';
import type { Register } from '../register.ts';

interface Options {
  readonly output?: string;
  readonly todo?: boolean;
  readonly list?: string;
}

/** A copy of the whole log for offline judgement, or of the items in the todo form. */
export const exportCommand: Register = (program, run) => {
  program
    .command('export')
    .description('a signed copy of the whole log, to be judged anywhere (audit verify FILE)')
    .option('--output <file>', 'write to this file instead of stdout')
    .option('--todo', 'the items as a todo list instead')
    .option('--list <name>', 'with --todo: only this list')
    .action((options: Options) => run((cli) => withSession(cli, (session) => write(cli, session, options))));
};

async function write(cli: Cli, session: Session, options: Options): Promise<ExitCode> {
  const { output, todo, list } = options;
  if (list !== undefined && !todo)
    throw new EngineError(
      'BAD_INPUT',
      '--list belongs to --todo',
      `countersign export --todo --list ${list}`,
    );
  const pieces = todo ? todoPieces(session, list) : undefined;
  const produce = async (out: (text: string) => void): Promise<number> => {
    if (pieces === undefined) return exportLog(session.ports, out);
    let count = -1;
    for await (const piece of pieces) {
      out(piece);
      count += 1;
    }
    return count;
  };
  if (output === undefined) {
    if (cli.output.json) return inDocument(cli, pieces);
    await produce(cli.output.out);
    return EXIT.ok;
  }
  const { files } = cli.composition;
  const count = files.local
    ? await written(session.places.state, output, produce)
    : await brought(files, output, produce);
  const what = todo ? { items: count } : { events: count };
  printAnswer(cli.output, {
    data: { path: output, ...what },
    text: `${count} ${todo ? 'items' : 'events'} exported to ${output}`,
  });
  return EXIT.ok;
}

function written(
  state: string,
  output: string,
  produce: (out: (text: string) => void) => Promise<number>,
): Promise<number> {
  const { real, stream } = placeOf(output);
  // The name that the system has for a pipe is none that can be opened.
  if (stream) return intoStream(output, produce);
  assertOutside(state, real);
  return intoFile(real, produce);
}

/** With --json the items stand in the one document. The log is a document a line: it goes to a file. */
async function inDocument(cli: Cli, pieces: AsyncGenerator<string> | undefined): Promise<ExitCode> {
  if (pieces === undefined) {
    const message = 'the exported log is JSON lines, which is not the one document of --json';
    throw new EngineError('BAD_INPUT', message, 'countersign export --json --output FILE');
  }
  let text = '';
  for await (const piece of pieces) text += piece;
  printAnswer(cli.output, { data: { items: JSON.parse(text) as unknown }, text: '' });
  return EXIT.ok;
}

/** Nothing is written over what Countersign keeps itself. Throws BAD_INPUT. */
function assertOutside(state: string, output: string): void {
  const folder = dirname(resolve(output));
  const real = existsSync(folder) ? realpathSync.native(folder) : folder;
  const way = relative(realpathSync.native(state), join(real, basename(output)));
  if (way.startsWith('..') || isAbsolute(way)) return;
  throw new EngineError(
    'BAD_INPUT',
    `${output} lies in the folder that Countersign keeps its store in`,
    'name a file elsewhere',
  );
}

/** For a client of a server, who writes the file. */
async function brought(
  files: CallerFiles,
  path: string,
  produce: (out: (text: string) => void) => Promise<number>,
): Promise<number> {
  const pieces: string[] = [];
  const count = await produce((text) => pieces.push(text));
  files.write(path, pieces.join(''));
  return count;
}

/** Where what is written to a path ends up: the file behind a link; and whether it is a pipe or a device. */
function placeOf(path: string): { readonly real: string; readonly stream: boolean } {
  const stats = asFile(path, () => statSync(path, { throwIfNoEntry: false }));
  if (stats === undefined) return { real: path, stream: false };
  if (stats.isDirectory()) throw new EngineError('BAD_INPUT', `${path} is a folder`, 'name a file');
  return stats.isFile() ? { real: realpathSync.native(path), stream: false } : { real: path, stream: true };
}

/** A pipe or a device is written to as it is: another file in its place would take it away. */
async function intoStream(
  path: string,
  produce: (out: (text: string) => void) => Promise<number>,
): Promise<number> {
  const file = asFile(path, () => openSync(path, 'w'));
  try {
    return await produce((text) => writeAll(file, text));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EPIPE') throw cause;
    throw new EngineError(
      'UNREACHABLE',
      `nobody reads ${path} any more`,
      'run it again, and read to the end',
      { cause },
    );
  } finally {
    closeSync(file);
  }
}

function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** The file is there whole or not at all. */
async function intoFile(
  path: string,
  produce: (out: (text: string) => void) => Promise<number>,
): Promise<number> {
  const draft = `${path}.${process.pid}.part`;
  const file = opened(draft, path);
  try {
    const count = await produce((text) => writeAll(file, text));
    asFile(path, () => renameSync(draft, path));
    return count;
  } finally {
    closeSync(file);
    rmSync(draft, { force: true });
  }
}

const opened = (draft: string, path: string): number => asFile(path, () => openSync(draft, 'wx', 0o600));

/** Does what needs `path` to be a place for a file. Throws NOT_FOUND or BAD_INPUT where it is none. */
function asFile<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw new EngineError(
        'NOT_FOUND',
        `there is no folder for ${path}`,
        'make the folder, or name another',
        { cause },
      );
    if (!NO_PLACE.has(code)) throw cause;
    throw new EngineError('BAD_INPUT', `${path} cannot be written`, 'name a file', { cause });
  }
}

const NO_PLACE = new Set([
  'EISDIR',
  'ENOTDIR',
  'ENOTEMPTY',
  'EEXIST',
  'ENAMETOOLONG',
  'EINVAL',
  'EBUSY',
  'ELOOP',
  'ENXIO',
]);

const PAGE = 200;

/** A JSON array of todo items, one a line: the first piece opens it, the last closes it. */
async function* todoPieces({ ports }: Session, list: string | undefined): AsyncGenerator<string> {
  let before = '[';
  for (let after = 0; ; ) {
    const page = await ports.store.items({
      list,
      states: [],
      categories: [],
      assignee: undefined,
      after,
      limit: PAGE,
    });
    for (const row of page) {
      const item: Todo = todoOf(await loadRow(ports, row));
      yield `${before}\n${JSON.stringify(item)}`;
      before = ',';
    }
    after = page.at(-1)?.number ?? after;
    if (page.length < PAGE) break;
  }
  yield before === '[' ? '[]\n' : '\n]\n';
}
