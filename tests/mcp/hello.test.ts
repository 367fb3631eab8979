import { spawn, spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSession, type Session } from '../session.ts';
import { buildProgram, type Program } from '../terminal.ts';

// `initialize` is answered before the library is there: nobody may be able to tell.
let program: Program;
let s: Session;
beforeAll(async () => {
  program = buildProgram();
  s = await openSession();
});
afterAll(() => {
  program.remove();
  s.close();
});

interface Said {
  readonly code: number | null;
  readonly stderr: string;
  readonly answers: readonly { readonly id?: unknown; readonly result?: object; readonly error?: object }[];
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Starts a server, says these pieces one after the other, and hears what it answers until it has ended. */
async function say(pieces: readonly string[], wait = 0): Promise<Said> {
  const words = [program.path, 'mcp', '--actor', 'orchestrator'];
  const child = spawn(process.execPath, words, { cwd: s.repo.top, env: s.env });
  let [out, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  for (const piece of pieces) {
    await pause(wait);
    child.stdin.write(piece);
  }
  const due = pieces.join('').split('"id"').length - 1;
  for (let n = 0; n < 200 && out.split('\n').length - 1 < due; n++) await pause(50);
  child.stdin.end();
  const code = await ended;
  const answers = out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Said['answers'][number]);
  return { code, stderr, answers };
}

const CLIENT = { name: 'client', version: '1' };
const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
const hello = (params: object, id: unknown = 1) =>
  line({
    id,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT, ...params },
  });
const INITIALIZED = line({ method: 'notifications/initialized' });
const LIST = line({ id: 2, method: 'tools/list' });

/** What only the library answers: a field that is no part of the plain form. */
const UNUSUAL = { _meta: {} };

const CAPABILITIES = [
  {},
  { roots: { listChanged: true } },
  { roots: {}, sampling: {}, elicitation: {} },
  { elicitation: { form: {}, url: {} }, sampling: { tools: {} } },
];

describe('the first answer', () => {
  test.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07', '1999-01-01'])(
    'is that of the library: %s',
    async (protocolVersion) => {
      for (const capabilities of CAPABILITIES.slice(0, protocolVersion === '2025-11-25' ? 4 : 1)) {
        const asked = { protocolVersion, capabilities };
        const [early, late] = await Promise.all([
          say([hello(asked), INITIALIZED, LIST]),
          say([hello({ ...asked, ...UNUSUAL }), INITIALIZED, LIST]),
        ]);
        expect(early).toEqual(late);
        expect(early.answers.map(({ id }) => id)).toEqual([1, 2]);
        expect(early).toMatchObject({ code: 0, stderr: '' });
      }
    },
  );

  test.each([
    ['no name of the client', { clientInfo: { version: '1' } }],
    ['a name that is no text', { clientInfo: { name: 1, version: '1' } }],
    ['capabilities that are none', { capabilities: [] }],
    ['a capability that is none', { capabilities: { roots: { listChanged: 'yes' } } }],
    ['a capability of another kind', { capabilities: { sampling: 1 } }],
    ['no version', { protocolVersion: 7 }],
  ])('is given by the library alone where something is wrong: %s', async (_, wrong) => {
    const [early, late] = await Promise.all([say([hello(wrong)]), say([hello({ ...wrong, ...UNUSUAL })])]);
    expect(early.answers).toEqual(late.answers);
    expect(early.answers).toHaveLength(1);
  });

  test.each([
    ['all at once', [hello({}, 'a') + INITIALIZED + LIST], 0],
    ['in pieces', [hello({}, 'a').slice(0, 40), hello({}, 'a').slice(40), INITIALIZED, LIST], 20],
    ['late', [hello({}, 'a'), INITIALIZED, LIST], 400],
    ['after a greeting that nobody knows', [line({ method: 'notifications/x' }), hello({}, 'a'), LIST], 0],
  ])('is given once, however the words come: %s', async (_, pieces, wait) => {
    const { answers, code } = await say(pieces, wait);
    expect(answers.map(({ id }) => id)).toEqual(['a', 2]);
    expect(answers.every(({ result }) => result !== undefined)).toBe(true);
    expect(code).toBe(0);
  });

  test('is not waited for by a server whose client goes at once', async () => {
    expect(await say([])).toMatchObject({ code: 0, answers: [] });
  });

  test.each([
    ['one word', hello({})],
    ['many', hello({}) + INITIALIZED + LIST],
    ['half a word', hello({}).slice(0, 40)],
  ])('is no trouble for a server whose client speaks and goes: %s', (_, input) => {
    const words = [program.path, 'mcp', '--actor', 'orchestrator'];
    const around = { cwd: s.repo.top, env: s.env, input, encoding: 'utf8' } as const;
    const { status, stderr, stdout } = spawnSync(process.execPath, words, around);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.split('"id":1').length).toBe(input.endsWith('\n') ? 2 : 1);
  });
});
