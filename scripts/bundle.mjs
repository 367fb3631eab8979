// The start file and its program: src/main.ts in one file, with the heavy packages in files of their own beside it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { lazyBuiltins } from './lazy-builtins.mjs';
import { packs } from './packs.mjs';

// Each is read, parsed and run only when a command first needs it, which saves every other start about a quarter
// of its own time. Only packages stand apart, never our own modules: a class that exists twice breaks `instanceof`.
const APART = ['yaml', 'fast-xml-parser', 'tap-parser', 'pg'];
// What agents call again and again, and what else a day is made of.
const FLATS = {
  usual: /^src\/(cli\/(cli|commands\/(next|claim))|mcp\/serve)\.ts$/,
  daily:
    /^src\/cli\/commands\/(add|inbox|list|show|start|transition|move|report|complete|follow-up|log|gate)\.ts$/,
};
// What no usual command runs, each in a pack of its own: faces, and the store that lies in a database.
const FACES = {
  mcp: 'src/mcp/connection.ts',
  postgres: 'src/store/postgres/open.ts',
  serve: 'src/serve.ts',
  forward: 'src/forward.ts',
};
// The hooks are a program of their own, which starts with no more than most events of a session need.
const HOOK = 'src/hook.ts';
const HOT_EVENTS = /^src\/hooks\/events\/(shell-use|tool-use|todo)\.ts$/;
// The watcher of an agent lives as long as the agent does, so it carries nothing but what it needs.
const WATCH = 'src/watch.ts';
// Compiled: its JavaScript is carried, its binary is found where the package is installed.
const NATIVE = 'better-sqlite3';
const scripts = fileURLToPath(new URL('.', import.meta.url));

const settings = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  logLevel: 'error',
  sourcemap: false,
  legalComments: 'eof',
  // `import()` becomes a `require` in a promise: still lazy, without waking the ESM loader (about 40 ms).
  supported: { 'dynamic-import': false },
};

const apartPath = (name) => `./${name}.cjs`;

const apart = {
  name: 'packages-apart',
  setup(bundler) {
    bundler.onResolve({ filter: new RegExp(`^(${APART.join('|')})$`) }, ({ path }) => ({
      path: apartPath(path),
      external: true,
    }));
  },
};

/**
 * Half of what the libraries of MCP would carry is for what no server of ours does: messages of the validator in other
 * languages, and a validator of JSON Schema for forms that a person is asked to fill in.
 */
const uncarried = {
  name: 'uncarried',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: `export { default as en } from './en.js';`,
    }));
    bundler.onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, ({ path }) => ({
      path,
      namespace: 'uncarried',
    }));
    bundler.onLoad({ filter: /./, namespace: 'uncarried' }, () => ({
      contents: `
        export { default as process } from 'node:process';
        export class DefaultJsonSchemaValidator {
          getValidator() { throw new Error('this server carries no validator of JSON Schema'); }
        }`,
    }));
  },
};

/**
 * Bundles `entry` into `directory`: countersign.cjs starts the program beside it. Answers esbuild's picture of what
 * imports what.
 */
export async function bundle({ entry, directory, version, write = true, root = process.cwd() }) {
  const native = nativeVersion();
  const options = {
    ...settings,
    absWorkingDir: root,
    minify: true,
    plugins: [apart, uncarried, lazyBuiltins],
    // The search for the binary, which only a package of another version still makes.
    external: native === undefined ? [NATIVE] : ['bindings'],
    define: {
      __COUNTERSIGN_VERSION__: JSON.stringify(version),
      __PROTOCOL_DIGESTS__: JSON.stringify(await protocolDigests(root)),
      'import.meta.url': '__filename',
      ...(native === undefined ? {} : { __BETTER_SQLITE3_CARRIED__: JSON.stringify(native) }),
    },
  };
  const { packs: program, metafile } = await packs({ ...options, entryPoints: [entry] }, FLATS, FACES);
  const { packs: hook } = await packs({ ...options, entryPoints: [HOOK] }, { usual: HOT_EVENTS });
  if (write) {
    const programs = { countersign: program, 'countersign-hook': hook };
    writePrograms(resolve(root, directory), programs, await packagesApart(root));
    await buildWatcher(root, directory);
  }
  return metafile;
}

