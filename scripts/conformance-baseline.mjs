// What the conformance suite may say against us, each with its reason: tests/mcp/conformance/baseline.json. An entry is
// REVISION/SCENARIO or REVISION/SCENARIO:CHECK, under the server that it is about.
import { readFileSync } from 'node:fs';

const file = new URL('../tests/mcp/conformance/baseline.json', import.meta.url);

/** Weighs results of one server: what fails and is not expected, and, at the end, what is expected and does not fail. */
export function baselineOf(server) {
  const groups = JSON.parse(readFileSync(file, 'utf8'))[server];
  const expected = groups.flatMap(({ because, expected }) => {
    if (typeof because !== 'string' || because === '')
      throw new Error(`${file}: an entry without its reason`);
    return expected;
  });
  const met = new Set();
  return {
    /** The checks of a scenario that fail, or warn, without being expected to. */
    unexpected(revision, scenario, checks) {
      return checks
        .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
        .filter(({ id }) => {
          const names = [`${revision}/${scenario}`, `${revision}/${scenario}:${id}`];
          const known = names.filter((name) => expected.includes(name));
          for (const name of known) met.add(name);
          return known.length === 0;
        });
    },
    stale: () => expected.filter((name) => !met.has(name)),
  };
}
