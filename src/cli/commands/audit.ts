import type { Command } from 'commander';
import { auditExport } from '../../engine/audit/audit-export.ts';
import { auditStore } from '../../engine/audit/audit-store.ts';
import { namedKeys } from '../../engine/audit/repository-keys.ts';
import { anchoredCheckpoint, checkpoint } from '../../engine/checkpoint.ts';
import type { CallerFiles } from '../../engine/composition.ts';
import { KEY_PURPOSES } from '../../engine/composition.ts';
import { EngineError } from '../../engine/engine-error.ts';
import { type Cli, withSession } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { answerJudgement, cannotTell, type Judgement } from '../judgement.ts';
import { printAnswer } from '../print.ts';
import type { Register, Run } from '../register.ts';
import { keysFrom, keysHere, readNamed } from '../trusted.ts';

interface VerifyOptions {
  readonly key: readonly string[];
  readonly checkpoint: readonly string[];
}

/** Whether the record is what was written, and whether every decision in it was allowed (docs/audit.md). */
export const audit: Register = (program, run) => {
  const parent = program
    .command('audit')
    .description('is the record whole, and was every decision in it allowed');
  registerVerify(parent, run);
  registerCheckpoint(parent, run);
  parent
    .command('keys')
    .description('the public keys that sign for this repository')
    .option('--purpose <purpose>', 'only those for this: runner signs proof packs, checkpoint the log', '')
    .action(({ purpose }: { purpose: string }) => run((cli) => printKeys(cli, purpose)));
};

function registerVerify(parent: Command, run: Run): void {
  parent
    .command('verify [export]')
    .description('judge the store here, or an export anywhere; exit 0 clean, 1 broken, 2 cannot tell')
    .option('--key <pem...>', 'files with public keys to trust', [])
    .option('--checkpoint <file...>', 'checkpoints that were kept elsewhere', [])
    .action((file: string | undefined, options: VerifyOptions) =>
      run(async (cli) => answerJudgement(cli.output, await judged(cli, file, options))),
    );
}

/** Every way of not being able to look is the answer "cannot tell", with the exit code of that answer. */
async function judged(cli: Cli, file: string | undefined, options: VerifyOptions): Promise<Judgement> {
  try {
    return file === undefined ? await judgeStore(cli, options) : await judgeFile(cli, file, options);
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: string };
    if (typeof code !== 'string') throw error;
    const answer = cannotTell(file ?? 'store', message ?? code);
    const mend = file === undefined ? 'restore the store from a copy' : 'take another copy of the export';
    return code === 'DAMAGED' ? { ...answer, status: 'broken', remarks: [mend] } : answer;
  }
}

async function judgeStore(cli: Cli, options: VerifyOptions): Promise<Judgement> {
  const { files } = cli.composition;
  const trusted = keysFrom(files, options.key);
  const { ports } = await cli.composition.open();
  try {
    const report = await auditStore(ports, { trusted, checkpoints: notesFrom(files, options.checkpoint) });
    const { status, findings, remarks, ...data } = report;
    const { events, streams, items, checkpoints } = report;
    const counted = `${events} events, ${streams} streams, ${items} items, ${checkpoints.stored} checkpoints`;
    return { status, findings, remarks, data, lines: [counted] };
  } finally {
    await ports.store.close();
  }
}

async function judgeFile(cli: Cli, file: string, options: VerifyOptions): Promise<Judgement> {
  const { files } = cli.composition;
  const bytes = readNamed(files, file);
  const trusted = [...keysFrom(files, options.key), ...(await keysHere(cli.composition))];
  const { status, findings, ...data } = auditExport(bytes, trusted, notesFrom(files, options.checkpoint));
  const remarks = trusted.length > 0 ? [] : ['no key is trusted here: give public keys with --key'];
  return { status, findings, remarks, data, lines: [`${data.events} events, ${data.streams} streams`] };
}

const notesFrom = (files: CallerFiles, paths: readonly string[]) =>
  paths.map((path) => ({ where: path, note: readNamed(files, path).toString('utf8') }));

function registerCheckpoint(parent: Command, run: Run): void {
  parent
    .command('checkpoint')
    .description('sign how far the log has come')
    .option('--anchor', 'keep it in the git ref refs/countersign/checkpoints as well')
    .option('--print', 'print the signed note, to be kept elsewhere')
    .action((options: { anchor?: boolean; print?: boolean }) =>
      run((cli) => withSession(cli, ({ ports }) => makeCheckpoint(cli, ports, options))),
    );
}

async function makeCheckpoint(
  cli: Cli,
  ports: Parameters<typeof checkpoint>[0],
  { anchor, print }: { anchor?: boolean; print?: boolean },
): Promise<ExitCode> {
  const made = anchor ? await anchoredCheckpoint(ports) : { note: await checkpoint(ports), commit: '' };
  const events = made.note.split('\n')[1] ?? '';
  const kept = made.commit === '' ? '' : `, anchored in commit ${made.commit.slice(0, 12)}`;
  const text = print ? made.note : `checkpoint over ${events} events${kept}`;
  printAnswer(cli.output, { data: { ...made, events: Number(events) }, text });
  return EXIT.ok;
}

async function printKeys(cli: Cli, purpose: string): Promise<ExitCode> {
  const { ports } = await cli.composition.open();
  try {
    const known: readonly string[] = KEY_PURPOSES;
    if (purpose !== '' && !known.includes(purpose))
      throw new EngineError('BAD_INPUT', `there is no key for ${purpose}`, `known: ${known.join(', ')}`);
    const keys = (await namedKeys(ports)).filter((key) => purpose === '' || key.purpose === purpose);
    const text = keys.map(
      ({ keyid, publicPem, purpose, retired }) =>
        `# ${purpose}${retired ? ' (retired)' : ''} ${keyid}\n${publicPem}`,
    );
    printAnswer(cli.output, { data: keys, text: text.join('') });
    return EXIT.ok;
  } finally {
    await ports.store.close();
  }
}
