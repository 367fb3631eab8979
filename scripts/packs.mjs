// Several packs out of one program: what the usual commands run, what only one face runs, and the rest, which most
// starts never read. A module is in one of them only, so that a class exists once; each asks another for a chunk by name.
import { basename } from 'node:path';
import { build } from 'esbuild';

/** Before the pack and the name of a chunk that another pack holds; the start file knows it. */
const OTHER_PACK = 'countersign:';

/**
 * Splits the program of `options` (an esbuild build of one entry) where modules are loaded lazily, and packs the
 * chunks in CommonJS form: `usual` holds the entry and the lazy modules that `hot` matches, each of `faces` (name to
 * lazy module) what it alone needs, `rest` all others. Each exports the chunks that others ask for, by name. `metafile`
 * is esbuild's picture of what imports what.
 */
export async function packs(options, hot, faces = {}) {
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
  const held = { usual: reached(chunks, [main, ...chunks.filter(({ entryPoint }) => hot.test(entryPoint))]) };
  const free = () => chunks.filter((chunk) => !Object.values(held).flat().includes(chunk));
  for (const [name, module] of Object.entries(faces)) held[name] = alone(free(), module);
  held.rest = free();
  const packOf = (name) => Object.keys(held).find((pack) => held[pack].some((chunk) => chunk.name === name));
  const texted = {};
  for (const [pack, own] of Object.entries(held)) {
    const asked = askedBy(
      chunks.filter((chunk) => !own.includes(chunk)),
      own,
    );
    // What runs at every start is exported at once, what is lazy when it is asked for.
    const lines =
      pack === 'usual'
        ? [`import './${main.name}';`, ...asked.map((name) => `export * as '${name}' from './${name}';`)]
        : [
            `module.exports = { ${asked.map((name) => `get '${name}'() { return require('./${name}'); }`).join(', ')} };`,
          ];
    texted[pack] = await packed(options, texts, own, lines, packOf);
  }
  return { packs: texted, metafile };
}

/** The chunk of a lazy module and what no other chunk among `chunks` imports. */
function alone(chunks, module) {
  const face = chunks.find(({ entryPoint }) => entryPoint === module);
  if (face === undefined) return [];
  const named = (chunk) => chunk.imports.map(({ name }) => name);
  const found = new Set([face]);
  for (const chunk of found)
    for (const other of chunks) if (named(chunk).includes(other.name)) found.add(other);
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    const outside = chunks.filter((chunk) => !found.has(chunk)).flatMap(named);
    for (const chunk of found) if (chunk !== face && outside.includes(chunk.name)) found.delete(chunk);
  }
  return [...found];
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

async function packed(options, texts, chunks, lines, packOf) {
  const own = new Set(chunks.map(({ name }) => name));
  const plugin = {
    name: 'chunks',
    setup(bundler) {
      bundler.onResolve({ filter: /^\.\// }, ({ path }) => {
        const name = path.slice(2);
        if (own.has(name)) return { path: name, namespace: 'chunk' };
        return { path: texts.has(name) ? `${OTHER_PACK}${packOf(name)}:${name}` : path, external: true };
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
