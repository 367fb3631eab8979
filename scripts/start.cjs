#!/usr/bin/env node
// The start file. The program lies beside it in packs, each with the code that V8 made of it when it was built:
// another Node rejects that by itself and compiles anew. All names carry the digest of the text, so no old code is run.
'use strict';
const { readFileSync } = require('node:fs');
const { Script } = require('node:vm');

/* The names of the packs, put in when the program is built. */
const PACKS = {};
const OTHER_PACK = 'countersign:';

function script(name) {
  const filename = `${__dirname}/${name}.cjs`;
  let cachedData;
  try {
    cachedData = readFileSync(`${__dirname}/${name}.cache`);
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

if (require.main === module) start(script);
else module.exports = { PACKS, script, start };
