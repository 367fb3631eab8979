// npm run check: everything that can be said without running the product. All checks run; any failure fails.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundle, eagerPackages } from './bundle.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const ENTRY = 'src/main.ts';
const bin = (name) => `node_modules/.bin/${name}`;

const CHECKS = [
  { name: 'types', command: [bin('tsc'), '--noEmit', '-p', '.'] },
  { name: 'lint and format', command: [bin('biome'), 'ci', '--colors=off'] },
  {
    name: 'floor plan',
    command: [
      bin('depcruise'),
      '--config',
      '.dependency-cruiser.cjs',
      '--output-type',
      'err-long',
      'src',
      'tests',
      'bench',
    ],
  },
  { name: 'sizes and names', command: [process.execPath, 'scripts/sizes.mjs'] },
  { name: 'lazy packages', needs: ENTRY, run: lazyPackages },
  { name: 'package', needs: 'dist', command: [bin('publint'), 'run', '--strict', '--pack', 'false'] },
  {
    name: 'generated docs',
    needs: 'scripts/docs.mjs',
    command: [process.execPath, 'scripts/docs.mjs', '--check'],
  },
  {
    name: 'command reference',
    needs: 'scripts/cli-reference.mjs',
    command: [process.execPath, 'scripts/cli-reference.mjs', '--check'],
  },
  {
    name: 'plugin',
    needs: 'scripts/plugin.mjs',
    command: [process.execPath, 'scripts/plugin.mjs', '--check'],
  },
];

async function lazyPackages() {
  const picture = await bundle({ entry: ENTRY, directory: 'dist/bin', version: 'check', write: false });
  const chains = eagerPackages(picture, ENTRY);
  return {
    failed: chains.length > 0,
    output: chains.map((chain) => `run at every start: ${chain}\n`).join(''),
  };
}

function execute([file, ...args]) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk) => {
      output += chunk;
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => resolve({ failed: true, output: `${output}${error.message}\n` }));
    child.on('close', (code) => resolve({ failed: code !== 0, output }));
  });
}

/** A check that throws has failed: what could not be checked is not passed. */
async function perform(check) {
  if (check.needs && !existsSync(check.needs)) return { ...check, absent: true, failed: false, output: '' };
  const began = performance.now();
  const work = check.run ? check.run() : execute(check.command);
  const { failed, output } = await work.catch((error) => ({ failed: true, output: `${error.message}\n` }));
  return { ...check, failed, output, seconds: ((performance.now() - began) / 1000).toFixed(1) };
}

function phrase({ name, needs, absent, failed, output, seconds }) {
  if (absent) return `-- ${name}: not run, there is no ${needs}\n`;
  const notes = output.split('\n').filter((line) => line.startsWith('note:'));
  const shown = failed ? output.trimEnd() : notes.join('\n');
  return `${failed ? 'FAILED' : 'ok'} ${name} (${seconds} s)\n${shown ? `${shown}\n` : ''}`;
}

const results = await Promise.all(CHECKS.map(perform));
for (const result of results) process.stdout.write(phrase(result));
const failed = results.filter((result) => result.failed).map((result) => result.name);
console.log(failed.length > 0 ? `check failed: ${failed.join(', ')}` : 'check passed');
process.exitCode = failed.length > 0 ? 1 : 0;
