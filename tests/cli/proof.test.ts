import { createPublicKey } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { canonicalize } from '../../src/attestation/canonical.ts';
import { trustedKeyFrom } from '../../src/attestation/key.ts';
import { verifyEnvelope } from '../../src/attestation/verify.ts';
import { openSession, type Session } from '../session.ts';
import { bring } from '../two-phase/bring.ts';

let s: Session;
beforeEach(async () => {
  s = await openSession();
});
afterEach(() => s.close());
const at = (name: string) => join(s.repo.root, name);
const keys = () =>
  s.with(async ({ ports }) =>
    [ports.signer('runner')].map(({ publicPem }) =>
      trustedKeyFrom(createPublicKey(publicPem).export({ type: 'spki', format: 'pem' }).toString()),
    ),
  );

test('a verdict is shown with its grade and independence, by its item and by the path of its pack', async () => {
  const id = await bring(s, 'verified');
  const { out } = await s.text('', 'proof', 'show', id);
  for (const part of ['clean\nPASSED T-1', '(other-lineage)', 'strength none', 'pass          done - '])
    expect(out).toContain(part);
  const { data } = await s.say('', 'proof', 'show', id);
  for (const path of [data.signed, data.readable])
    expect((await s.text('', 'proof', 'show', String(path))).out).toContain('PASSED T-1');
  expect((await s.say('', 'proof', 'show', 'nowhere/pack.json')).code).toBe(2);
  expect((await s.say('', 'proof', 'list', id)).data).toMatchObject([{ strength: 'none' }]);
});

test('a git folder of another name and place: packs are found as they are printed, also those from before it was moved', async () => {
  const before = await bring(s, 'verified');
  renameSync(join(s.repo.top, '.git'), at('kept.git'));
  s.repo.write('.git', `gitdir: ${at('kept.git')}\n`);
  const moved = s.from(s.repo.top);
  expect((await moved.say('orchestrator', 'complete', before)).code).toBe(0);
  const id = await bring(moved, 'verified');
  const { data } = await moved.say('', 'proof', 'show', id);
  for (const path of [data.signed, data.readable])
    expect((await moved.say('', 'proof', 'verify', String(path))).code).toBe(0);
  expect((await moved.say('', 'audit', 'verify')).code).toBe(0);
});

test('an item given as a file to verify is told where its packs are named', async () => {
  const id = await bring(s, 'verified');
  const told = await s.text('', 'proof', 'verify', id);
  expect(told.code).toBe(2);
  expect(told.out).toContain('note: name the file of a pack; those of an item: countersign proof show ITEM');
});

test('grade and independence stand wherever a verdict is told', async () => {
  const id = await bring(s, 'completed');
  const grades = { independence: 'other-lineage', strength: 'none' };
  expect((await s.say('', 'show', id)).data).toMatchObject({ ...grades, accountability: grades });
  expect((await s.say('', 'list')).data.items).toMatchObject([{ id, ...grades }]);
  expect((await s.text('', 'show', id)).out).toContain('strength        none');
});

