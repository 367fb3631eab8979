import { EngineError } from '../../engine/engine-error.ts';
import { brokenProtocols, everyProtocol } from '../../engine/project-protocols.ts';
import { todoOf } from '../../engine/todo.ts';
import type { Finding, Report } from '../../kernel/check/report.ts';
import type { Protocol } from '../../kernel/protocol.ts';
import { BUILT_IN, builtIn } from '../../protocols/index.ts';
import { setupOf } from '../../protocols/setups.ts';
import type { Cli } from '../context.ts';
import { withSession } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { columns, note, printAnswer, printFailure } from '../print.ts';
import type { Register } from '../register.ts';

const FORMATS = ['table', 'mermaid', 'json', 'xstate'];

export const protocol: Register = (program, run) => {
  const group = program.command('protocol').description('the tables that decide what may happen to an item');
  group
    .command('list')
    .description('the protocols that ship with the engine, and the project’s own')
    .action(() =>
      run(async (cli) => {
        const { all, broken } = await everything(cli);
        const protocols = all.map(({ name, version, meaning }) => ({ name, version, meaning }));
        const text = columns(protocols.map((p) => [p.name, p.version, p.meaning]));
        for (const { message } of broken) note(cli.output, `note: unusable: ${message}`);
        const unusable = broken.map(({ message }) => message);
        printAnswer(cli.output, { data: { protocols, ...(broken.length === 0 ? {} : { unusable }) }, text });
        return EXIT.ok;
      }),
    );
  group
    .command('show <protocol>')
    .description('one protocol, by name or from a file')
    .option('--format <format>', `one of ${FORMATS.join(', ')}`, 'table')
    .action((name: string, { format }: { format: string }) => run((cli) => show(cli, name, format)));
  group
    .command('allows <protocol> <from> <to>')
    .description('whether any step leads from one state to another, by the table alone; 6 where none does')
    .action((name: string, from: string, to: string) => run((cli) => allows(cli, name, from, to)));
  group
    .command('migrate <item>')
    .description('replace an item by a new one under the present version of its protocol, or under another')
    .option('--to <protocol>', 'the protocol; its own unless given', '')
    .requiredOption('--reason <text>', 'why; both items keep it')
    .action((ref: string, { to, reason }: { to: string; reason: string }) =>
      run((cli) =>
        withSession(cli, async ({ ports, caller }) => {
          const { migrate } = await import('../../engine/migrate.ts');
          const moved = await migrate(ports, caller, { ref, to, reason });
          const { name, version } = moved.to.protocol;
          const text = `${moved.from.display} was replaced by ${moved.to.display} under ${name} ${version}: it begins anew`;
          printAnswer(cli.output, { data: { from: todoOf(moved.from), to: todoOf(moved.to) }, text });
          return EXIT.ok;
        }),
      ),
    );
  group
    .command('check <file>')
    .description('prove what a protocol promises by looking at everything that can happen under it')
    .option('--cap <n>', 'most states to look at; a cut search proves nothing', '400000')
    .action((name: string, { cap }: { cap: string }) => run((cli) => check(cli, name, cap)));
};

/** Those of the project are left out where there is none around. */
async function everything(cli: Cli): Promise<{ all: readonly Protocol[]; broken: readonly EngineError[] }> {
  try {
    return await withSession(cli, async ({ ports }) => ({
      all: await everyProtocol(ports),
      broken: [...(await brokenProtocols(ports)).values()],
    }));
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (code === 'NOT_INITIALISED' || code === 'NOT_A_REPOSITORY')
      return { all: Object.values(BUILT_IN), broken: [] };
    throw error;
  }
}

/** The protocol of a name or file; the project's own where this is a repository that has any. */
async function found(cli: Cli, name: string): Promise<Protocol> {
  const { protocolFrom } = await import('../../engine/protocol-source.ts');
  const { files } = cli.composition;
  if (builtIn(name) !== undefined || files.has(name)) return protocolFrom(files, name);
  return withSession(cli, ({ ports }) => protocolFrom(files, name, ports));
}

async function show(cli: Cli, name: string, format: string): Promise<ExitCode> {
  if (!FORMATS.includes(format)) {
    throw new EngineError('BAD_INPUT', `there is no format ${format}`, `known: ${FORMATS.join(', ')}`);
  }
  const table = await found(cli, name);
  const [{ tableOf }, { mermaidOf }, { xstateOf }] = await Promise.all([
    import('../../kernel/show/table.ts'),
    import('../../kernel/show/mermaid.ts'),
    import('../../kernel/show/xstate.ts'),
  ]);
  const shown = { table: tableOf, mermaid: mermaidOf, json: () => table, xstate: xstateOf }[
    format as 'table' | 'mermaid' | 'json' | 'xstate'
  ](table);
  const text = typeof shown === 'string' ? shown : JSON.stringify(shown, null, 2);
  printAnswer(cli.output, { data: { name: table.name, version: table.version, format, shown }, text });
  return EXIT.ok;
}

async function allows(cli: Cli, name: string, from: string, to: string): Promise<ExitCode> {
  const { mayLead } = await import('../../kernel/edges.ts');
  const legal = mayLead(await found(cli, name), from.toLowerCase(), to.toLowerCase());
  const text = `${from} > ${to}: ${legal ? 'legal' : 'no row leads there'}`;
  printAnswer(cli.output, { data: { protocol: name, from, to, legal }, text });
  return legal ? EXIT.ok : EXIT.conflict;
}

async function check(cli: Cli, name: string, cap: string): Promise<ExitCode> {
  if (!/^[1-9]\d{0,8}$/.test(cap)) {
    throw new EngineError('BAD_INPUT', `--cap takes a whole number from 1, not ${cap}`);
  }
  const { checkProtocol } = await import('../../kernel/check/check.ts');
  const report = checkProtocol(setupOf(await found(cli, name)), { cap: Number(cap) });
  const errors = report.findings.filter((f) => f.severity === 'error');
  const notes = report.findings.filter((f) => f.severity === 'note');
  if (errors.length === 0 && !report.cut) {
    printAnswer(cli.output, {
      data: report,
      text: [...(await proved(report)), ...notes.flatMap(lines)].join('\n'),
    });
    return EXIT.ok;
  }
  printFailure(cli.output, {
    code: 'not-proved',
    message: report.cut ? cutMessage(report) : `${report.name}: ${errors.length} broken promises`,
    hint: report.cut ? 'raise --cap' : '',
    lines: [...errors, ...notes].flatMap(lines),
    details: { report },
  });
  return EXIT.failed;
}

const cutMessage = ({ name, states }: Report) =>
  `${name}: the search was cut after ${states} states, so nothing is proved`;

async function proved({ name, states, edges, rosters, proved: names }: Report): Promise<readonly string[]> {
  const { PROPERTIES } = await import('../../kernel/check/report.ts');
  const head = `${name}: everything that can happen was looked at (${states} states, ${edges} moves; casts: ${rosters.join(', ')})`;
  return [head, ...names.map((property) => `  proved: ${PROPERTIES[property]}`)];
}

function lines({ property, severity, what, path, roster }: Finding): readonly string[] {
  const where = roster === '' ? '' : ` [${roster}]`;
  const head = `  ${severity === 'note' ? 'note' : 'broken'} (${property}): ${what}${where}`;
  return [head, ...path.map((step, i) => `      ${i + 1}. ${step}`)];
}
