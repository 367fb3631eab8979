import { sha256Hex } from '../../attestation/digest.ts';
import type { Caller } from '../../engine/caller.ts';
import { EngineError } from '../../engine/engine-error.ts';
import { type Handle, loadItem } from '../../engine/handle.ts';
import { STEP, type StepOutcome, type StepRequest, step } from '../../engine/step.ts';
import { todoOf } from '../../engine/todo.ts';
import { mayTake } from '../../kernel/decide.ts';
import { expand } from '../../kernel/protocol.ts';
import { answerOutcome } from '../answer.ts';
import { type Cli, confirmed, type Session, withSession } from '../context.ts';
import type { ExitCode } from '../exit-code.ts';
import { nextText } from '../guide.ts';
import { note } from '../print.ts';
import type { Register } from '../register.ts';

interface Options {
  readonly to?: string;
  readonly reason: string;
  readonly guidance?: string;
  readonly commit?: string;
  readonly evidence: readonly string[];
  readonly change: boolean;
  readonly arg: readonly string[];
  readonly confirm?: boolean;
}

export const move: Register = (program, run) => {
  program
    .command('move <item> <command>')
    .description("take a step of the item's own protocol; `countersign next` names it")
    .option('--to <name>', 'the actor or the state that it names')
    .option('--reason <text>', 'why', '')
    .option('--guidance <text>', 'what to do otherwise, for whoever works on it next')
    .option('--commit <commit>', 'the commit that holds the work')
    .option('--evidence <paths...>', 'evidence files, as PATH or TYPE=PATH', [])
    .option('--no-change', 'claim that nothing had to change')
    .option('--arg <name=value...>', 'further arguments of the step', [])
    .option('--confirm', 'confirm it as a person at the terminal')
    .action((ref: string, command: string, options: Options) =>
      run((cli) => moveItem(cli, requestOf(ref, command, options), options.confirm === true)),
    );
};

function requestOf(ref: string, command: string, options: Options): StepRequest {
  const { to, reason, guidance, commit = '', evidence, change, arg } = options;
  const pairs = arg.map((pair) => {
    const at = pair.indexOf('=');
    if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)] as const;
    throw new EngineError('BAD_INPUT', `${pair} is no argument`, 'write --arg NAME=VALUE');
  });
  const given = {
    ...Object.fromEntries(pairs),
    ...(to === undefined ? {} : { to }),
    ...(guidance === undefined ? {} : { guidance }),
    ...(commit === '' ? {} : { commit }),
  };
  return { ...STEP, ref, command, reason, arguments: given, commit, evidence, noChange: !change };
}

/** Takes the step, and tells what came of it. */
export function moveItem(cli: Cli, request: StepRequest, confirm = false): Promise<ExitCode> {
  return withSession(cli, async (session) => {
    const take: Take = (actor, confirms) => step(session.ports, actor, request, confirms);
    const outcome = await takeStep(cli, session, request, take, confirm);
    return answerOutcome(
      cli.output,
      outcome,
      (done) => ({
        data: { ...todoOf(done.handle), warnings: outcome.warnings },
        text: [
          `${done.handle.display} ${request.command}: ${done.handle.item.state}`,
          ...nextText(done.handle, done.options, cli.output),
        ].join('\n'),
      }),
      request.command,
    );
  });
}

type Take = (caller: Caller, confirms: (handle: Handle) => string) => Promise<StepOutcome>;

/** Has a step taken, after the person at the terminal was asked where only a person may take it. Tells its warnings. */
export async function takeStep(
  cli: Cli,
  { ports, caller }: Session,
  request: StepRequest,
  take: Take,
  confirm = false,
): Promise<StepOutcome> {
  const handle = await loadItem(ports, request.ref);
  const asked = confirm || onlyAsPerson(handle, request, caller);
  const shown = shownOf(handle, request);
  const actor =
    asked && caller.actor.kind === 'human'
      ? await confirmed(cli, caller, {
          title: `${request.command}: ${handle.display} ${handle.item.title}`,
          shown,
          digest: sha256Hex(shown),
          purpose: `${request.command} ${handle.id}/${handle.item.version}`,
        })
      : caller;
  const outcome = await take(actor, (present) => sha256Hex(shownOf(present, request)));
  for (const warning of outcome.warnings) note(cli.output, `note: ${warning}`);
  return outcome;
}

const shownOf = ({ display, item }: Handle, request: StepRequest): string =>
  [
    `${display} ${item.title}`,
    `state ${item.state}, version ${item.version}`,
    `${request.command} ${JSON.stringify(request.arguments)}`,
    ...(request.reason === '' ? [] : [`because: ${request.reason}`]),
  ].join('\n');

/** The rows of the command are open to nobody but a person who proves to be one. */
export function onlyAsPerson(
  { protocol, item }: Handle,
  { command }: StepRequest,
  { actor }: Caller,
): boolean {
  const rows = protocol.rows.filter(
    (row) => row.command === command && expand(protocol, row.from).includes(item.state),
  );
  const may = (by: readonly string[]) => mayTake(protocol, by, item.state, { actor, proof: undefined });
  return rows.some(({ by }) => by.includes('human')) && !rows.some(({ by }) => may(by));
}
