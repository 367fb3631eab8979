import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TerminalAnswer } from './human.ts';

// A real program in a real pseudo-terminal (util-linux `script`). It leaves its answer in a file, so that its own
// output can go anywhere.
const PROGRAM = `
  import { randomBytes } from 'node:crypto';
  import { spawnSync } from 'node:child_process';
  import { writeFileSync } from 'node:fs';
  import { askOnTerminal } from './human.ts';
  const mode = () => spawnSync('sh', ['-c', 'stty -g </dev/tty 2>&1'], { encoding: 'utf8' }).stdout;
  const before = mode();
  askOnTerminal({
    title: 'Release \\u001b[2K1.0?',
    shown: 'line one\\nline two\\rline three',
    digest: 'sha256:abc',
    purpose: 'approve',
    clock: () => new Date(1772359200000),
    random: randomBytes,
  }).then((answer) => {
    console.log('said on standard output');
    writeFileSync(process.argv[2], JSON.stringify({ answer, before, after: mode() }));
  });
`;

let folder: string;
let program: string;
let runs = 0;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-human-'));
  program = join(folder, 'ask.cjs');
  await build({
    stdin: { contents: PROGRAM, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    outfile: program,
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Seen {
  readonly answer: TerminalAnswer;
  /** Settings of the terminal, as the program itself sees them before and after the question. */
  readonly before: string;
  readonly after: string;
  readonly screen: string;
}

/** Runs a shell line in a terminal; `type` is called with the code at each prompt and says what to type. */
function inTerminal(
  line: (ask: string) => string,
  type: (code: string, prompt: number) => string,
): Promise<Seen> {
  const { ask, answerFile } = command();
  const child = spawn('script', ['-qec', line(ask), '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] });
  let screen = '';
  let prompts = 0;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    screen += chunk;
    const codes = [...screen.matchAll(/Type (\w{6}) to confirm, Ctrl-C to decide nothing: /g)];
    // The line editor may draw a prompt again when something is typed, so wrong tries are counted by their answer.
    const asked = codes.length === 0 ? 0 : 1 + screen.split('That is not the code.').length - 1;
    if (asked <= prompts) return;
    prompts = asked;
    child.stdin.write(type(codes[0]?.[1] ?? '', asked));
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => {
      try {
        resolve({ ...JSON.parse(readFileSync(answerFile, 'utf8')), screen });
      } catch (cause) {
        reject(new Error(`the program left no answer; the terminal shows: ${screen}`, { cause }));
      }
    });
  });
}

function command(): { readonly ask: string; readonly answerFile: string } {
  runs += 1;
  const answerFile = join(folder, `answer-${runs}`);
  return { ask: `'${process.execPath}' '${program}' '${answerFile}'`, answerFile };
}

const PROOF = {
  id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  digest: 'sha256:abc',
  purpose: 'approve',
  at: '2026-03-01T10:00:00.000Z',
  channel: 'terminal',
};

test('the code typed in the terminal gives a proof for exactly what was shown', async () => {
  const { answer, screen } = await inTerminal(
    (ask) => ask,
    (code) => `${code.toLowerCase()}\r`,
  );
  expect(answer).toEqual({ ok: true, proof: PROOF });
  expect(screen).toContain('  | line one\r\n  | line two\\u{d}line three\r\n');
  expect(screen).toContain('Release \\u{1b}[2K1.0?');
  expect(screen).toContain('digest: sha256:abc');
});

test('two questions give two codes and two proofs', async () => {
  const codes: string[] = [];
  const ask = () =>
    inTerminal(
      (line) => line,
      (code) => {
        codes.push(code);
        return `${code}\r`;
      },
    );
  const [one, two] = [await ask(), await ask()];
  expect(codes[0]).not.toBe(codes[1]);
  expect(one.answer.ok && two.answer.ok && one.answer.proof.id !== two.answer.proof.id).toBe(true);
});

test('where input and output are joined to does not matter: a pipe cannot answer, and hides nothing', async () => {
  const { answer, screen } = await inTerminal(
    (ask) => `yes ABCDEF | ${ask} >/dev/null 2>&1`,
    (code) => `${code}\r`,
  );
  expect(answer).toEqual({ ok: true, proof: PROOF });
  expect(screen).not.toContain('said on standard output');
});

test('a wrong code is asked for again, and the third one ends it', async () => {
  const second = await inTerminal(
    (ask) => ask,
    (code, prompt) => (prompt === 2 ? `${code}\r` : 'yes\r'),
  );
  expect(second.answer.ok).toBe(true);
  const never = await inTerminal(
    (ask) => ask,
    () => 'yes\r',
  );
  expect(never.answer).toMatchObject({ ok: false, code: 'wrong-code' });
  const pasted = await inTerminal(
    (ask) => ask,
    (code) => `a\rb\rc\rd\r${code}\r`,
  );
  expect(pasted.answer).toMatchObject({ ok: false, code: 'wrong-code' });
});

test.each([
  ['Ctrl-C', '\u0003'],
  ['the end of input', '\u0004'],
])('%s decides nothing', async (_, key) => {
  const { answer } = await inTerminal(
    (ask) => ask,
    () => key,
  );
  expect(answer).toMatchObject({ ok: false, code: 'cancelled', fix: expect.stringContaining('again') });
});

test.each([
  ['a proof', (code: string) => `${code}\r`],
  ['Ctrl-C', () => '\u0003'],
])('after %s the terminal is as it was, while the program goes on', async (_, type) => {
  const { before, after } = await inTerminal((ask) => ask, type);
  expect(after).toBe(before);
  expect(before).toMatch(/^[0-9a-f]+(:[0-9a-f]+)+\n$/);
});

test('without a terminal nobody is asked, whatever is written to standard input', async () => {
  const { ask, answerFile } = command();
  const child = spawn('setsid', ['-w', 'sh', '-c', `yes | ${ask}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await new Promise((resolve) => child.on('close', resolve));
  expect(JSON.parse(readFileSync(answerFile, 'utf8'))).toMatchObject({
    answer: { ok: false, code: 'no-terminal', fix: expect.stringContaining('terminal') },
  });
});
