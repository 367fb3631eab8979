import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Caller } from '../../src/engine/caller.ts';
import { callerOf } from '../../src/engine/credential.ts';
import { dropRenewal, prepareRenewal, type Renewal, renewKeys } from '../../src/engine/keys.ts';
import { openSession, type Session } from '../session.ts';
import { buildProgram, inProcess, inTerminal, type Program } from '../terminal.ts';

const ALL = ['specialist', 'verification-agent', 'workflow-orchestrator', 'quality-validator'];
const right = (code: string) => `${code}\r`;

let program: Program;
let s: Session;
/** Gets a line from each run of the checks. */
let trace: string;
const runs = () => readFileSync(join(trace, 'runs'), 'utf8').length;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program.remove());
beforeEach(async () => {
  trace = mkdtempSync(join(tmpdir(), 'countersign-runs-'));
  const criteria = `schema: countersign/criteria/1
name: default
checks:
  - {id: ran, kind: command, run: [sh, -c, "printf x >> '${trace}/runs'"], report: {format: exit}}
`;
  s = await openSession({ criteria, agents: { builder: ['specialist'] }, ownerRoles: ALL });
  // Before the machine's own clock, by which the program tells time.
  s.at(new Date(Date.now() - 3_600_000).toISOString());
});
afterEach(() => {
  s.close();
  rmSync(trace, { recursive: true });
});

const state = () => join(s.repo.root, 'state', 'countersign');
const keysFolder = () => join(state(), readdirSync(state())[0] ?? '', 'keys');
/** The state folder stays behind, as it does when a container is built anew. */
const lose = () => renameSync(state(), join(s.repo.root, 'lost'));
const run = (...words: readonly string[]) => inProcess(program, s, words);
const renew = (...words: readonly string[]) => inTerminal(program, s, ['key', 'renew', ...words], right);

interface Listed {
  readonly keyid: string;
  readonly purpose: string;
  readonly state: string;
  readonly here: boolean;
}
const listed = async () => (await s.say('', 'key', 'list')).data.keys as readonly Listed[];
const current = async (purpose: string) =>
  (await listed()).filter((k) => k.purpose === purpose && k.state === 'current');

async function claimed(): Promise<string> {
  const id = (await s.say('', 'add', 'Login screen')).data.id;
  s.repo.commit({ 'work.txt': `done ${id}\n` });
  await s.say('', 'claim', id);
  return id;
}

it('a lost state folder: verify says so before it runs, a person renews the keys, and work goes on', async () => {
  const first = await claimed();
  const verdict = await s.say('', 'verify', first);
  expect(verdict.code).toBe(0);
  const second = await claimed();
  lose();
  const before = await s.snapshot(second);
  const refused = await run('--json', 'verify', second);
  expect(refused.code).toBe(7);
  expect(JSON.parse(refused.out).error).toMatchObject({
    code: 'NO_CREDENTIAL',
    message: expect.stringContaining('there is no runner key here'),
    hint: 'bring the key file from where the store was made; where it is lost, a person runs: countersign key renew --purpose runner',
  });
  expect(await s.snapshot(second)).toBe(before);
  expect(runs()).toBe(1);
  expect((await run('audit', 'verify')).code).toBe(2);

  const renewed = await renew();
  expect(renewed.code).toBe(0);
  for (const part of ['runner key ', 'checkpoint key ', 'digest: ']) expect(renewed.out).toContain(part);
  expect((await listed()).map((k) => [k.purpose, k.state, k.here])).toEqual([
    ['runner', 'retired', false],
    ['checkpoint', 'retired', false],
    ['runner', 'current', true],
    ['checkpoint', 'current', true],
  ]);
  expect((await run('verify', second)).code).toBe(0);
  expect((await run('complete', second)).code).toBe(0);
  expect((await run('proof', 'verify', String(verdict.data.signed))).code).toBe(0);
  const audit = JSON.parse((await run('--json', 'audit', 'verify')).out).data;
  expect(audit).toMatchObject({ status: 'clean', findings: [] });
});

