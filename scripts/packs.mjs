// Several packs out of one program: what the usual commands run, what only one face runs, and the rest, which most
// starts never read. A module is in one of them only, so that a class exists once; each asks another for a chunk by name.
import { basename } from 'node:path';
import { build } from 'esbuild';

/** Before the pack and the name of a chunk that another pack holds; the start file knows it. */
const OTHER_PACK = 'countersign:';

/**
 * Splits the program of `options` (an esbuild build of one entry) where modules are loaded lazily, and packs the
 * chunks in CommonJS form: each of `flats` (name to a pattern of lazy modules) what these run, the first of them with the
 * entry; each of `faces` (name to lazy module) what it alone needs, `rest` all others. Each answers for the chunks that
 * others ask for: `chunk(name)`. `metafile` is esbuild's picture of what imports what.
 */
export async function packs(options, flats, faces = {}) {
  // Lazy imports must still be imports here: they are where the program is split.
  const esm = { format: 'esm', splitting: true, supported: {}, outdir: '.', write: false, metafile: true };
  const { outputFiles, metafile } = await build({ ...options, ...esm });
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const chunks = Object.entries(metafile.outputs).map(([path, { entryPoint = '', exports, imports }]) => ({
    name: basename(path),
    entryPoint,
    exports,
    imports: imports.map((i) => ({ name: basename(i.path), lazy: i.kind === 'dynamic-import' })),
  }));
  const [entry] = options.entryPoints;
  const main = chunks.find(({ entryPoint }) => entryPoint === entry);
  const held = {};
  const free = () => chunks.filter((chunk) => !Object.values(held).flat().includes(chunk));
  for (const [name, hot] of Object.entries(flats)) {
    const begun = free().filter((chunk) => chunk === main || hot.test(chunk.entryPoint));
    held[name] = reached(free(), begun);
  }
  for (const [name, module] of Object.entries(faces)) held[name] = alone(free(), module);
  held.rest = free();
  const packOf = (name) => Object.keys(held).find((pack) => held[pack].some((chunk) => chunk.name === name));
  const texted = {};
  for (const [pack, own] of Object.entries(held)) {
    const asked = askedBy(chunks, own);
    const isFlat = pack in flats;
    const contents = isFlat ? flat(own, asked, main) : lazily(asked);
    texted[pack] = await packed(options, texts, own, { contents, isFlat, packOf });
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

/** Names of the chunks among `held` that others import, or that are imported lazily. */
function askedBy(chunks, held) {
  const asked = chunks.flatMap((chunk) =>
    chunk.imports.filter(({ lazy }) => lazy || !held.includes(chunk)).map(({ name }) => name),
  );
  return held.map(({ name }) => name).filter((name) => asked.includes(name));
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

/** Runs nothing before somebody asks for it. */
function lazily(asked) {
  const chunks = asked.map((name) => `'${name}': () => require('./${name}')`);
  return `const CHUNKS = { ${chunks.join(', ')} };
    module.exports = { chunk: (name) => CHUNKS[name]() };`;
}

/**
 * All of it is run at once, and `main`, if it is there, last, so that the modules lie side by side in one scope. What
 * others ask for stands in functions of its own, which most starts never run.
 */
function flat(own, asked, main) {
  const lines = own.filter((chunk) => chunk !== main).map(({ name }) => `import './${name}';`);
  const chunks = asked.map((chunk, at) => {
    const { exports } = own.find(({ name }) => name === chunk);
    const local = (name) => `a${at}_${name}`;
    lines.push(
      `import { ${exports.map((name) => `${name} as ${local(name)}`).join(', ')} } from './${chunk}';`,
    );
    return `'${chunk}': () => ({ ${exports.map((name) => `get ${name}() { return ${local(name)}; }`).join(', ')} })`;
  });
  lines.push(
    `const CHUNKS = { ${chunks.join(', ')} };`,
    'const made = {};',
    'export const chunk = (name) => (made[name] ??= CHUNKS[name]());',
    ...(own.includes(main) ? [`import './${main.name}';`] : []),
  );
  return lines.join('\n');
}

async function packed(options, texts, chunks, { contents, isFlat, packOf }) {
  const own = new Set(chunks.map(({ name }) => name));
  const plugin = {
    name: 'chunks',
    setup(bundler) {
      bundler.onResolve({ filter: /^\.\// }, ({ path, kind }) => {
        const name = path.slice(2);
        // A lazy import of what is run anyway would put all that it needs into a scope of its own.
        if (own.has(name) && !(isFlat && kind === 'dynamic-import'))
          return { path: name, namespace: 'chunk' };
        return { path: texts.has(name) ? `${OTHER_PACK}${packOf(name)}:${name}` : path, external: true };
      });
      bundler.onLoad({ filter: /./, namespace: 'chunk' }, ({ path }) => ({
        contents: texts.get(path),
        loader: 'js',
      }));
    },
  };
  const stdin = { contents, loader: 'js' };
  const cjs = { entryPoints: undefined, format: 'cjs', stdin, write: false, plugins: [plugin] };
  const { outputFiles } = await build({ ...options, ...cjs });
  return outputFiles[0].text;
}
