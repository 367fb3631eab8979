// docs/cli.md: what stands below the mark is written from the commands themselves. With --check nothing is
// written, and a page that differs fails.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = join(ROOT, 'docs/cli.md');
const MARK =
  '<!-- Below: written by `node scripts/cli-reference.mjs` from the commands. Change those, not this. -->';
const SOURCE = `
import { Command } from 'commander';
import { COMMANDS } from './src/cli/commands/index.ts';
export async function program() {
  const program = new Command('countersign');
  for (const { load } of COMMANDS) (await load())(program, async () => {});
  return program;
}
`;

/** The commands as they are in the source now, not as they were at the last build. */
async function commands() {
  const folder = mkdtempSync(join(ROOT, 'node_modules/.cli-reference-'));
  try {
    const outfile = join(folder, 'commands.cjs');
    await build({
      stdin: { contents: SOURCE, resolveDir: ROOT, loader: 'ts' },
      ...{ bundle: true, platform: 'node', format: 'cjs', outfile, packages: 'external', logLevel: 'error' },
      ...{ supported: { 'dynamic-import': false }, define: { 'import.meta.url': '__filename' } },
    });
    const { default: loaded } = await import(pathToFileURL(outfile).href);
    return (await loaded.program()).commands;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function sections(command, path) {
  if (command.commands.length > 0)
    return command.commands.flatMap((inner) => sections(inner, `${path} ${inner.name()}`));
  const words = command.registeredArguments.map((a) => (a.required ? `<${a.name()}>` : `[${a.name()}]`));
  const says = command.description();
  const options = command.options.map((o) => `- \`${o.flags}\`: ${o.description}${remark(o)}`);
  return [
    `### ${path}`,
    '',
    `\`countersign ${[path, ...words, ...(options.length > 0 ? ['[options]'] : [])].join(' ')}\``,
    '',
    `${says.charAt(0).toUpperCase()}${says.slice(1)}.`,
    '',
    ...(options.length > 0 ? [...options, ''] : []),
  ];
}

function remark({ mandatory, defaultValue }) {
  if (mandatory) return ' (needed)';
  return typeof defaultValue === 'string' && defaultValue !== '' ? ` (\`${defaultValue}\` unless given)` : '';
}

const before = readFileSync(PAGE, 'utf8');
const at = before.indexOf(MARK);
if (at < 0) throw new Error(`${PAGE} has lost its mark`);
const lines = (await commands()).flatMap((command) => sections(command, command.name()));
const after = `${before.slice(0, at)}${MARK}\n\n${lines.join('\n').trimEnd()}\n`;
if (!process.argv.includes('--check')) writeFileSync(PAGE, after);
else if (after !== before) {
  console.log('docs/cli.md is not what the commands say: run node scripts/cli-reference.mjs');
  process.exitCode = 1;
}
