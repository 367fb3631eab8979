import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { scratch } from '../tests/fixtures/scratch-repo.ts';

it.each(['stdout', 'stderr'] as const)(
  'writes all of a long text to a slow reader of %s, in order',
  async (name) => {
    const place = scratch({});
    const fd = name === 'stdout' ? 1 : 2;
    const contents = `import { writeText } from './standard-output.ts';
for (let n = 0; n < 30_000; n++) writeText(${fd}, \`line \${n}\\n\`);
writeText(${3 - fd}, 'the other');`;
    const outfile = join(place.root, 'write.mjs');
    await build({
      stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
      ...{ bundle: true, platform: 'node', format: 'esm', outfile },
    });
    const child = spawn(process.execPath, [outfile]);
    const other = name === 'stdout' ? child.stderr : child.stdout;
    let said = '';
    other.on('data', (chunk) => {
      said += chunk;
    });
    const text = await slowly(child[name]);
    expect(text).toBe(Array.from({ length: 30_000 }, (_, n) => `line ${n}\n`).join(''));
    expect(said).toBe('the other');
    place.remove();
  },
);

/** Begins to read only when the pipe must be full. */
async function slowly(stream: NodeJS.ReadableStream): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 300));
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}