it('nobody renews without a terminal, without the code, or as an agent; and no key stays behind', async () => {
  const before = await listed();
  const files = readdirSync(keysFolder());
  const alone = await run('key', 'renew');
  expect(alone).toMatchObject({ code: 7, err: expect.stringContaining('no terminal') });
  expect((await inTerminal(program, s, ['key', 'renew'], () => 'yes\r')).code).toBe(7);
  expect((await inTerminal(program, s, ['--actor', 'builder', 'key', 'renew'], right)).code).toBe(7);
  expect((await s.say('', 'key', 'renew', '--purpose', 'door')).code).toBe(2);
  expect(await listed()).toEqual(before);
  expect(readdirSync(keysFolder())).toEqual(files);
  chmodSync(join(keysFolder(), 'runner.pem'), 0o644);
  expect((await renew()).out).toContain('chmod 600');
  expect(readdirSync(keysFolder())).toEqual(files);
});

it('one purpose alone: the other key stays, and the old file is kept beside the new one', async () => {
  const [old] = await current('runner');
  const checkpoint = await current('checkpoint');
  expect((await renew('--purpose', 'runner')).code).toBe(0);
  expect(await current('checkpoint')).toEqual(checkpoint);
  const kept = `runner.pem.${old?.keyid.slice(0, 16)}.old`;
  expect(readdirSync(keysFolder()).sort()).toEqual(['checkpoint.pem', 'runner.pem', kept]);
  expect(statSync(join(keysFolder(), kept)).mode & 0o777).toBe(0o600);
  expect((await run('audit', 'verify')).code).toBe(0);
});

it('a retired key signs nothing new: verify refuses it as it refuses a lost one', async () => {
  const [old] = await current('runner');
  const id = await claimed();
  await renew();
  renameSync(
    join(keysFolder(), `runner.pem.${old?.keyid.slice(0, 16)}.old`),
    join(keysFolder(), 'runner.pem'),
  );
  const refused = await s.say('', 'verify', id);
  expect(refused).toMatchObject({ code: 7, error: { message: 'the runner key here is retired' } });
  writeFileSync(join(keysFolder(), 'runner.pem'), 'no key\n');
  expect((await s.say('', 'verify', id)).error.hint).toContain('countersign key renew --purpose runner');
  expect((await renew('--purpose', 'runner')).code).toBe(0);
  expect((await s.say('', 'verify', id)).code).toBe(0);
});

it('a missing checkpoint key takes nothing from a verification, and a renewal without it says what is missing', async () => {
  renameSync(join(keysFolder(), 'checkpoint.pem'), join(s.repo.root, 'checkpoint.pem'));
  for (let n = 0; n < 3; n++) expect((await s.say('', 'verify', await claimed())).code).toBe(0);
  const partly = await renew('--purpose', 'runner');
  expect(partly.code).toBe(0);
  expect(partly.out).toContain('no checkpoint covers this yet');
  expect((await renew('--purpose', 'checkpoint')).code).toBe(0);
  expect((await run('audit', 'verify')).code).toBe(0);
});

const proven = (caller: Caller, { digest }: Renewal, id: string): Caller => ({
  ...caller,
  proof: { id, digest, purpose: 'renew keys', at: s.now(), channel: 'terminal' },
});

it('of two renewals prepared at once one wins, the other changes nothing; a word for one is none for the other', async () => {
  await s.with(async (opened) => {
    const caller = await callerOf(opened, '');
    const one = await prepareRenewal(opened, ['runner']);
    const other = await prepareRenewal(opened, ['runner']);
    const stranger = renewKeys(opened.ports, proven(caller, one, 'p0'), other);
    await expect(stranger).rejects.toMatchObject({ code: 'NO_CREDENTIAL' });
    expect(await renewKeys(opened.ports, proven(caller, one, 'p1'), one)).toBe(true);
    const late = renewKeys(opened.ports, proven(caller, other, 'p2'), other);
    await expect(late).rejects.toMatchObject({ code: 'BUSY', hint: 'run it again' });
    dropRenewal(other);
    expect(opened.ports.signer('runner').keyid).toBe(one.keys[0]?.staged.keyid);
  });
  expect(await current('runner')).toHaveLength(1);
  expect(readdirSync(keysFolder()).filter((file) => file.endsWith('.new'))).toEqual([]);
});
