import type { SelfTestReport } from '../../engine/criteria-self-test.ts';
import { type Cli, withSession } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { columns, note, printAnswer, printFailure } from '../print.ts';
import type { Register } from '../register.ts';
import { readInput } from './import.ts';

export const criteriaCheck: Register = (group, run) => {
  group
    .command('check [criteria]')
    .description('try criteria: does each check pass now, and can it fail? A path is only read and checked')
    .option(
      '--commit <commit>',
      'commit to read them from and to try them on; the working tree unless given',
      '',
    )
    .action((named: string | undefined, { commit }: { commit: string }) =>
      run((cli) => (isPath(named) ? read(cli, named) : tryOut(cli, named ?? 'default', commit))),
    );
};

/** Names have no slash and no ending; everything else is a file. */
const isPath = (named: string | undefined): named is string =>
  named !== undefined && (/[\\/]/.test(named) || /\.(ya?ml|json)$/.test(named));

async function read(cli: Cli, path: string): Promise<ExitCode> {
  const { criteriaProblems } = await import('../../engine/criteria-files.ts');
  const { problems, checks, owners } = await criteriaProblems(readInput(cli.composition.files, path), path);
  if (problems.length > 0) return malformed(cli, path, problems);
  const told =
    checks.length === 0 ? 'has no checks yet: nothing can be verified by it' : `checks: ${checks.join(', ')}`;
  const name = /([^/\\]+)\.ya?ml$/.exec(path)?.[1] ?? 'default';
  const owned = checks.map((id, i) => ({ id, owner: owners[i] ?? '' }));
  const remarks = await remarksHere(cli, owned);
  for (const remark of remarks) note(cli.output, `note: ${remark}`);
  const hint = `whether each can fail: countersign criteria check ${name}`;
  printAnswer(cli.output, {
    data: { path, checks, remarks },
    text: `${path} is well-formed; ${told}\n${hint}`,
  });
  return EXIT.ok;
}

/** What the roster of this repository says of owners; nothing where there is no repository with one. */
async function remarksHere(
  cli: Cli,
  owned: readonly { readonly id: string; readonly owner: string }[],
): Promise<readonly string[]> {
  if (owned.every(({ owner }) => owner === '')) return [];
  try {
    const { ports } = await cli.composition.open();
    try {
      const { ownerRemarks } = await import('../../engine/criteria-read.ts');
      return await ownerRemarks(ports, owned);
    } finally {
      await ports.store.close();
    }
  } catch {
    return [];
  }
}

function malformed(cli: Cli, path: string, problems: readonly string[]): ExitCode {
  printFailure(cli.output, {
    code: 'BAD_CRITERIA',
    message: `${path} is no valid criteria file`,
    hint: 'the format: countersign criteria format',
    lines: problems.map((problem) => `  - ${problem}`),
    details: { problems },
  });
  return EXIT.usage;
}

function tryOut(cli: Cli, name: string, commit: string): Promise<ExitCode> {
  return withSession(cli, async ({ ports, places }) => {
    const { selfTestCriteria } = await import('../../engine/criteria-self-test.ts');
    const onProgress = (line: string) => note(cli.output, `… ${line}`);
    const request = { name, commit, signal: cli.signal, onProgress };
    try {
      return answer(cli, await selfTestCriteria(ports, places, request));
    } catch (error) {
      const { code, problems } = error as { code?: string; problems?: readonly string[] };
      if (code !== 'BAD_CRITERIA' || problems === undefined) throw error;
      return malformed(cli, `.countersign/criteria/${name}.yaml`, problems);
    }
  });
}

const NOW: Readonly<Record<string, string>> = {
  pass: 'passes now',
  fail: 'FAILS NOW',
  indeterminate: 'open now',
  'not-run': 'judges work',
};
const CAN: Readonly<Record<string, string>> = { yes: 'can fail', no: 'CANNOT FAIL', 'not-told': 'not told' };

function answer(cli: Cli, { path, from, commit, checks, sound, remarks }: SelfTestReport): ExitCode {
  for (const remark of remarks) note(cli.output, `note: ${remark}`);
  const rows = checks.map((c) => [c.id, NOW[c.onHead] ?? c.onHead, CAN[c.canFail] ?? c.canFail, c.because]);
  const where = `${path} ${from === '' ? 'of the working tree' : `of ${from.slice(0, 12)}`}, tried on ${commit.slice(0, 12)}`;
  if (sound) {
    const data = { path, from, commit, checks, remarks };
    printAnswer(cli.output, { data, text: [columns(rows), where, 'each check can fail'].join('\n') });
    return EXIT.ok;
  }
  const wrong = checks.filter((c) => c.canFail !== 'yes' || (c.onHead !== 'pass' && c.onHead !== 'not-run'));
  printFailure(cli.output, {
    code: 'UNPROVEN_CRITERIA',
    message: `${wrong.length} of ${checks.length} checks of ${path} are not shown to work: ${wrong.map(({ id }) => id).join(', ')}`,
    hint: 'a check that cannot fail checks nothing; one that fails now will block all work',
    lines: [columns(rows), ...checks.flatMap(writtenBy), where],
    details: { path, from, commit, checks, remarks },
  });
  return EXIT.failed;
}

/** The end of what a check's program wrote, where the check does not pass now. */
const writtenBy = ({ id, output }: SelfTestReport['checks'][number]): readonly string[] =>
  output.length === 0 ? [] : ['', `${id} wrote at its end:`, ...output.map((line) => `  | ${line}`), ''];
