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
  const { problems, checks } = await criteriaProblems(readInput(path), path);
  if (problems.length > 0) return malformed(cli, path, problems);
  const told =
    checks.length === 0 ? 'has no checks yet: nothing can be verified by it' : `checks: ${checks.join(', ')}`;
  const name = /([^/\\]+)\.ya?ml$/.exec(path)?.[1] ?? 'default';
  const hint = `whether each can fail: countersign criteria check ${name}`;
  printAnswer(cli.output, { data: { path, checks }, text: `${path} is well-formed; ${told}\n${hint}` });
  return EXIT.ok;
}

function malformed(cli: Cli, path: string, problems: readonly string[]): ExitCode {
  printFailure(cli.output, {
    code: 'BAD_CRITERIA',
    message: `${path} is no valid criteria file`,
    hint: 'docs/formats/criteria.md',
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

function answer(cli: Cli, { path, from, commit, checks, sound }: SelfTestReport): ExitCode {
  const rows = checks.map((c) => [c.id, NOW[c.onHead] ?? c.onHead, CAN[c.canFail] ?? c.canFail, c.because]);
  const where = `${path} ${from === '' ? 'of the working tree' : `of ${from.slice(0, 12)}`}, tried on ${commit.slice(0, 12)}`;
  if (sound) {
    const data = { path, from, commit, checks };
    printAnswer(cli.output, { data, text: [columns(rows), where, 'each check can fail'].join('\n') });
    return EXIT.ok;
  }
  const wrong = checks.filter((c) => c.canFail !== 'yes' || (c.onHead !== 'pass' && c.onHead !== 'not-run'));
  printFailure(cli.output, {
    code: 'UNPROVEN_CRITERIA',
    message: `${wrong.length} of ${checks.length} checks of ${path} are not shown to work: ${wrong.map(({ id }) => id).join(', ')}`,
    hint: 'a check that cannot fail checks nothing; one that fails now will block all work',
    lines: [columns(rows), where],
    details: { path, from, commit, checks },
  });
  return EXIT.failed;
}
