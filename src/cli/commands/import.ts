import type { CallerFiles } from '../../engine/composition.ts';
import { EngineError } from '../../engine/engine-error.ts';
import type { Import, ImportedLine } from '../../engine/import-todo.ts';
import { type Cli, withSession } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { columns, printAnswer, printFailure } from '../print.ts';
import type { Register } from '../register.ts';

interface Options {
  readonly list: string;
  readonly dryRun?: boolean;
}

export const importCommand: Register = (program, run) => {
  const group = program.command('import').description('take over what another tool kept');
  group
    .command('todo <file>')
    .description('take over a todo list (JSON), all of it or nothing; nothing it says counts as verified')
    .option('--list <name>', 'list that it goes to', 'main')
    .option('--dry-run', 'say what would become of each todo, write nothing')
    .action((file: string, options: Options) => run((cli) => importTodo(cli, file, options)));
};

function importTodo(cli: Cli, file: string, options: Options): Promise<ExitCode> {
  const bytes = readInput(cli.composition.files, file);
  return withSession(cli, async ({ ports, caller }) => {
    const { importTodos } = await import('../../engine/import-todo.ts');
    const dryRun = options.dryRun === true;
    const result = await importTodos(ports, caller, { bytes, list: options.list, dryRun });
    return answer(cli, result, dryRun);
  });
}

function answer(cli: Cli, result: Import, dryRun: boolean): ExitCode {
  switch (result.kind) {
    case 'malformed': {
      const lines = result.problems.map((problem) => `  - ${problem}`);
      const message = 'nothing was imported: the list has problems';
      const details = { problems: result.problems };
      printFailure(cli.output, {
        code: 'BAD_INPUT',
        message,
        hint: 'mend them and try again',
        lines,
        details,
      });
      return EXIT.usage;
    }
    case 'refused': {
      const lines = result.lines.map((line) => `  - ${line.item} ${line.content}: ${line.remark}`);
      const message = 'nothing was imported: a list cannot move items that are managed here';
      const hint = 'take those todos out, or move the items by commands: countersign next';
      const details = { refused: result.lines };
      printFailure(cli.output, { code: 'gate-closed', message, hint, lines, details });
      return EXIT.refused;
    }
    case 'done': {
      printAnswer(cli.output, {
        data: { dry_run: dryRun, todos: result.lines },
        text: [columns(result.lines.map((line) => rowOf(line, dryRun))), summary(result.lines, dryRun)].join(
          '\n',
        ),
      });
      return EXIT.ok;
    }
  }
}

function rowOf({ action, item, state, content, remark }: ImportedLine, dryRun: boolean): readonly string[] {
  const verb = dryRun && action === 'opened' ? 'would open' : action;
  return [verb, item || '-', state.toUpperCase(), remark === '' ? content : `${content} (${remark})`];
}

/** Says plainly when nothing was done: a green line for nothing would be a lie. */
function summary(lines: readonly ImportedLine[], dryRun: boolean): string {
  const opened = lines.filter((line) => line.action === 'opened').length;
  const skipped = lines.length - opened;
  const verb = dryRun ? 'would be opened' : 'opened';
  return opened === 0
    ? `nothing to import: ${skipped} of ${lines.length} are here already`
    : `${opened} ${verb}, ${skipped} were here already`;
}

/** The bytes of a file that a person named. Throws NOT_FOUND. */
export function readInput(files: Pick<CallerFiles, 'read' | 'folder'>, file: string): Buffer {
  try {
    return files.read(file);
  } catch (cause) {
    const { message, code } = cause as NodeJS.ErrnoException;
    const because = code === 'ENOENT' ? `there is no file ${file}` : `${file} cannot be read: ${message}`;
    throw new EngineError('NOT_FOUND', because, `name a file that can be read, from ${files.folder}`, {
      cause,
    });
  }
}
