#!/usr/bin/env node
// The start file. The program lies beside it in one file, with the code that V8 made of it when it was built: another
// Node rejects that by itself and compiles anew. Both names carry the digest of the program, so no old code is run.
'use strict';
const { readFileSync } = require('node:fs');
const { Script } = require('node:vm');

const filename = `${__dirname}/PROGRAM.cjs`;
let cachedData;
try {
  cachedData = readFileSync(`${__dirname}/PROGRAM.cache`);
} catch {
  // Not built on this machine: everything works, a little later.
}
// The bundler writes ASCII, and text read as such is not decoded.
const program = new Script(readFileSync(filename, 'latin1'), { filename, cachedData });
program.runInThisContext()(exports, require, module, filename, __dirname);
