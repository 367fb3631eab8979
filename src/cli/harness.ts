import { createInterface } from 'node:readline/promises';
import type { Opened } from '../engine/composition.ts';
import { EngineError } from '../engine/engine-error.ts';
import type { Change } from '../engine/harness/change.ts';
import type { Pair } from '../engine/harness/installation.ts';
import type { Cli } from './context.ts';

/** The coding agents whose files are known. */
export const HARNESSES = ['claude-code'] as const;

export function assertKnown(harness: string): void {
  if ((HARNESSES as readonly string[]).includes(harness)) return;
  throw new EngineError('BAD_INPUT', `${harness} is not known here`, `known: ${HARNESSES.join(', ')}`);
}

/** What the files of Claude Code would become, or become without us. Nothing is written. */
export async function harnessChanges(
  cli: Cli,
  pair: Pair,
  part: 'withOurs' | 'without',
): Promise<{ readonly changes: readonly Change[]; readonly shared: boolean }> {
  const [{ claudeCodeFiles }, { installationAt }, { planned }, { originalsIn }, { workflowOf }] =
    await Promise.all([
      import('../engine/harness/claude-code.ts'),
      import('../engine/harness/installation.ts'),
      import('../engine/harness/plan.ts'),
      import('../engine/harness/originals.ts'),
      import('../engine/harness/workflow.ts'),
    ]);
  const { top, state } = cli.composition.locate();
  // What is taken out is known by its marks, whatever the configuration says by now.
  const workflow = part === 'withOurs' ? workflowOf((await cli.composition.config()).protocol) : undefined;
  const installation = installationAt(top, cli.composition.program, pair, workflow);
  // What an installation of the other kind wrote goes with it.
  const files =
    part === 'without'
      ? [
          ...claudeCodeFiles(installation),
          ...claudeCodeFiles({
            ...installation,
            shared: !installation.shared,
            workflow: workflowOf('staged'),
          }),
        ]
      : claudeCodeFiles(installation);
  const distinct = files.filter((file, i) => files.findIndex(({ path }) => path === file.path) === i);
  return { changes: planned(top, distinct, part, originalsIn(state, top)), shared: installation.shared };
}

/** The two agents, each with a credential of its own. */
export async function enlistPair(opened: Opened, caller: string, { builder, verifier }: Pair) {
  const [{ enlist }, { workflowOf }, { readRoster }, { readConfig }] = await Promise.all([
    import('../engine/enlist.ts'),
    import('../engine/harness/workflow.ts'),
    import('../engine/roster.ts'),
    import('../engine/config.ts'),
  ]);
  const parts = workflowOf((await readConfig(opened.ports)).protocol);
  const { roster } = await readRoster(opened.ports);
  for (const [id, role] of [
    [builder, parts.builder.roles[0]],
    [verifier, parts.verifier.roles[0]],
  ] as const) {
    const roles = roster.members.get(id)?.roles ?? [role];
    if (roles.includes(role)) continue;
    const message = `${id} is here already, as ${roles.join(', ') || 'nobody in particular'}, and has to be a ${role}`;
    throw new EngineError('BAD_INPUT', message, 'countersign init --with claude-code --agents OTHER,NAMES');
  }
  return [
    { id: builder, ...(await enlist(opened, caller, builder, parts.builder.roles)) },
    { id: verifier, ...(await enlist(opened, caller, verifier, parts.verifier.roles)) },
  ];
}

/** Writes the changes, and keeps what the files were before. */
export async function written({ composition }: Cli, changes: readonly Change[]): Promise<void> {
  const [{ carryOut }, { keepOriginals }] = await Promise.all([
    import('../engine/harness/plan.ts'),
    import('../engine/harness/originals.ts'),
  ]);
  const { top, state } = composition.locate();
  if (changes.length > 0) keepOriginals(state, top, changes);
  carryOut(top, changes);
}

/** Hooks are a person's to take out: an agent that works under them does not. Throws NO_CREDENTIAL. */
export async function assertPerson({ composition, actor }: Cli): Promise<void> {
  if (actor === '') return;
  const { callerOf } = await import('../engine/credential.ts');
  const opened = await composition.open();
  try {
    const { actor: who } = await callerOf(opened, actor);
    if (who.kind === 'human') return;
    const message = `${who.id} is an agent, and hooks are a person's to take out`;
    throw new EngineError('NO_CREDENTIAL', message, 'a person runs: countersign uninstall');
  } finally {
    await opened.ports.store.close();
  }
}

export async function diffOf(changes: readonly Change[]): Promise<string> {
  const { diffText } = await import('../engine/harness/plan.ts');
  return changes.map(diffText).join('\n');
}

/**
 * Lets the person see what would be written before it is. Throws BAD_INPUT where nobody can be asked and nothing was
 * agreed to, and for a no; `again` is the command with its agreement.
 */
export async function agreed(cli: Cli, diff: string, isAgreed: boolean, again: string): Promise<void> {
  if (isAgreed) return;
  if (!cli.interactive)
    throw new EngineError('BAD_INPUT', `this would be written:\n${diff}\nnothing was`, again);
  cli.output.err(`${diff}\n`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await lines.question('Write this? [y/N] ');
    if (/^y(es)?$/i.test(answer.trim())) return;
  } finally {
    lines.close();
  }
  throw new EngineError('BAD_INPUT', 'nothing was written', again);
}
