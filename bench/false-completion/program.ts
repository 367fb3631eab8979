import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';

/** A control that is taken out: one export of a module, and what stands there instead. */
export interface Removed {
  /** Path below src/. */
  readonly file: string;
  readonly name: string;
  /** An expression that never has anything against anybody. */
  readonly neutral: string;
}

/**
 * Builds the product from its sources into a folder and answers the path of its start file, whole or without one control.
 * Throws where the module has no such export.
 */
export async function buildProgram(root: string, folder: string, removed?: Removed): Promise<string> {
  const outfile = join(folder, 'bin/countersign.cjs');
  mkdirSync(join(folder, 'bin'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  await build({
    absWorkingDir: root,
    entryPoints: ['src/main.ts'],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    packages: 'external',
    logLevel: 'error',
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': '__filename', __COUNTERSIGN_VERSION__: '"0.0.0-bench"' },
    plugins: removed === undefined ? [] : [without(root, removed)],
    outfile,
  });
  return outfile;
}

/** Everybody who imports the module gets one that says the same, but for the one export. */
function without(root: string, { file, name, neutral }: Removed): Plugin {
  const path = join(root, 'src', file);
  const own = file.slice(file.lastIndexOf('/') + 1).replaceAll('.', '\\.');
  return {
    name: `without-${name}`,
    setup(bundler) {
      bundler.onResolve(
        { filter: new RegExp(`/${own}$`) },
        async ({ path: asked, resolveDir, pluginData, kind }) => {
          if (pluginData === 'the real one' || join(resolveDir, asked) !== path) return undefined;
          return kind === 'entry-point' ? undefined : { path, namespace: 'without' };
        },
      );
      bundler.onLoad({ filter: /.*/, namespace: 'without' }, () => ({
        contents: `import { ${name} as real } from 'the-real-one';\nvoid real;\nexport * from 'the-real-one';\nexport const ${name} = ${neutral};\n`,
        loader: 'ts',
        resolveDir: root,
      }));
      bundler.onResolve({ filter: /^the-real-one$/ }, () => ({ path, pluginData: 'the real one' }));
    },
  };
}
