// node scripts/plugin.mjs [--check]: the plugin for Claude Code, from the same source as `countersign init --with`.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const FOLDER = 'plugins/claude-code';

const { outputFiles } = await build({
  stdin: {
    contents:
      "export * from './src/engine/harness/claude-code.ts'; export * from './src/engine/harness/exit-check.ts'; export * from './src/engine/harness/names.ts';",
    resolveDir: '.',
    loader: 'ts',
  },
  bundle: true,
  platform: 'node',
  format: 'esm',
  write: false,
});
const code = Buffer.from(outputFiles[0].contents).toString('base64');
const {
  AGENTS,
  agentText,
  blockLines,
  EXIT_CHECK,
  exitCheckText,
  hookEntries,
  mcpServers,
  PLUGIN,
  VERIFIER_AGENT,
} = await import(`data:text/javascript;base64,${code}`);

const { version, description, license } = JSON.parse(readFileSync('package.json', 'utf8'));
// A plugin is copied away from the package: it finds the program on the path.
const installation = {
  program: ['countersign'],
  builder: 'builder',
  verifier: 'verifier',
  workflow: { profile: 'two-phase' },
};
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
const files = {
  '.claude-plugin/plugin.json': json({ name: PLUGIN, version, description, license }),
  '.mcp.json': json({ mcpServers: mcpServers(installation) }),
  'hooks/hooks.json': json({
    description,
    hooks: hookEntries('countersign-hook claude-code --actor builder'),
  }),
  [EXIT_CHECK]: exitCheckText('countersign'),
  'skills/countersign/SKILL.md': [
    '---',
    'name: countersign',
    'description: "How work goes in a repository with Countersign. Use it before work on an item begins, and before it is called done."',
    '---',
    '',
    ...blockLines(`${PLUGIN}:${VERIFIER_AGENT}`),
    '',
    'The program must be on the path (`npm install -g countersign`), and the repository must have its store and the two agents:',
    '`countersign init --agents builder,verifier`.',
    '',
  ].join('\n'),
  ...Object.fromEntries(
    AGENTS.map((name) => [`agents/${name}.md`, agentText(name, `mcp__plugin_${PLUGIN}_`)]),
  ),
};

const stale = [];
for (const [path, text] of Object.entries(files)) {
  const full = join(FOLDER, path);
  if (existsSync(full) && readFileSync(full, 'utf8') === text) continue;
  stale.push(full);
  if (process.argv.includes('--check')) continue;
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
}
if (process.argv.includes('--check') && stale.length > 0) {
  console.error(`not as the source says: ${stale.join(', ')}; run: npm run docs`);
  process.exit(1);
}
