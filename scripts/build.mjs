// npm run build: tsc for the package, then the start file for the command line.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { bundle, eagerPackages, keepCode } from './bundle.mjs';

const ENTRY = 'src/main.ts';
const START = 'dist/bin/countersign.cjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
rmSync('dist', { recursive: true, force: true });

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const compiled = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
if (compiled.status !== 0) process.exit(1);

if (existsSync(ENTRY)) {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const picture = await bundle({ entry: ENTRY, directory: 'dist/bin', version });
  if (!keepCode('dist/bin')) console.error('note: no code cache: every start compiles anew');
  for (const chain of eagerPackages(picture, ENTRY)) console.error(`note: run at every start: ${chain}`);
} else {
  console.error(`note: no ${ENTRY} yet, so no ${START}`);
}
