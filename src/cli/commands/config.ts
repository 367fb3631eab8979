import { CONFIG_PATH, readConfig } from '../../engine/config.ts';
import { protocolNamed } from '../../engine/project-protocols.ts';
import { settingsFor } from '../../engine/settings.ts';
import { type Cli, withSession } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { columns, note, printAnswer } from '../print.ts';
import type { Register } from '../register.ts';

export const config: Register = (program, run) => {
  const group = program.command('config').description('how this repository works');
  group
    .command('show')
    .description('the configuration in force: the committed one, with the defaults')
    .option('--origin', 'say where each value comes from')
    .action(({ origin }: { origin?: boolean }) => run((cli) => show(cli, origin === true)));
};

function show(cli: Cli, withOrigin: boolean): Promise<ExitCode> {
  return withSession(cli, async ({ ports }) => {
    const found = await readConfig(ports);
    const settings = settingsFor(await protocolNamed(ports, found.protocol), found.settings, {});
    const values: readonly (readonly [string, string | boolean])[] = [
      ['default_branch', found.defaultBranch],
      ['protocol', found.protocol],
      ...Object.entries(settings).map(([name, value]) => [`settings.${name}`, value] as const),
      ...Object.entries(found.allowances).flatMap(([protocol, states]) =>
        Object.entries(states).map(([state, n]) => [`allowances.${protocol}.${state}`, String(n)] as const),
      ),
      ...(found.hats === undefined ? [] : [['hats', found.hats.join(', ')] as const]),
      ['projections.todo', found.projections.todo],
      ['projections.proofpacks', found.projections.proofpacks],
    ];
    const from = `${CONFIG_PATH} at ${found.commit.slice(0, 12)}`;
    const originOf = (key: string) => (found.given.includes(key) ? from : 'default');
    const rows = values.map(([key, value]) => [
      key,
      shown(key, value),
      ...(withOrigin ? [originOf(key)] : []),
    ]);
    const entries = values.map(([key, value]) => [
      key,
      withOrigin ? { value, origin: originOf(key) } : value,
    ]);
    if (found.commit === '') note(cli.output, `note: no ${CONFIG_PATH} is committed on the default branch`);
    printAnswer(cli.output, {
      data: { commit: found.commit, config: Object.fromEntries(entries) },
      text: columns(rows),
    });
    return EXIT.ok;
  });
}

function shown(key: string, value: string | boolean): string {
  if (value !== '') return String(value);
  return key === 'default_branch' ? '(detected)' : '(not written)';
}
