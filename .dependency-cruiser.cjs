/**
 * The floor plan. Every arrow points down, siblings never import each other, and each rule says why.
 *
 *   main, hook, watch, serve, forward, compose, index
 *   faces    cli mcp hooks http
 *   engine
 *   rooms    protocols store identity runner agents workspace
 *   ground   kernel attestation
 *
 * Type-only imports count. Test files beside the code may look at anything; what ships may not.
 */
const TEST = '\\.test(-d)?\\.ts$';
const GROUND = ['kernel', 'attestation'];
const ROOMS = ['protocols', 'store', 'identity', 'runner', 'agents', 'workspace'];
const FACES = ['cli', 'mcp', 'hooks', 'http'];

const inside = (names) => `^src/(${names.join('|')})/`;
/** What ships under these folders, or of all of src when none is named. */
const shipped = (names) => ({ path: names ? inside(names) : '^src/', pathNot: TEST });
const forbid = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to });

/** A room reaches the listed folders of src and itself, nothing else of src. */
const reachesOnly = (room, below, comment) =>
  forbid(`${room}-reaches-only-down`, comment, shipped([room]), {
    path: '^src/',
    pathNot: inside([room, ...below]),
  });

/** One row per third-party package: who may import it, and why nobody else. */
const PACKAGES = [
  ['commander', '^src/cli/', 'Only the CLI parses a command line.'],
  ['@modelcontextprotocol/server', '^src/mcp/', 'Only one face speaks MCP.'],
  [
    'zod',
    '^src/mcp/',
    'Schemas are for the tools of MCP; everything else checks its input by hand and starts faster.',
  ],
  ['hono', '^src/(http/|serve\\.ts$)', 'Only one face answers HTTP.'],
  ['@hono/node-server', '^src/serve(-listen)?\\.ts$', 'What listens is chosen at the top.'],
  ['better-sqlite3', '^src/store/sqlite/', 'The database driver stays behind the store port.'],
  [
    'pg',
    '^src/store/postgres/database\\.ts$',
    'One file speaks to the server; it is loaded where a store lies in one.',
  ],
  ['yaml', '^src/(runner/|engine/config\\.ts$)', 'YAML is read for criteria and configuration only.'],
  ['tap-parser', '^src/runner/parsers/', 'A report format is known to its parser alone.'],
  ['fast-xml-parser', '^src/runner/parsers/', 'A report format is known to its parser alone.'],
];
const modulePath = (name) => `(^|node_modules/(@types/)?)${name}(/|$)`;