/** The text of each package that stands apart, by the name under which the packs ask for it. */
async function packagesApart(root) {
  const { outputFiles } = await build({
    ...settings,
    absWorkingDir: root,
    entryPoints: Object.fromEntries(APART.map((name) => [name, name])),
    outdir: '.',
    write: false,
    // Asked for by nobody: its native driver, and sockets of another runtime.
    external: ['pg-native', 'cloudflare:sockets'],
  });
  const nameOf = (path) => basename(path, '.js');
  return Object.fromEntries(outputFiles.map(({ path, text }) => [nameOf(path), text]));
}

/** The start file of the watcher, in one file. */
export async function buildWatcher(root, directory) {
  await build({
    ...settings,
    absWorkingDir: root,
    minifyWhitespace: true,
    define: { 'import.meta.url': '__filename' },
    entryPoints: [WATCH],
    outfile: `${directory}/countersign-watch.cjs`,
  });
}

/** Digests of the built-in protocols, as the engine computes them: a start that computed them anew took a millisecond more. */
async function protocolDigests(root) {
  const contents = `
    import { refOf } from './src/engine/protocols.ts';
    import { BUILT_IN } from './src/protocols/index.ts';
    export const digests = Object.values(BUILT_IN).map((protocol) => [protocol.name, refOf(protocol).digest]);`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  const { digests } = await import(`data:text/javascript;base64,${code}`);
  return Object.fromEntries(digests);
}

function nativeVersion() {
  try {
    return createRequire(import.meta.url)(`${NATIVE}/package.json`).version;
  } catch {
    return undefined;
  }
}

/** The start file reads packs as ASCII. esbuild leaves patterns and comments as they are: an escape says the same there. */
const ascii = (code) =>
  code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Writes each pack of each program, and each package, under the digest of its text, and the start files that name them. */
function writePrograms(folder, programs, packages) {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder))
    if (/-[0-9a-f]{16}(\.\w+)?\.(cjs|cache)$/.test(name)) rmSync(join(folder, name));
  const start = readFileSync(join(scripts, 'start.cjs'), 'utf8');
  const written = (name, code) => {
    const text = `(function(exports,require,module,__filename,__dirname){${ascii(code)}\n})`;
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
    writeFileSync(join(folder, `${name}-${digest}.cjs`), text);
    return `${name}-${digest}`;
  };
  const entries = Object.entries(packages);
  const apart = Object.fromEntries(entries.map(([name, code]) => [apartPath(name), written(name, code)]));
  for (const [program, packs] of Object.entries(programs)) {
    const named = Object.entries(packs).map(([pack, code]) => [pack, written(`${program}-${pack}`, code)]);
    const text = start
      .replace('const PACKS = {};', `const PACKS = ${JSON.stringify(Object.fromEntries(named))};`)
      .replace('const PACKAGES = {};', `const PACKAGES = ${JSON.stringify(apart)};`);
    writeFileSync(join(folder, `${program}.cjs`), text);
    chmodSync(join(folder, `${program}.cjs`), 0o755);
  }
}

/** Keeps V8's code for the usual commands beside the program. False where it could not be made: nothing needs it. */
export function keepCode(directory) {
  const made = spawnSync(process.execPath, [join(scripts, 'code-cache.cjs'), resolve(directory)]);
  return made.status === 0;
}

/** The chains of static imports by which a package that should wait is run at every start. */
export function eagerPackages(metafile, entry) {
  const heavy = new Set(APART.map(apartPath));
  const seen = new Set([entry]);
  const chains = [];
  const walk = (path, chain) => {
    for (const { path: next, kind } of metafile.inputs[path]?.imports ?? []) {
      if (kind === 'dynamic-import' || kind === 'require-resolve') continue;
      if (heavy.has(next)) chains.push([...chain, next]);
      else if (!seen.has(next)) {
        seen.add(next);
        walk(next, [...chain, next]);
      }
    }
  };
  walk(entry, [entry]);
  return chains.map((chain) => chain.join(' -> '));
}
