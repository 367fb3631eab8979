import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Fields } from '../fields.ts';
import { parserOf, type ReportFormat, reportFormats } from '../parsers/index.ts';
import { type ProcessResult, runProcess } from '../process.ts';
import type { Report } from '../report.ts';
import { parseDuration, parseSize } from '../units.ts';
import { type CheckContext, type CheckResult, plainResult } from './check.ts';
import { innerPath, insideCheckout } from './inside.ts';
import { countsOf, type Judgement, judgeEnd, judgeExit, judgeMissing, judgeReport } from './judge.ts';
import { againIfKilled, killedTwice } from './killed.ts';

/** Runs a program; its exit code and its own report must agree. */
export interface CommandCheck {
  readonly id: string;
  readonly kind: 'command';
  /** Without a shell, unless the criteria asked for one: then this is the shell with its script. */
  readonly argv: readonly string[];
  readonly format: ReportFormat | 'exit';
  /** A file of the checkout that the program writes; '' reads the standard output. */
  readonly reportPath: string;
  readonly timeoutMs: number;
  readonly maxOutput: number;
  readonly minTests: number;
  /** Relative to the checkout; '' is its top. */
  readonly directory: string;
  /** Patterns of all the files that decide how it ends; none when it is to run every time. */
  readonly inputs: readonly string[];
  /** Runs in a checkout of its own, beside the checks that share one. */
  readonly apart: boolean;
}

/** Reads a command check from criteria; problems go to the fields. */
export function readCommandCheck(id: string, fields: Fields): CommandCheck {
  const report = fields.child('report');
  if (report === undefined && !fields.has('report'))
    fields.problem('report', 'is missing; for the exit code alone say {format: exit}');
  const format = report?.choice('format', ['exit', ...reportFormats]) ?? 'exit';
  const reportPath = innerPath(report, 'path');
  if (format === 'exit' && reportPath !== '') report?.problem('path', 'has no use with the format exit');
  report?.finish();
  if (format === 'exit' && fields.has('min_tests'))
    fields.problem('min_tests', 'needs a report format that names tests');
  return {
    id,
    kind: 'command',
    argv: readArgv(fields),
    format,
    reportPath,
    timeoutMs: fields.measure('timeout', 600_000, parseDuration, '120s or 10m'),
    maxOutput: fields.measure('max_output', 10_000_000, parseSize, '10MB or 512KiB'),
    minTests: Math.max(1, fields.integer('min_tests', 1)),
    directory: innerPath(fields, 'directory'),
    inputs: fields.has('inputs') ? fields.texts('inputs') : [],
    apart: fields.flag('apart', false),
  };
}

function readArgv(fields: Fields): readonly string[] {
  if (fields.flag('shell', false)) return ['/bin/sh', '-c', fields.text('run')];
  if (typeof fields.raw('run') !== 'string') return fields.texts('run');
  fields.problem('run', 'must be a list of words; a text is only run with shell: true');
  return [];
}

/** One run of a command, with its report where the format names tests. */
export interface Reported {
  readonly ended: ProcessResult;
  readonly report: Report | undefined;
}

/** What a command needs of its surroundings: of a whole check's context, or of a tree that a check made itself. */
export type Place = Pick<CheckContext, 'checkout' | 'env' | 'isolation' | 'signal'>;

/** Runs it in the shared checkout, or in one of its own where the criteria say so. */
export async function runCommandCheck(
  check: CommandCheck,
  context: Place & Pick<CheckContext, 'trees'>,
): Promise<CheckResult> {
  if (!check.apart) return runIn(check, context);
  const tree = await context.trees.fresh('head', async () => {});
  if (!('cause' in tree)) return runIn(check, { ...context, ...tree });
  return {
    ...nothingRan(check, `its checkout could not be prepared: ${tree.cause}`),
    outcome: 'indeterminate',
  };
}

/** A report that lies there beforehand is removed, so that only this run can have written it. */
async function runIn(check: CommandCheck, context: Place): Promise<CheckResult> {
  const { told: run, killed } = await againIfKilled(() => runReported(check, context));
  if ('fault' in run) return nothingRan(check, run.fault);
  if (!killed) return resultOf(check, run, judgeReported(check, run));
  return resultOf(check, run, { outcome: 'fail', reason: 'run-incomplete', explanation: killedTwice(run) });
}

