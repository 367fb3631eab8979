import { Command, CommanderError } from 'commander';
import type { Composition } from '../engine/composition.ts';
import { EngineError } from '../engine/engine-error.ts';
import { errorTold } from '../engine/error-told.ts';
import { COMMANDS } from './commands/index.ts';
import type { Cli } from './context.ts';
import { EXIT, type ExitCode, exitCodeOf } from './exit-code.ts';
import { asTyped, type Output, printAnswer, printFailure } from './print.ts';
import type { Run } from './register.ts';

/** The process around a command, as far as the CLI needs it. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** True when stdin is a terminal: only then may anything be asked. */
  readonly interactive: boolean;
  readonly color: boolean;
  readonly signal: AbortSignal;
}

/** Parses the words, runs the command, and answers the exit code (docs/cli.md). Never throws. */
export async function runCli(
  words: readonly string[],
  composition: Composition,
  around: Surroundings,
): Promise<ExitCode> {
  const program = new Command('countersign');
  let code: ExitCode = EXIT.ok;
  const run: Run = async (work) => {
    code = await guarded(work, program, composition, around);
  };
  const json = words.includes('--json');
  let help = '';
  // What the parser would tell people is kept for the one document of --json.
  const keep = (text: string) => {
    help += text;
  };
  setUp(program, composition.version, json ? { out: keep, err: () => {} } : around);
  for (const register of await Promise.all(loadersFor(words).map((load) => load()))) register(program, run);
  try {
    await program.parseAsync([...words], { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (json) answerParser(outputOf(program, around, true), error, composition.version, help);
    return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
}

/** Help and version are answers; a line that the parser does not take is a usage error. */
function answerParser(output: Output, error: CommanderError, version: string, help: string): void {
  if (error.exitCode !== 0) printFailure(output, usage(error));
  else printAnswer(output, { data: error.code === 'commander.version' ? { version } : { help }, text: '' });
}

/** The command of a line is one of its words, wherever the options stand; where none is, all are needed to answer. */
function loadersFor(words: readonly string[]) {
  if (words.length === 1 && words[0] === '--version') return [];
  const meant = COMMANDS.filter(({ name }) => words.includes(name));
  // What completes a command line has to know all of them, and so has what corrects one.
  const all = words.includes('completion') || !meant.some(({ name }) => name === firstOf(words));
  return (all ? COMMANDS : meant).map(({ load }) => load);
}

/** The word that should be a command: the first that is no option, nor the value of one. */
const firstOf = (words: readonly string[]): string =>
  words.find((word, n) => !word.startsWith('-') && words[n - 1] !== '--actor') ?? '';

function setUp(program: Command, version: string, { out, err }: Pick<Surroundings, 'out' | 'err'>): void {
  program
    .description('Nothing is done until someone else confirms it.')
    .version(version, '--version', 'print the version')
    .option('--json', 'answer with one JSON document on stdout')
    .option('--quiet', 'no remarks and no progress on stderr')
    .option('--no-color', 'no colours')
    .option('--actor <name>', 'act as this actor, by its token on this machine (or COUNTERSIGN_ACTOR)')
    .showSuggestionAfterError(true)
    .showHelpAfterError('see: countersign help')
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: err })
    .addHelpText('after', HELP_END);
}

async function guarded(
  work: (cli: Cli) => Promise<ExitCode>,
  program: Command,
  composition: Composition,
  around: Surroundings,
): Promise<ExitCode> {
  const options = program.opts<{ json?: boolean; quiet?: boolean; color: boolean; actor?: string }>();
  const output = outputOf(program, around, options.json === true);
  try {
    return await work({
      composition,
      output,
      actor: namedActor(options.actor, around.env.COUNTERSIGN_ACTOR),
      get interactive() {
        return around.interactive;
      },
      session: around.env.COUNTERSIGN_SESSION ?? around.env.CURRENT_SESSION_ID ?? '',
      env: around.env,
      get signal() {
        return around.signal;
      },
    });
  } catch (error) {
    const { code, message, hint } = errorTold(error);
    const typed = hint.startsWith('countersign ') ? asTyped(output, hint) : hint;
    printFailure(output, { code, message, hint: typed, lines: [], details: {} });
    return exitCodeOf(code);
  }
}

/** Who is named to act, '' for the person. An empty name is most often a variable that was not set: it names nobody. */
function namedActor(option: string | undefined, variable: string | undefined): string {
  const name = option ?? variable;
  if (name?.trim() !== '') return name ?? '';
  throw option === undefined
    ? new EngineError(
        'BAD_INPUT',
        'COUNTERSIGN_ACTOR is empty, which names no actor',
        'name the actor in it, or to act as the person run: unset COUNTERSIGN_ACTOR',
      )
    : new EngineError(
        'BAD_INPUT',
        '--actor is empty, which names no actor',
        'name the actor with --actor NAME, or leave the option out to act as the person',
      );
}

function outputOf(program: Command, around: Surroundings, json: boolean): Output {
  const { quiet, color, actor } = program.opts<{ quiet?: boolean; color: boolean; actor?: string }>();
  return {
    json,
    quiet: quiet === true,
    as: actor ?? '',
    get color() {
      return color && around.color;
    },
    out: around.out,
    err: around.err,
  };
}

const usage = (error: CommanderError) => ({
  code: 'usage',
  message: error.code === 'commander.help' ? 'no command was given' : error.message.replace(/^error: /, ''),
  hint: 'countersign help',
  lines: [],
  details: {},
});

const HELP_END = `
Examples:
  countersign add "Implement login screen"        a new item
  countersign claim T-1                            the work at HEAD is said to be finished
  countersign verify T-1                           the engine runs the criteria on a clean checkout
  countersign next                                 what you may do now

Exit codes: 0 ok, 1 internal, 2 usage, 3 refused by a gate, 4 checks failed, 5 not found,
6 conflict or wrong state, 7 not permitted, 8 unavailable, 130 interrupted`;
