import { accountability } from '../../engine/accountability.ts';
import { isAtGate } from '../../engine/gates.ts';
import { type Handle, loadItem } from '../../engine/handle.ts';
import { NOT_A_PERSON, notVerified } from '../../engine/not-verified.ts';
import type { CheckFinding } from '../../engine/ports.ts';
import { failedReport, standing } from '../../engine/reports.ts';
import { taskNameOf } from '../../engine/staged/task-name.ts';
import { todoOf } from '../../engine/todo.ts';
import { verify as runVerification, type Verified } from '../../engine/verify.ts';
import { type Weakness, weaknessLines, weaknessOf } from '../../engine/weak.ts';
import type { Option } from '../../kernel/guidance.ts';
import { answerRefusal } from '../answer.ts';
import { type Cli, confirmed, type Session, withSession } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { nextText } from '../guide.ts';
import { asTyped, note, type Output, paint, printAnswer } from '../print.ts';
import { progressLines } from '../progress.ts';
import type { Register } from '../register.ts';

export const verify: Register = (program, run) => {
  program
    .command('verify <item>')
    .description('ask the engine to run the criteria on a clean checkout of the claimed commit')
    .option('--confirm', 'confirm as a person at the terminal that this claim is to be judged now')
    .option('--notes <text>', 'what you saw; kept with the verdict, and proof of nothing', '')
    .action((ref: string, { confirm, notes }: { confirm?: boolean; notes: string }) =>
      run((cli) => verifyItem(cli, ref, confirm === true, notes)),
    );
};

/** Asks for a verification and tells what it came to. */
function verifyItem(cli: Cli, ref: string, confirm: boolean, notes: string): Promise<ExitCode> {
  return withSession(cli, async (session) => {
    const verified = await askVerification(cli, session, ref, confirm, notes);
    const task = taskNameOf(verified.outcome.handle);
    const weakness = await weaknessOf(session.ports, verified.outcome.handle);
    if (task === '') return answerVerified(cli.output, verified, weakness);
    const { projectTask } = await import('../../engine/staged/project-task.ts');
    const { leadingOn } = await import('../task-way.ts');
    return leadingOn(cli, session, { task, asked: '' }, async (telling) => {
      for (const remark of await projectTask(session, task)) note(cli.output, `note: ${remark}`);
      return answerVerified(telling.output, verified, weakness);
    });
  });
}

/** Asks for a verification, with the word of the person at the terminal where that is wanted. */
export async function askVerification(
  cli: Cli,
  { ports, caller }: Session,
  ref: string,
  confirm: boolean,
  notes = '',
): Promise<Verified> {
  let asker = caller;
  const handle = confirm ? await loadItem(ports, ref) : undefined;
  if (handle !== undefined && caller.actor.kind !== 'human') {
    // An agent is not asked, and that it tried is recorded.
    const outcome = await notVerified(ports, caller, handle, NOT_A_PERSON);
    return { ...NOTHING_RUN, outcome };
  }
  // Outside a claim there is nothing to confirm: the table refuses, and that is recorded.
  if (handle !== undefined && isAtGate(handle)) {
    const told = accountability(handle);
    const shown = `${told.item} ${told.title}\nclaimed by ${told.claimed_by} at ${told.claimed_at}\ncommit ${told.commit}`;
    asker = await confirmed(cli, caller, {
      title: `Confirm the verification of ${told.item}`,
      shown,
      digest: told.commit,
      purpose: `verify ${handle.id}/${handle.item.attempt}`,
    });
  }
  const { say, stop } = progressLines(cli.output, process.stderr.isTTY === true);
  try {
    return await runVerification(ports, asker, { ref, notes, signal: cli.signal, onProgress: say });
  } finally {
    stop();
  }
}

const NOTHING_RUN = { run: undefined, pack: undefined };

/** Tells what a verification came to. */
export function answerVerified(
  output: Output,
  { outcome, run, pack }: Verified,
  weakness: Weakness = {},
): ExitCode {
  if (outcome.kind === 'refused') return answerRefusal(output, outcome, 'verify');
  const { handle } = outcome;
  const data = {
    ...todoOf(handle),
    ...weakness,
    verdict: pack?.outcome,
    cause: run?.cause,
    signed: pack?.signed,
    ...(pack?.outcome === 'PASSED' ? { strength: pack.strength } : {}),
    checks: run?.checks.map((check) => ({ ...bare(check), ...waivedBy(pack, check) })),
  };
  const checks = (run?.checks ?? []).map((check) => checkLine(output, check, pack));
  if (run?.verdict === 'pass') {
    const told = accountability(handle);
    const text = [
      ...checks,
      `${handle.display} ${standing(handle)}, strength ${pack?.strength}`,
      ...weaknessLines(weakness),
      `evidence: ${told.evidence}`,
      ...nextText(handle, outcome.options, output),
    ];
    printAnswer(output, { data, text: text.join('\n') });
    return EXIT.ok;
  }
  const text =
    run?.verdict === 'fail' && pack !== undefined
      ? [failedReport(handle, pack), ...failedSteps(handle, outcome.options, output)].join('\n')
      : inconclusive(output, handle, run?.cause ?? '');
  printAnswer(output, { data, text: [...checks, '', text].join('\n') });
  return run?.verdict === 'fail' ? EXIT.failed : EXIT.refused;
}

/** A block says itself what comes next; elsewhere the table does. */
const failedSteps = (handle: Handle, options: readonly Option[], output: Output): readonly string[] =>
  handle.item.state === 'blocked' ? [] : nextText(handle, options, output);

function waivedBy(pack: Verified['pack'], { id }: CheckFinding): { readonly waived_by?: string } {
  const waiver = pack?.waivers.find((w) => w.check === id);
  return waiver === undefined ? {} : { waived_by: waiver.by };
}

function checkLine(output: Output, check: CheckFinding, pack: Verified['pack']): string {
  const waiver = waivedBy(pack, check).waived_by;
  const mark = waiver === undefined ? '' : ` (waived by ${waiver})`;
  const style = ({ pass: 'green', fail: 'red', indeterminate: 'yellow' } as const)[check.outcome];
  return `${paint(output, style, check.outcome.padEnd(13))} ${check.id} - ${check.explanation}${mark}`;
}

function inconclusive(output: Output, { display, protocol }: Handle, cause: string): string {
  const released = protocol.rows.find(({ command }) => command === 'release');
  return [
    `${display} could not be verified: ${cause}`,
    'It is neither verified nor blocked; what could not be checked is not passed.',
    `next: mend the cause, ${asTyped(output, `then countersign verify ${display}`)}`,
    ...(released === undefined
      ? []
      : [
          `or, if this commit can never be checked: countersign release ${display}  [${released.by.join(' or ')}]`,
        ]),
  ].join('\n');
}

function bare({ output, ...check }: CheckFinding) {
  return { ...check, output: { bytes: output.length } };
}
