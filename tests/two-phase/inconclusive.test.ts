import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openSession, type Session } from '../session.ts';
import { bring, DEVELOPER, work } from './bring.ts';

// A claim whose checks cannot be run goes back, never forward.
let s: Session;
afterEach(() => s.close());

const UNSURE = `schema: countersign/criteria/1
name: default
checks:
  - {id: done, kind: file, path: work.txt, contains: done}
  - {id: unsure, kind: command, run: [./tool], report: {format: exit}}
`;

test('after an inconclusive run the orchestrator, and nobody else, takes the claim back for a new attempt', async () => {
  s = await openSession({ criteria: UNSURE });
  const id = await bring(s, 'pending');
  await s.say('orchestrator', 'dispatch', id, '--to', DEVELOPER);
  work(s);
  await s.say(DEVELOPER, 'claim', id);
  expect((await s.say('orchestrator', 'release', id)).code).toBe(3);
  expect(await s.say('verification-agent', 'verify', id)).toMatchObject({
    code: 3,
    data: { status: 'claimed', verdict: 'INDETERMINATE' },
  });
  for (const actor of [DEVELOPER, 'verification-agent', 'quality-validator', ''])
    expect([actor, (await s.say(actor, 'release', id)).code]).toEqual([actor, 7]);
  const shown = (await s.say('orchestrator', 'show', id)).data;
  expect((shown.options as { command: string }[]).map((o) => o.command)).toContain('release');

  const back = await s.say('orchestrator', 'release', id, '--reason', 'the tool is missing');
  expect(back).toMatchObject({ code: 0, data: { status: 'pending', phase: 'implementation' } });
  for (const key of ['claimed_by', 'assigned_to', 'verified_by', 'proofpack'])
    expect(back.data).not.toHaveProperty(key);
  expect(back.data.activeForm).toBe('Implementing login screen');
  const attempt = back.data.previous_attempt;
  expect(attempt).toMatchObject({ claimed_by: DEVELOPER, failures: [] });
  expect(attempt).not.toHaveProperty('verified_at');
  expect(attempt).not.toHaveProperty('proofpack');
  expect(existsSync(join(s.repo.top, String(attempt?.inconclusive)))).toBe(true);

  s.repo.write('tool', '#!/bin/sh\n');
  s.repo.git('add', 'tool');
  s.repo.git('update-index', '--chmod=+x', 'tool');
  s.repo.git('commit', '-q', '-m', 'the tool');
  await s.say(DEVELOPER, 'claim', id);
  expect((await s.say('orchestrator', 'release', id)).code).toBe(3);
  expect((await s.say('verification-agent', 'verify', id)).data.status).toBe('verified');
  expect((await s.say('orchestrator', 'complete', id)).data.status).toBe('completed');
  expect(await s.text('', 'audit', 'verify')).toMatchObject({ code: 0 });
});