module.exports = {
  forbidden: [
    // Ground: pure, and under everything else.
    reachesOnly(
      'kernel',
      [],
      'The kernel decides from its arguments alone, so a past decision can be replayed.',
    ),
    reachesOnly('attestation', [], 'A proof pack must verify offline with nothing but this folder.'),
    forbid(
      'kernel-and-protocols-are-pure',
      'Time, ids, files and processes come in with the command; no built-in module and no package can sneak them in.',
      shipped(['kernel', 'protocols']),
      { pathNot: '^src/' },
    ),
    forbid(
      'attestation-needs-crypto-only',
      'Whoever checks a proof must trust as little code as possible.',
      shipped(['attestation']),
      { pathNot: '^(src/|(node:)?crypto$)' },
    ),

    // Rooms: one kind of outside world each.
    reachesOnly(
      'protocols',
      ['kernel'],
      'A protocol is a table: it needs the words of the kernel and nothing else.',
    ),
    ...ROOMS.filter((room) => room !== 'protocols').map((room) =>
      reachesOnly(
        room,
        GROUND,
        'A room knows one outside world; what joins two rooms is a verb of the engine.',
      ),
    ),

    // Engine: where deciding meets doing.
    reachesOnly(
      'engine',
      [...ROOMS, ...GROUND],
      'The engine does not know who asks, nor which adapters were chosen.',
    ),
    forbid(
      'store-adapters-only-in-compose',
      'The engine sees the store port; compose.ts picks an implementation, open-store.ts for those that only look, by the word of store-choice.ts.',
      {
        path: '^src/',
        pathNot: [
          TEST,
          '^src/store/(sqlite|postgres)/',
          '^src/(compose|open-store|store-choice|other-store)\\.ts$',
        ],
      },
      { path: '^src/store/(sqlite|postgres)/' },
    ),

    // Faces: parse one audience's input, phrase its answer.
    ...FACES.map((face) =>
      reachesOnly(
        face,
        ['engine', 'protocols', ...GROUND],
        'Every face takes the same walk through the engine; there is no other write path.',
      ),
    ),

    // The whole house.
    forbid(
      'compose-is-called-from-the-top',
      'Implementations are chosen once, by the entry, and handed down.',
      {
        path: '^src/',
        pathNot: [TEST, '^src/(main|index|compose|hook|hook-surroundings|serve|served-composition)\\.ts$'],
      },
      { path: '^src/(main|compose)\\.ts$' },
    ),
    forbid(
      'no-circles',
      'Two files that need each other are one file, or hide a third.',
      {},
      { circular: true },
    ),
    forbid(
      'no-orphans',
      'A file that imports nothing and is imported by nothing is left over.',
      { orphan: true, path: '^src/', pathNot: '^src/(main|index|hook|watch)\\.ts$' },
      {},
    ),
    forbid(
      'not-through-the-own-front-door',
      'A file that imports the index of its own folder starts a circle sooner or later.',
      { path: '^src/(.+)/[^/]+$', pathNot: TEST },
      { path: '^src/$1/index\\.ts$' },
    ),
    forbid(
      'not-through-the-front-door-of-the-room',
      'The index of a room speaks to other rooms, not to the files inside.',
      { path: '^src/([^/]+)/.+', pathNot: '/index\\.test(-d)?\\.ts$' },
      { path: '^src/$1/index\\.ts$' },
    ),
    forbid(
      'not-through-the-front-door-of-the-house',
      'src/index.ts is for those who install the package.',
      { path: '^src/', pathNot: '^src/index\\.test(-d)?\\.ts$' },
      { path: '^src/index\\.ts$' },
    ),
    forbid(
      'no-drawers',
      'A name that fits everything says nothing: a thing lives in the file that is named after it.',
      {},
      { path: '(^|/)(utils?|helpers?|common|shared|misc|types)(/|\\.[a-z])', pathNot: 'node_modules/' },
    ),
    forbid(
      'processes-only-where-they-are-the-world',
      'Whoever can start a process can do anything; only git and the runners of checks and agents need to.',
      { path: '^src/', pathNot: [TEST, '^src/(workspace|runner|agents)/'] },
      { path: '^(node:)?child_process$' },
    ),

    // Packages.
    ...PACKAGES.map(([name, rooms, comment]) =>
      forbid(
        `${name}-in-its-room`,
        comment,
        { path: '^src/', pathNot: [TEST, rooms] },
        { path: modulePath(name) },
      ),
    ),
    forbid(
      'no-other-package',
      'A new dependency gets a room and a reason here before it gets an import.',
      shipped(),
      {
        path: 'node_modules/',
        pathNot: PACKAGES.map(([name]) => modulePath(name)),
      },
    ),
    forbid('no-dev-dependency-in-production', 'It is not there when the package is installed.', shipped(), {
      dependencyTypes: ['npm-dev'],
      dependencyTypesNot: ['type-only'],
      pathNot: 'node_modules/@types/',
    }),
    forbid(
      'only-declared-packages',
      'An undeclared package is there by luck.',
      {},
      {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown'],
      },
    ),
    forbid(
      'everything-resolves',
      'An import that leads nowhere fails at run time.',
      {},
      { couldNotResolve: true },
    ),

    // Outside src.
    forbid(
      'production-imports-no-outbuilding',
      'Tests, benchmarks, examples and scripts are not in the package.',
      shipped(),
      { path: '^(tests|bench|examples|scripts|dist)/' },
    ),
    forbid(
      'nothing-imports-a-test',
      'A test is an end; what two tests need has a name and a file of its own under tests/.',
      {},
      { path: TEST },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(tests/fixtures|examples)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types', 'typings'],
    },
    reporterOptions: { text: { highlightFocused: true } },
  },
};
