import { addActor, removeActor, setRoles } from '../../engine/actors.ts';
import { EngineError } from '../../engine/engine-error.ts';
import { readRoster } from '../../engine/roster.ts';
import { type Cli, type Session, withSession } from '../context.ts';
import { EXIT, type ExitCode, exitCodeOf } from '../exit-code.ts';
import { asTyped, columns, printAnswer, printFailure } from '../print.ts';
import type { Register } from '../register.ts';

interface AddOptions {
  readonly role: readonly string[];
  readonly kind: string;
  readonly parent: string;
}

export const actor: Register = (program, run) => {
  const group = program.command('actor').description('who works here, in which roles');
  group
    .command('add <name>')
    .description('register an agent or a person')
    .option('--role <roles...>', 'roles it holds', [])
    .option('--kind <kind>', 'agent or human', 'agent')
    .option('--parent <name>', 'agent that answers for it: one lineage, one pair of eyes', '')
    .action((name: string, options: AddOptions) =>
      run((cli) => withSession(cli, (s) => add(cli, s, name, options))),
    );
  group
    .command('list')
    .description('everybody, also those who left')
    .action(() => run((cli) => withSession(cli, (session) => list(cli, session))));
  group
    .command('roles <name>')
    .description('give an actor exactly these roles; without --role none')
    .option('--role <roles...>', 'roles it holds from now on', [])
    .action((name: string, { role }: { role: readonly string[] }) =>
      run((cli) =>
        withSession(cli, async ({ ports, caller }) =>
          answerRoster(cli, await setRoles(ports, caller, name, role), {
            data: { id: name, roles: role },
            text: `${name} now holds ${role.join(', ') || 'no role'}`,
          }),
        ),
      ),
    );
  group
    .command('passphrase <name>')
    .description(
      'what a person is known by to a server of this store (countersign serve); asked for at the terminal',
    )
    .option('--stdin', 'read it from standard input')
    .action((name: string, { stdin }: { stdin?: boolean }) =>
      run((cli) => withSession(cli, (session) => passphrase(cli, session, name, stdin === true))),
    );
  group
    .command('retire <name>')
    .description('end an actor and its tokens for good; its lineage still counts')
    .action((name: string) =>
      run((cli) =>
        withSession(cli, async ({ ports, caller }) =>
          answerRoster(cli, await removeActor(ports, caller, name), {
            data: { id: name, retired: true },
            text: `${name} is retired`,
          }),
        ),
      ),
    );
};

async function passphrase(
  cli: Cli,
  { ports, caller, credentials }: Session,
  name: string,
  stdin: boolean,
): Promise<ExitCode> {
  const { roster } = await readRoster(ports);
  const member = roster.members.get(name);
  if (caller.actor.kind !== 'human')
    throw new EngineError('NO_CREDENTIAL', `only a person may do this, ${caller.actor.id} is an agent`);
  if (member === undefined || member.kind !== 'human' || member.retired)
    throw new EngineError('NOT_FOUND', `there is no person ${name} here`, 'see: countersign actor list');
  const typed = stdin
    ? cli.composition.files
        .read('-')
        .toString('utf8')
        .replace(/\r?\n$/, '')
    : await cli.composition.askPassphrase(name);
  if (typed === undefined)
    throw new EngineError('BAD_INPUT', 'no passphrase was given', 'type it at a terminal, or give --stdin');
  await credentials.keepPassphrase(name, typed);
  printAnswer(cli.output, {
    data: { id: name, passphrase: 'kept' },
    text: `servers of this store know ${name} by this passphrase from now on`,
  });
  return EXIT.ok;
}

async function add(
  cli: Cli,
  { ports, caller }: Session,
  name: string,
  options: AddOptions,
): Promise<ExitCode> {
  const { role: roles, kind, parent } = options;
  if (kind !== 'agent' && kind !== 'human') {
    throw new EngineError('BAD_INPUT', `there is no kind ${kind} of actors`, 'known: agent, human');
  }
  const above = parent === '' && kind === 'agent' && caller.actor.kind === 'agent' ? caller.actor.id : parent;
  const added = await addActor(ports, caller, { id: name, kind, roles, parent: above });
  const next =
    kind === 'agent'
      ? `next: ${asTyped(cli.output, `countersign token issue ${name}`)}`
      : `${name} acts with --actor ${name}; nothing here proves who types it`;
  const bare = kind === 'agent' ? 'it may only look' : 'it does what a person may';
  const may = roles.length > 0 ? ` (${roles.join(', ')})` : `, without a role: ${bare}`;
  return answerRoster(cli, added, {
    data: { id: name, kind, roles, parent: above },
    text: `${name} registered as ${kind}${may}\n${next}`,
  });
}

async function list(cli: Cli, { ports }: Session): Promise<ExitCode> {
  const { roster } = await readRoster(ports);
  const actors = [...roster.members.values()].map(({ id, kind, roles, parent, retired }) => {
    return { id, kind, roles, parent, retired };
  });
  const rows = actors.map((a) => [
    a.id,
    a.kind,
    a.roles.join(', ') || 'no role',
    [a.parent === '' ? '' : `child of ${a.parent}`, a.retired ? 'retired' : ''].filter(Boolean).join(', '),
  ]);
  printAnswer(cli.output, { data: { actors }, text: columns(rows) });
  return EXIT.ok;
}

/** What the roster answered: its refusals are values, each with its own exit code. */
export function answerRoster(
  cli: Cli,
  answer:
    | { readonly ok: true }
    | { readonly ok: false; readonly code: string; readonly because: string; readonly hint?: string },
  done: { readonly data: unknown; readonly text: string },
): ExitCode {
  if (answer.ok) {
    printAnswer(cli.output, done);
    return EXIT.ok;
  }
  const { code, because, hint = HINTS[code] ?? '' } = answer;
  printFailure(cli.output, { code, message: because, hint, lines: [], details: {} });
  return exitCodeOf(code);
}

const HINTS: { readonly [code: string]: string } = {
  unknown: 'see who is here: countersign actor list, countersign token list',
  taken: 'choose another name',
  reserved: 'choose another name',
  'bad-id': 'choose a name like build-agent-2',
  'bad-parent': 'see who is here: countersign actor list',
  'bad-time': 'give a time like 2030-01-31T12:00:00Z, or none',
  retired: 'register another actor: countersign actor add NAME',
  'bad-roles': 'see the roles: countersign protocol show two-phase',
  'not-allowed': 'ask a person to run it',
  exceeds: 'see who holds which role: countersign actor list',
  person: 'a person confirms at a terminal instead',
};
