import { userInfo } from 'node:os';
import type { Opened } from '../../engine/composition.ts';
import { EngineError } from '../../engine/engine-error.ts';
import type { Cli } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { harnessOf } from '../init-harness.ts';
import { printAnswer } from '../print.ts';
import type { Register } from '../register.ts';

interface Options {
  readonly owner?: string;
  readonly dryRun?: boolean;
  readonly agents?: string;
  readonly with?: string;
  readonly yes?: boolean;
}

export const init: Register = (program, run) => {
  program
    .command('init')
    .description('make the store of this repository, with you as its first person, and propose criteria')
    .option('--owner <name>', 'name of the first person; your user name unless given')
    .option('--agents <names>', 'two agents with tokens: the one that builds, the one that has it verified')
    .option('--with <agent>', 'also write the hooks, servers and agents of a coding agent: claude-code')
    .option('--dry-run', 'show what would be written, write nothing')
    .option('--yes', 'with --with: write without asking')
    .action((options: Options) => run((cli) => initialise(cli, options)));
};

async function initialise(cli: Cli, options: Options): Promise<ExitCode> {
  const { assertOwner, proposeFirstFiles, writeFirstFiles } = await import('../../engine/first-files.ts');
  const { top } = cli.composition.locate();
  const owner = await ownerOf(options);
  assertOwner(owner);
  const agents = agentNames(options.agents);
  const harness = await harnessOf(cli, options, agents);
  const {
    files,
    found,
    notes: proposed,
    judged,
  } = await proposeFirstFiles(top, () => cli.composition.config());
  const { there, lost } = await storeOf(cli);
  const notes = [...lost, ...proposed];
  const fresh = files.filter((file) => !file.exists);
  if (options.dryRun === true) {
    const created = !there;
    printAnswer(cli.output, {
      data: {
        ...{ dry_run: true, created, owner, found, files: fresh.map(({ path, text }) => ({ path, text })) },
        ...(harness === undefined ? {} : { diff: harness.diff }),
      },
      text: [
        created ? `would make the store, with ${owner} as its first person` : 'the store is there already',
        ...fresh.flatMap(({ path, text }) => ['', `would write ${path}:`, ...indented(text)]),
        ...(fresh.length === 0 ? ['would write no file'] : []),
        ...(harness === undefined ? [] : ['', harness.diff || `${options.with} is told everything already`]),
        ...notes.map((note) => `note: ${note}`),
      ].join('\n'),
    });
    return EXIT.ok;
  }
  await harness?.agree();
  const opened = await cli.composition.create(owner);
  try {
    const wrote = writeFirstFiles(top, files);
    const told = await harness?.write(opened);
    const team = told !== undefined || agents.length === 0 ? [] : await registerTeam(cli, opened, agents);
    const { created, places } = opened;
    printAnswer(cli.output, {
      data: { created, state: places.state, found, wrote, notes, agents: team, ...told?.data },
      text: [
        ...storeLines(opened, owner, wrote, judged ? undefined : found),
        ...notes.map((note) => `note: ${note}`),
        ...teamLines(team),
        ...(told?.lines ?? []),
        ...nextSteps(wrote),
      ].join('\n'),
    });
    return EXIT.ok;
  } finally {
    await opened.ports.store.close();
  }
}

async function ownerOf({ owner }: Options): Promise<string> {
  if (owner !== undefined) return owner;
  const { fittingName } = await import('../../engine/first-files.ts');
  try {
    return fittingName(userInfo().username);
  } catch {
    // A user id without an entry in the user database has no name.
    return fittingName('');
  }
}

/** Whether there is a store; `lost` tells of one that somebody took away. */
async function storeOf({ composition }: Cli) {
  try {
    const { ports } = await composition.open();
    await ports.store.close();
    return { there: true, lost: [] };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === 'NOT_INITIALISED') return { there: false, lost: [] };
    if (code === 'STORE_GONE') return { there: false, lost: [message] };
    throw error;
  }
}

function agentNames(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const names = text.split(',').map((name) => name.trim());
  if (names.length === 2 && !names.includes('') && names[0] !== names[1]) return names;
  throw new EngineError(
    'BAD_INPUT',
    '--agents takes two names',
    'countersign init --agents builder,verifier',
  );
}

interface Teammate {
  readonly id: string;
  readonly role: string;
  readonly created: boolean;
  readonly token: string;
}

const TEAM_ROLES = ['specialist', 'verification-agent'] as const;

async function registerTeam(
  cli: Cli,
  opened: Opened,
  names: readonly string[],
): Promise<readonly Teammate[]> {
  const { enlist } = await import('../../engine/enlist.ts');
  const team: Teammate[] = [];
  for (const [i, id] of names.entries()) {
    const role = TEAM_ROLES[i] ?? TEAM_ROLES[0];
    team.push({ id, role, ...(await enlist(opened, cli.actor, id, [role])) });
  }
  return team;
}

function storeLines(
  { created, places, storePlace }: Opened & { readonly created: boolean },
  owner: string,
  wrote: readonly string[],
  found: readonly string[] | undefined,
): readonly string[] {
  const store = created
    ? `store made in ${storePlace.startsWith(places.state) ? places.state : storePlace}, with ${owner} as its first person`
    : 'this repository has its store already; nothing of it was changed';
  const checks =
    found === undefined || wrote.length === 0
      ? []
      : found.length > 0
        ? [`recognised checks: ${found.join(', ')}`]
        : [
            'no tests were recognised, so no criteria were written: until there are some nothing can be verified',
          ];
  return [store, ...wrote.map((path) => `wrote ${path}`), ...checks];
}

function teamLines(team: readonly Teammate[]): readonly string[] {
  const [builder, verifier] = team;
  if (builder === undefined || verifier === undefined) return [];
  return [
    ...team.map((m) => `${m.id} (${m.role}) ${m.created ? 'registered' : 'was registered before'}`),
    'From now on the work has several hands:',
    `  ${builder.id} builds:     countersign --actor ${builder.id} claim T-1`,
    `  ${verifier.id} verifies:  countersign --actor ${verifier.id} verify T-1`,
    '  you give out work, acknowledge failures and complete: countersign next',
  ];
}

function nextSteps(wrote: readonly string[]): readonly string[] {
  if (wrote.length === 0) return ['next: countersign add "TITLE"'];
  return [
    'next: look the files over, then commit them on the default branch, and push them if there is a remote:',
    `  git add ${wrote.join(' ')} && git commit -m "Add Countersign criteria"`,
    '  countersign add "TITLE"',
  ];
}

const indented = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`);
