#!/usr/bin/env node
// The start file. The program lies beside it in packs, each with the code that V8 made of it when it was built:
// another Node rejects that by itself and compiles anew. All names carry the digest of the text, so no old code is run.
'use strict';
const { readFileSync } = require('node:fs');
const { Script } = require('node:vm');

/* The names of the packs, put in when the program is built. */
const PACKS = {};
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

/** Runs the pack of the usual commands; another one is read when a chunk of it is first asked for. */
function start(scriptOf) {
  const modules = {};
  const load = (pack) => {
    modules[pack] = { exports: {} };
    const within = (name) => {
      if (!name.startsWith(OTHER_PACK)) return require(name);
      const [other, chunk] = name.slice(OTHER_PACK.length).split(':');
      if (modules[other] === undefined) load(other);
      return modules[other].exports.chunk(chunk);
    };
    within.resolve = require.resolve;
    const filename = `${__dirname}/${PACKS[pack]}.cjs`;
    scriptOf(PACKS[pack]).runInThisContext()(
      modules[pack].exports,
      within,
      modules[pack],
      filename,
      __dirname,
    );
  };
  load('usual');
}

const ofOften = (name) => `${name}.${OFTEN}`;
const isOften = (name) => name === PACKS.usual && process.argv[2] === OFTEN;

if (require.main === module) start((name) => script(name, isOften(name) ? ofOften(name) : name));
else module.exports = { OFTEN, PACKS, ofOften, script, start };
