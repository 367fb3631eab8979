// Two packs out of one program: what the usual commands run, and the rest, which most starts never read. A module is
// in one of them only, so that a class exists once; either asks the other for a chunk by its name.
import { basename } from 'node:path';
import { build } from 'esbuild';

/** Before the name of a chunk that the other pack holds; the start file knows it. */
const OTHER_PACK = 'countersign:';

/**
 * Splits the program of `options` (an esbuild build of one entry) where modules are loaded lazily, and packs the
 * chunks in CommonJS form: `usual` holds the entry and the lazy modules that `hot` matches, `rest` all others. Each
 * exports the chunks that the other asks for, by name. `metafile` is esbuild's picture of what imports what.
 */
export async function packs(options, hot) {
  // Lazy imports must still be imports here: they are where the program is split.
  const esm = { format: 'esm', splitting: true, supported: {}, outdir: '.', write: false, metafile: true };
  const { outputFiles, metafile } = await build({ ...options, ...esm });
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const chunks = Object.entries(metafile.outputs).map(([path, { entryPoint = '', imports }]) => ({
    name: basename(path),
    entryPoint,
    imports: imports.map((i) => ({ name: basename(i.path), lazy: i.kind === 'dynamic-import' })),
  }));
  const [entry] = options.entryPoints;
  const main = chunks.find(({ entryPoint }) => entryPoint === entry);
  const usual = reached(chunks, [main, ...chunks.filter(({ entryPoint }) => hot.test(entryPoint))]);
  const rest = chunks.filter((chunk) => !usual.includes(chunk));
  const shared = askedBy(rest, usual).map((name) => `export * as '${name}' from './${name}';`);
  const lazy = askedBy(usual, rest).map((name) => `get '${name}'() { return require('./${name}'); }`);
  return {
    usual: await packed(options, texts, usual, [`import './${main.name}';`, ...shared]),
    rest: await packed(options, texts, rest, [`module.exports = { ${lazy.join(', ')} };`]),
    metafile,
  };
}

/** Names of the chunks among `held` that those of another pack import. */
function askedBy(others, held) {
  const names = new Set(others.flatMap(({ imports }) => imports.map(({ name }) => name)));
  return held.map(({ name }) => name).filter((name) => names.has(name));
}

/** Chunks that run with those of `start` before anything lazy does. */
function reached(chunks, start) {
  const found = new Set(start);
  for (const { imports } of found) {
    const names = imports.filter(({ lazy }) => !lazy).map(({ name }) => name);
    for (const chunk of chunks) if (names.includes(chunk.name)) found.add(chunk);
  }
  return [...found];
}

async function packed(options, texts, chunks, lines) {
  const own = new Set(chunks.map(({ name }) => name));
  const plugin = {
    name: 'chunks',
    setup(bundler) {
      bundler.onResolve({ filter: /^\.\// }, ({ path }) => {
        const name = path.slice(2);
        if (own.has(name)) return { path: name, namespace: 'chunk' };
        return { path: texts.has(name) ? `${OTHER_PACK}${name}` : path, external: true };
      });
      bundler.onLoad({ filter: /./, namespace: 'chunk' }, ({ path }) => ({
        contents: texts.get(path),
        loader: 'js',
      }));
    },
  };
  const stdin = { contents: lines.join('\n'), loader: 'js' };
  const cjs = { entryPoints: undefined, format: 'cjs', stdin, write: false, plugins: [plugin] };
  const { outputFiles } = await build({ ...options, ...cjs });
  return outputFiles[0].text;
}
