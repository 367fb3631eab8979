import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { repositoryKeys } from '../../engine/audit/repository-keys.ts';
import { EngineError } from '../../engine/engine-error.ts';
import { loadItem } from '../../engine/handle.ts';
import {
  type JudgedPack,
  type JudgedSummary,
  judgePack,
  judgeReadable,
  judgeSummary,
  latestPack,
  packsOf,
  signedPathOf,
} from '../../engine/proof-verify.ts';
import { type Cli, withSession } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { answerJudgement, cannotTell, type Judgement } from '../judgement.ts';
import { packLines, summaryLines } from '../pack-lines.ts';
import { columns, printAnswer } from '../print.ts';
import type { Register, Run } from '../register.ts';
import { keysFrom, keysHere, readNamed } from '../trusted.ts';
import { proofExport } from './proof-export.ts';
import { proofOverride } from './proof-override.ts';
import { proofPush } from './proof-push.ts';

/** Proof packs: what a verification found, signed. */
export const proof: Register = (program, run) => {
  const parent = program.command('proof').description('the signed results of verifications');
  registerShow(parent, run);
  registerList(parent, run);
  registerVerify(parent, run);
  proofExport(parent, run);
  proofPush(parent, run);
  proofOverride(parent, run);
};

function registerShow(parent: Command, run: Run): void {
  parent
    .command('show <pack-or-item>')
    .description('a verdict as people read it: of an item the latest, or of a pack by its path')
    .option('--attempt <n>', 'of this attempt')
    .action((named: string, { attempt }: { attempt?: string }) =>
      run((cli) =>
        isPath(named) ? verifyFile(cli, named, []) : showItem(cli, named, attemptOf(named, attempt)),
      ),
    );
}

function attemptOf(item: string, given: string | undefined): number | undefined {
  if (given === undefined || /^[1-9]\d{0,8}$/.test(given))
    return given === undefined ? undefined : Number(given);
  const message = `--attempt takes a whole number from 1, not ${given}`;
  throw new EngineError('BAD_INPUT', message, `see which there are: countersign proof list ${item}`);
}

const isPath = (named: string) => /[/\\]|\.jsonl?$/.test(named);

function showItem(cli: Cli, ref: string, attempt: number | undefined): Promise<ExitCode> {
  return withSession(cli, async ({ ports }) => {
    const { record, bytes } = latestPack(ports, await loadItem(ports, ref), attempt);
    const judged = judgePack(bytes, await repositoryKeys(ports));
    const { status, lines, findings, remarks, data } = judgementOf(judged, record.signed);
    const paths = [`readable ${record.readable}`, `signed   ${record.signed}`];
    return answerJudgement(cli.output, {
      status,
      findings,
      remarks,
      data: { ...data, ...record },
      lines: [...lines, ...paths],
    });
  });
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
            p.strength,
            p.signed,
          ]);
          const text = packs.length === 0 ? 'nothing was verified yet' : columns(rows);
          printAnswer(cli.output, { data: packs, text });
          return EXIT.ok;
        }),
      ),
    );
}

function registerVerify(parent: Command, run: Run): void {
  parent
    .command('verify <file>')
    .description('judge a proof pack or signed summary, anywhere; exit 0 genuine, 1 broken, 2 cannot tell')
    .option('--key <pem...>', 'files with public keys to trust', [])
    .action((file: string, { key }: { key: readonly string[] }) => run((cli) => verifyFile(cli, file, key)));
}

async function verifyFile(cli: Cli, file: string, keys: readonly string[]): Promise<ExitCode> {
  try {
    const trusted = [...keysFrom(cli.composition.files, keys), ...(await keysHere(cli.composition))];
    const path = await whereIs(cli, file);
    const bytes = readNamed(cli.composition.files, path);
    const untrusted = trusted.length > 0 ? [] : ['no key is trusted here: give public keys with --key'];
    const summary = judgeSummary(bytes, trusted);
    if (summary !== undefined) return answerJudgement(cli.output, summaryOf(summary, file, untrusted));
    const named = signedPathOf(bytes);
    // The readable pack and the signed one that it names lie in the same folder, here as in a copy.
    const signed = named === undefined ? '' : join(dirname(path), named.split(/[\\/]/).at(-1) ?? '');
    const judged =
      named === undefined
        ? judgePack(bytes, trusted)
        : judgeReadable(bytes, named, readNamed(cli.composition.files, signed), trusted);
    const judgement = judgementOf(judged, file);
    return answerJudgement(cli.output, { ...judgement, remarks: untrusted });
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: string };
    if (typeof code !== 'string') throw error;
    const help = 'name the file of a pack; those of an item: countersign proof show ITEM';
    const helps = code === 'NOT_FOUND' ? [help] : [];
    return answerJudgement(cli.output, cannotTell(file, message ?? code, ...helps));
  }
}

/** A path as typed, or as the engine prints it: seen from the repository's main folder. */
async function whereIs(cli: Cli, file: string): Promise<string> {
  try {
    readNamed(cli.composition.files, file);
    return file;
  } catch (error) {
    const inside = insideState(cli, file);
    if (inside === undefined) throw error;
    return inside;
  }
}

/** The git folder may have any name and place; what lies in it is then named from there. */
function insideState({ composition }: Cli, file: string): string | undefined {
  try {
    const folder = dirname(composition.locate().state);
    const paths = [dirname(folder), folder].map((home) => join(home, file));
    return paths.find((path) => isReadable(composition.files, path));
  } catch {
    return undefined;
  }
}

function isReadable(files: Cli['composition']['files'], path: string): boolean {
  try {
    readNamed(files, path);
    return true;
  } catch {
    return false;
  }
}

function judgementOf({ status, findings, verdict, subject }: JudgedPack, file: string): Judgement {
  const lines = verdict === undefined ? [] : packLines(verdict, subject);
  return { status, findings, remarks: [], data: { file, verdict, subject }, lines };
}

/** A summary is judged by its own signature alone: the pack that it names need not be at hand. */
function summaryOf(judged: JudgedSummary, file: string, untrusted: readonly string[]): Judgement {
  const { status, findings, summary, subject } = judged;
  const pack = 'the pack that the summary names was not looked at: countersign proof verify PACK';
  return {
    status,
    findings,
    remarks: summary === undefined ? untrusted : [...untrusted, pack],
    data: { file, summary, subject },
    lines: summary === undefined ? [] : summaryLines(summary, subject),
  };
}
