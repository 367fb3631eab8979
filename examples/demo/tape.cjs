// A small stand-in for the test framework `tape`, as far as the tests of this repository use it: node tape.cjs FOLDER
// It prints TAP and ends with status 1 when a test failed or did not come to its planned number of assertions.
const assert = require('node:assert');
const { readdirSync } = require('node:fs');
const Module = require('node:module');
const { resolve } = require('node:path');

const tests = [];
let count = 0;
let failures = 0;

function report(ok, name, detail) {
  count += 1;
  if (!ok) failures += 1;
  console.log(`${ok ? 'ok' : 'not ok'} ${count} ${name}`);
  if (!ok) console.log(`  ---\n  detail: ${JSON.stringify(detail)}\n  ...`);
}

/** One assertion is one test point, named after its test. */
function assertionsOf(name) {
  let planned;
  let made = 0;
  const check = (compare) => (actual, expected, message) => {
    made += 1;
    const title = `${name} (${made})${message ? `: ${message}` : ''}`;
    try {
      compare(actual, expected);
      report(true, title);
    } catch (error) {
      report(false, title, error.message);
    }
  };
  const equal = check(assert.strictEqual);
  const deepEqual = check(assert.deepStrictEqual);
  const plan = (n) => {
    planned = n;
  };
  const close = () => {
    if (made === 0) report(false, name, 'no assertion was made');
    else if (planned !== undefined && planned !== made)
      report(false, name, `${planned} assertions planned, ${made} made`);
  };
  return { t: { equal, deepEqual, same: deepEqual, plan, end() {} }, close };
}

const load = Module._load;
Module._load = (request, ...rest) =>
  request === 'tape' ? (name, body) => tests.push({ name, body }) : load(request, ...rest);

const folder = resolve(process.argv[2] ?? 'test');
console.log('TAP version 13');
for (const file of readdirSync(folder).sort()) if (file.endsWith('.js')) require(resolve(folder, file));
for (const { name, body } of tests) {
  const { t, close } = assertionsOf(name);
  try {
    body(t);
    close();
  } catch (error) {
    report(false, name, error.message);
  }
}
console.log(`1..${count}`);
process.exitCode = failures > 0 ? 1 : 0;
