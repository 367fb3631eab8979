import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import type { VerdictPredicate } from '../../attestation/verdict.ts';
import { repositoryKeys } from '../../engine/audit/repository-keys.ts';
import { EngineError } from '../../engine/engine-error.ts';
import { loadItem } from '../../engine/handle.ts';
import {
  type JudgedPack,
  judgePack,
  judgeReadable,
  latestPack,
  packsOf,
  signedPathOf,
} from '../../engine/proof-verify.ts';
import { type Cli, withSession } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { answerJudgement, cannotTell, type Judgement } from '../judgement.ts';
import { columns, printAnswer } from '../print.ts';
import type { Register, Run } from '../register.ts';
import { keysFrom, keysHere, readNamed } from '../trusted.ts';

/** Proof packs: what a verification found, signed. */
export const proof: Register = (program, run) => {
  const parent = program.command('proof').description('the signed results of verifications');
  registerShow(parent, run);
  registerList(parent, run);
  registerVerify(parent, run);
  registerExport(parent, run);
};

function registerShow(parent: Command, run: Run): void {
  parent
    .command('show <item>')
    .description('the latest verdict on an item: what was checked, who asked, how independent it is')
    .option('--attempt <n>', 'of this attempt', Number)
    .action((ref: string, { attempt }: { attempt?: number }) =>
      run((cli) =>
        withSession(cli, async ({ ports }) => {
          const { record, bytes } = latestPack(ports, await loadItem(ports, ref), attempt);
          const judged = judgePack(bytes, await repositoryKeys(ports));
          const { status, lines, findings, remarks, data } = judgementOf(judged, record.signed);
          const paths = [`readable ${record.readable}`, `signed   ${record.signed}`];
          const all = { ...data, ...record, readable: record.readable };
          return answerJudgement(cli.output, {
            status,
            findings,
            remarks,
            data: all,
            lines: [...lines, ...paths],
          });
        }),
      ),
    );
}

function registerList(parent: Command, run: Run): void {
  parent
    .command('list <item>')
    .description('every verification of an item, of all attempts')
    .action((ref: string) =>
      run((cli) =>
        withSession(cli, async ({ ports }) => {
          const packs = packsOf(await loadItem(ports, ref));
          const rows = packs.map((p) => [
            `attempt ${p.attempt}`,
            p.outcome,
            p.at,
            `asked for by ${p.requestedBy} (${p.independence})`,
            p.signed,
          ]);
          const text = packs.length === 0 ? 'nothing was verified yet' : columns(rows);
          printAnswer(cli.output, { data: packs, text });
          return EXIT.ok;
        }),
      ),
    );
}

function registerExport(parent: Command, run: Run): void {
  parent
    .command('export <item>')
    .description('copy the latest signed pack, to be judged anywhere (proof verify FILE)')
    .requiredOption('--output <file>', 'where to')
    .option('--attempt <n>', 'of this attempt', Number)
    .action((ref: string, { output, attempt }: { output: string; attempt?: number }) =>
      run((cli) =>
        withSession(cli, async ({ ports }) => {
          const { record, bytes } = latestPack(ports, await loadItem(ports, ref), attempt);
          writeNew(output, bytes);
          printAnswer(cli.output, {
            data: { path: output, ...record },
            text: `${record.signed} copied to ${output}`,
          });
          return EXIT.ok;
        }),
      ),
    );
}

function writeNew(path: string, bytes: Uint8Array): void {
  try {
    writeFileSync(path, bytes, { flag: 'wx' });
  } catch (cause) {
    const there = (cause as NodeJS.ErrnoException).code === 'EEXIST';
    const what = there ? `${path} is there already` : `${path} cannot be written`;
    throw new EngineError('BAD_INPUT', what, 'name another file', { cause });
  }
}

function registerVerify(parent: Command, run: Run): void {
  parent
    .command('verify <file>')
    .description('judge a proof pack, anywhere; exit 0 genuine, 1 broken, 2 cannot tell')
    .option('--key <pem...>', 'files with public keys to trust', [])
    .action((file: string, { key }: { key: readonly string[] }) => run((cli) => verifyFile(cli, file, key)));
}

async function verifyFile(cli: Cli, file: string, keys: readonly string[]): Promise<ExitCode> {
  try {
    const trusted = [...keysFrom(keys), ...(await keysHere(cli.composition))];
    const path = await whereIs(cli, file);
    const bytes = readNamed(path);
    const named = signedPathOf(bytes);
    // The readable pack and the signed one that it names lie in the same folder, here as in a copy.
    const signed = named === undefined ? '' : join(dirname(path), named.split(/[\\/]/).at(-1) ?? '');
    const judged =
      named === undefined
        ? judgePack(bytes, trusted)
        : judgeReadable(bytes, named, readNamed(signed), trusted);
    const judgement = judgementOf(judged, file);
    const remarks = trusted.length > 0 ? [] : ['no key is trusted here: give public keys with --key'];
    return answerJudgement(cli.output, { ...judgement, remarks });
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: string };
    if (typeof code !== 'string') throw error;
    return answerJudgement(cli.output, cannotTell(file, message ?? code));
  }
}

/** A path as typed, or as the engine prints it: seen from the repository's main folder. */
async function whereIs(cli: Cli, file: string): Promise<string> {
  try {
    readNamed(file);
    return file;
  } catch (error) {
    try {
      const inside = join(dirname(dirname(cli.composition.locate().state)), file);
      readNamed(inside);
      return inside;
    } catch {
      throw error;
    }
  }
}

function judgementOf({ status, findings, verdict, subject }: JudgedPack, file: string): Judgement {
  const lines = verdict === undefined ? [] : linesOf(verdict, subject);
  return { status, findings, remarks: [], data: { file, verdict, subject }, lines };
}

function linesOf(verdict: VerdictPredicate, subject: JudgedPack['subject']): readonly string[] {
  const { item, attempt, cause, checks, builders, requestedBy, independence, protocol } = verdict;
  return [
    `${verdict.verdict} ${item.display} ${item.title}${cause === '' ? '' : `: ${cause}`}`,
    `attempt ${attempt}, commit ${subject.gitCommit ?? '(none)'}`,
    `built by ${builders.join(', ') || '(nobody)'}, asked for by ${requestedBy} (${independence})`,
    `criteria ${verdict.criteria.path}, protocol ${protocol.name} ${protocol.version}, ended ${verdict.endedAt}`,
    ...checks.map((c) => `  ${c.outcome.padEnd(13)} ${c.id} - ${c.explanation}`),
  ];
}
