// npm run docs: docs/protocols/NAME.md from the tables of the built-in protocols. With --check nothing is written,
// and a page that is missing, differs or has no protocol fails. `--into FOLDER` takes another folder.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = `
export { BUILT_IN } from './src/protocols/index.ts';
export { mermaidOf } from './src/kernel/show/mermaid.ts';
export { tableOf } from './src/kernel/show/table.ts';
`;

/** The tables as they are in the source now, not as they were at the last build. */
async function source() {
  const { outputFiles } = await build({
    stdin: { contents: SOURCE, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

const { BUILT_IN, mermaidOf, tableOf } = await source();
const pages = new Map(Object.values(BUILT_IN).map((protocol) => [`${protocol.name}.md`, pageOf(protocol)]));

function pageOf(protocol) {
  const [title, ...rest] = tableOf(protocol).split('\n');
  // In Markdown an argument in angle brackets would be taken for a tag and vanish.
  const body = rest.join('\n').replace(/<(\w+)>/g, '&lt;$1&gt;');
  const diagram = ['```mermaid', mermaidOf(protocol).trimEnd(), '```'];
  const note = '<!-- Written by `npm run docs` from the protocol itself: change that, not this page. -->';
  return [title, '', note, '', ...diagram, body].join('\n');
}

const at = process.argv.indexOf('--into');
const folder = resolve(at >= 0 ? process.argv[at + 1] : join(ROOT, 'docs/protocols'));
const present = new Map(listed().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
const strays = [...present.keys()].filter((name) => !pages.has(name));
const stale = [...pages].filter(([name, text]) => present.get(name) !== text).map(([name]) => name);

function listed() {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.md'));
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

if (process.argv.includes('--check')) {
  for (const name of stale) console.log(`${name} is not what its protocol says: run npm run docs`);
  for (const name of strays) console.log(`${name} has no protocol: run npm run docs`);
  process.exitCode = stale.length + strays.length > 0 ? 1 : 0;
} else {
  mkdirSync(folder, { recursive: true });
  for (const name of stale) writeFileSync(join(folder, name), pages.get(name));
  for (const name of strays) rmSync(join(folder, name));
}
console.log(`${pages.size} pages, ${stale.length} changed, ${strays.length} without a protocol`);