/** The run alone, not judged yet; `fault` says why nothing could be started. */
export async function runReported(
  check: CommandCheck,
  place: Place,
): Promise<Reported | { readonly fault: string }> {
  const folder = insideCheckout(place.checkout, check.directory);
  if (!folder?.stat.isDirectory()) return { fault: `there is no folder ${check.directory}` };
  if (check.reportPath !== '' && !clear(place.checkout, check.reportPath))
    return { fault: `the report's place ${check.reportPath} leads out of the checkout` };
  const running = runProcess({
    argv: check.argv,
    cwd: folder.path,
    env: place.env,
    timeoutMs: check.timeoutMs,
    maxOutput: check.maxOutput,
    signal: place.signal,
    wrap: place.isolation.wrap,
  });
  // The parser is loaded in the time that the program takes.
  const parser = check.format === 'exit' ? undefined : await parserOf(check.format);
  const ended = await running;
  return { ended, report: parser && readReport(check, parser, place.checkout, ended) };
}

/** Exit code and report must agree. */
export function judgeReported(check: CommandCheck, { ended, report }: Reported): Judgement {
  const early = judgeEnd(ended, check.argv[0] ?? '', check.timeoutMs, check.maxOutput);
  if (early !== undefined) return early;
  const missing = report === undefined ? judgeMissing(check.argv, ended) : undefined;
  if (missing !== undefined) return missing;
  const exitCode = ended.exitCode ?? -1;
  return check.format === 'exit'
    ? judgeExit(exitCode)
    : judgeReport(exitCode, report, check.minTests, ended.output);
}

function readReport(
  check: CommandCheck,
  parser: (text: string) => Report | undefined,
  checkout: string,
  ended: ProcessResult,
): Report | undefined {
  const text = check.reportPath === '' ? ended.stdout.toString('utf8') : fileText(checkout, check);
  const report = text === undefined ? undefined : parser(text);
  // The checkout lies somewhere else each time; a test must keep its id.
  const at = (name: string) => name.replaceAll(`${checkout}/`, '');
  return (
    report && {
      ...report,
      tests: report.tests.map((test) => ({
        ...test,
        id: at(test.id),
        name: at(test.name),
        ...(test.file === undefined ? {} : { file: at(test.file) }),
      })),
    }
  );
}

function fileText(checkout: string, check: CommandCheck): string | undefined {
  const found = insideCheckout(checkout, check.reportPath);
  if (!found?.stat.isFile() || found.stat.size > check.maxOutput) return undefined;
  return readFileSync(found.path, 'utf8');
}

/** False when the way to the file leads out of the checkout. */
function clear(checkout: string, path: string): boolean {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  const full = join(checkout, path);
  if (insideCheckout(checkout, folder) === undefined) {
    // A folder that is not there yet is fine; one that is there and leads elsewhere is not.
    return folder === '' || lstatSync(join(checkout, folder), { throwIfNoEntry: false }) === undefined;
  }
  rmSync(full, { recursive: true, force: true });
  return true;
}

/** Parsed tests say more than an exit code. */
export const commandStrength = (check: CommandCheck): CheckResult['strength'] =>
  check.format === 'exit' ? 'exit-code-only' : 'tests';

const resultOf = (check: CommandCheck, { ended, report }: Reported, judgement: Judgement): CheckResult => ({
  ...plainResult,
  id: check.id,
  kind: check.kind,
  ...judgement,
  strength: commandStrength(check),
  shows: check.format === 'exit' ? [] : ['tests'],
  durationMs: ended.durationMs,
  exitCode: ended.exitCode,
  tests: report === undefined ? null : countsOf(report),
  output: ended.output,
  outputTruncated: ended.overflowed,
});

const nothingRan = (check: CommandCheck, explanation: string): CheckResult => ({
  ...plainResult,
  id: check.id,
  kind: check.kind,
  outcome: 'fail',
  explanation,
  strength: commandStrength(check),
});
