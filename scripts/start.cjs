#!/usr/bin/env node
// The start file. The program lies beside it in packs, each with the code that V8 made of it when it was built:
// another Node rejects that by itself and compiles anew. All names carry the digest of the text, so no old code is run.
'use strict';
const { readFileSync } = require('node:fs');
const { Script } = require('node:vm');

/* The names of the packs, put in when the program is built. */
const PACKS = {};
/* The same of packages that stand apart, by the name under which the packs ask for them. */
const PACKAGES = {};
const OTHER_PACK = 'countersign:';

/* Nothing is asked as often: the usual pack has code for it alone, which is read faster than that of all. */
const OFTEN = 'next';

/** `kept` names the code to begin with: that of the pack, or of one command of it. */
function script(name, kept = name) {
  const filename = `${__dirname}/${name}.cjs`;
  let cachedData;
  try {
    cachedData = readFileSync(`${__dirname}/${kept}.cache`);
  } catch {
    // Not built on this machine: everything works, a little later.
  }
  // The bundler writes ASCII, and text read as such is not decoded.
  return new Script(readFileSync(filename, 'latin1'), { filename, cachedData });
}

/** Runs the pack of the usual commands; other packs and packages are read when they are first asked for. */
function start(scriptOf) {
  const modules = {};
  const load = (name) => {
    if (modules[name] !== undefined) return modules[name].exports;
    const module = { exports: {} };
    modules[name] = module;
    const run = scriptOf(name).runInThisContext();
    run(module.exports, within, module, `${__dirname}/${name}.cjs`, __dirname);
    return module.exports;
  };
  const within = (name) => {
    if (PACKAGES[name] !== undefined) return load(PACKAGES[name]);
    if (!name.startsWith(OTHER_PACK)) return require(name);
    const [pack, chunk] = name.slice(OTHER_PACK.length).split(':');
    return load(PACKS[pack]).chunk(chunk);
  };
  within.resolve = require.resolve;
  load(PACKS.usual);
}

const ofOften = (name) => `${name}.${OFTEN}`;
const isOften = (name) => name === PACKS.usual && process.argv[2] === OFTEN;

if (require.main === module) start((name) => script(name, isOften(name) ? ofOften(name) : name));
else module.exports = { OFTEN, PACKAGES, PACKS, ofOften, script, start };
