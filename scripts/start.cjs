#!/usr/bin/env node
// The start file. The program lies beside it in two packs, each with the code that V8 made of it when it was built:
// another Node rejects that by itself and compiles anew. All names carry the digest of the text, so no old code is run.
'use strict';
const { readFileSync } = require('node:fs');
const { Script } = require('node:vm');

const PACKS = { usual: 'PROGRAM', rest: 'REST' };
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

/** Runs the pack of the usual commands; the other one is read when a chunk of it is first asked for. */
function start(scriptOf) {
  const modules = {};
  const load = (pack, other) => {
    modules[pack] = { exports: {} };
    const within = (name) => {
      if (!name.startsWith(OTHER_PACK)) return require(name);
      if (modules[other] === undefined) load(other, pack);
      return modules[other].exports[name.slice(OTHER_PACK.length)];
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
  load('usual', 'rest');
}

if (require.main === module) start(script);
else module.exports = { PACKS, script, start };
