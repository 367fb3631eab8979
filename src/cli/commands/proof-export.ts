import { repositoryKeys } from '../../engine/audit/repository-keys.ts';
import type { CallerFiles } from '../../engine/composition.ts';
import { EngineError } from '../../engine/engine-error.ts';
import { loadItem } from '../../engine/handle.ts';
import type { Ports } from '../../engine/ports.ts';
import { judgePack, latestPack } from '../../engine/proof-verify.ts';
import { type Cli, withSession } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { printAnswer } from '../print.ts';
import type { Register } from '../register.ts';

interface Options {
  readonly output: string;
  readonly attempt?: number;
  readonly format: string;
}

const FORMATS = ['pack', 'vsa', 'junit'];

export const proofExport: Register = (parent, run) => {
  parent
    .command('export <item>')
    .description(
      'the latest verdict in a file: the signed pack itself (proof verify FILE), or told in another format',
    )
    .requiredOption('--output <file>', 'where to')
    .option('--format <format>', 'pack, vsa (a signed SLSA summary) or junit (XML of the checks)', 'pack')
    .option('--attempt <n>', 'of this attempt', Number)
    .action((ref: string, options: Options) => run((cli) => exportProof(cli, ref, options)));
};

function exportProof(cli: Cli, ref: string, { output, attempt, format }: Options): Promise<ExitCode> {
  return withSession(cli, async ({ ports }) => {
    if (!FORMATS.includes(format))
      throw new EngineError(
        'BAD_INPUT',
        `there is no format ${format}`,
        `it is one of: ${FORMATS.join(', ')}`,
      );
    const { record, bytes } = latestPack(ports, await loadItem(ports, ref), attempt);
    writeNew(cli.composition.files, output, await inFormat(ports, format, record.signed, bytes));
    const what = format === 'pack' ? `${record.signed} copied` : `${record.signed} told as ${format}`;
    printAnswer(cli.output, { data: { path: output, format, ...record }, text: `${what} to ${output}` });
    return EXIT.ok;
  });
}

async function inFormat(ports: Ports, format: string, path: string, bytes: Uint8Array) {
  if (format === 'pack') return bytes;
  const judged = judgePack(bytes, await repositoryKeys(ports));
  const { soundVerdict, vsaOf } = await import('../../engine/proof-export.ts');
  if (format === 'vsa') return vsaOf(ports, judged, { path, bytes });
  const { junitOf } = await import('../../engine/junit.ts');
  return junitOf(soundVerdict(judged, path));
}

function writeNew(files: CallerFiles, path: string, content: Uint8Array | string): void {
  try {
    files.write(path, content);
  } catch (cause) {
    const there = (cause as NodeJS.ErrnoException).code === 'EEXIST';
    const what = there ? `${path} is there already` : `${path} cannot be written`;
    throw new EngineError('BAD_INPUT', what, 'name another file', { cause });
  }
}