test('a SLSA summary is signed by the runner, about the commit and the tree, and says no more than the pack', async () => {
  const id = await bring(s, 'verified');
  const told = await s.say('', 'proof', 'export', id, '--format', 'vsa', '--output', at('vsa.json'));
  expect(told.code).toBe(0);
  const envelope = JSON.parse(readFileSync(at('vsa.json'), 'utf8'));
  const result = verifyEnvelope(envelope, await keys());
  expect(result).toMatchObject({
    ok: true,
    statement: {
      predicateType: 'https://slsa.dev/verification_summary/v1',
      subject: [{ name: 'commit' }, { name: 'tree' }],
      predicate: {
        verifier: { id: expect.stringMatching(/^https:\/\//) },
        verificationResult: 'PASSED',
        resourceUri: expect.stringMatching(/^urn:uuid:/),
        policy: { digest: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
        inputAttestations: [{ digest: { sha256: told.data.sha256 } }],
        verifiedLevels: ['COUNTERSIGN_INDEPENDENCE_OTHER_LINEAGE', 'COUNTERSIGN_STRENGTH_NONE'],
        dependencyLevels: {},
      },
    },
  });
});

test('a blocked verdict is FAILED there, and a failure in JUnit', async () => {
  const id = await bring(s, 'blocked');
  await s.say('', 'proof', 'export', id, '--format', 'vsa', '--output', at('vsa.json'));
  const { payload } = JSON.parse(readFileSync(at('vsa.json'), 'utf8'));
  const { predicate } = JSON.parse(Buffer.from(payload, 'base64').toString());
  expect(predicate).toMatchObject({ verificationResult: 'FAILED', verifiedLevels: ['FAILED'] });
  await s.say('', 'proof', 'export', id, '--format', 'junit', '--output', at('junit.xml'));
  expect(readFileSync(at('junit.xml'), 'utf8')).toMatch(
    /<testcase classname="file" name="done"[^>]*>\s*<failure /,
  );
});

test('nothing is told again from a pack that was changed, nothing is overwritten, no other format is taken', async () => {
  const id = await bring(s, 'verified');
  const { signed } = (await s.say('', 'proof', 'show', id)).data;
  const write = (format: string) =>
    s.say('', 'proof', 'export', id, '--format', format, '--output', at(format));
  expect((await write('junit')).code).toBe(0);
  expect((await write('junit')).code).toBe(2);
  expect((await write('pdf')).code).toBe(2);
  const path = join(s.repo.top, String(signed));
  writeFileSync(path, readFileSync(path, 'utf8').replace('PASSED', 'BLOCKED'));
  writeFileSync(path, `${readFileSync(path, 'utf8')}\n`);
  expect((await write('vsa')).error.code).toBe('DAMAGED');
});

test('the signed summary names the grade', async () => {
  const id = await bring(s, 'verified');
  const { signed } = (await s.say('', 'proof', 'show', id)).data;
  const payloads = readFileSync(join(s.repo.top, String(signed)), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(Buffer.from(JSON.parse(line).payload, 'base64').toString()));
  const summary = payloads.find((p) => p.predicateType.includes('/svr/'));
  expect(summary.predicate.properties).toEqual([
    'COUNTERSIGN_CHECKS_PASSED',
    'COUNTERSIGN_INDEPENDENCE_OTHER_LINEAGE',
    'COUNTERSIGN_STRENGTH_NONE',
  ]);
  expect(payloads.at(-1).predicate).toMatchObject({ strength: 'none', tier: expect.any(String) });
});

test('a summary is told from a pack: its signature is judged, by a key that is known', async () => {
  const id = await bring(s, 'blocked');
  await s.say('', 'proof', 'export', id, '--format', 'vsa', '--output', at('vsa.json'));
  const verify = () => s.text('', 'proof', 'verify', at('vsa.json'));
  expect(await verify()).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^clean\nSLSA verification summary: FAILED, FAILED\ncommit [0-9a-f]{40}\n/),
  });
  const { data } = await s.say('', 'proof', 'verify', at('vsa.json'));
  expect(data).toMatchObject({
    summary: { verificationResult: 'FAILED' },
    subject: { gitTree: expect.anything() },
  });
  const text = readFileSync(at('vsa.json'), 'utf8');
  const envelope = JSON.parse(text);
  const payload = Buffer.from(envelope.payload, 'base64').toString().replace('"FAILED"', '"PASSED"');
  writeFileSync(
    at('vsa.json'),
    canonicalize({ ...envelope, payload: Buffer.from(payload).toString('base64') }),
  );
  expect(await verify()).toMatchObject({ code: 1, out: expect.stringContaining('does not hold') });
  const stranger = text.replace(/"keyid":"[^"]*"/, `"keyid":"${'0'.repeat(64)}"`);
  writeFileSync(at('vsa.json'), stranger);
  expect(await verify()).toMatchObject({ code: 2, out: expect.stringContaining('not trusted') });
  // Nothing may stand beside it: then it is judged as the pack that it is not.
  writeFileSync(at('vsa.json'), text + text);
  expect((await verify()).code).toBe(1);
});

test('a blocked verdict has no strength, wherever it is told', async () => {
  const id = await bring(s, 'blocked');
  expect((await s.say('', 'show', id)).data.accountability).toMatchObject({ strength: '' });
  expect((await s.text('', 'show', id)).out).not.toContain('strength');
  expect((await s.text('', 'proof', 'show', id)).out).not.toContain('strength');
  expect((await s.say('', 'proof', 'list', id)).data).toMatchObject([{ outcome: 'BLOCKED', strength: '' }]);
});

test('the list for people says what a verdict is worth, where there is one', async () => {
  const pending = await bring(s, 'pending');
  expect((await s.text('', 'list')).out).toMatch(new RegExp(`^${pending} {2}PENDING {2}- {2}Implement`, 'm'));
  const id = await bring(s, 'verified');
  const { out } = await s.text('', 'list');
  expect(out).toMatch(new RegExp(`^${id} {2}VERIFIED {2}none, other-lineage {2}\\S+ +Implement`, 'm'));
  expect(out).toMatch(new RegExp(`^${pending} {2}PENDING +- +-`, 'm'));
});
