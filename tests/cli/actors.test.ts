import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eachAtADesk } from './each-desk.ts';
import { type Desk, documentOf } from './program.ts';

let desk: Desk;
eachAtADesk((given) => {
  desk = given;
  desk.run('actor', 'add', 'builder', '--role', 'specialist');
});

const as = (actor: string, ...words: readonly string[]) =>
  documentOf(desk.run('--json', '--actor', actor, ...words));

it('refuses a role that no protocol knows and lists those that exist', () => {
  const said = desk.say('actor', 'add', 'x', '--role', 'sepcialist');
  expect(said).toMatchObject({ code: 2, error: { code: 'bad-roles' } });
  expect(said.error.message).toContain(
    'specialist, verification-agent, workflow-orchestrator, quality-validator',
  );
  expect(desk.say('actor', 'roles', 'builder', '--role', 'Specialist')).toMatchObject({ code: 2 });
  expect(desk.run('actor', 'list').out).not.toContain('sepcialist');
});

it('uses an id once, and says what does not fit', () => {
  expect(desk.say('actor', 'add', 'builder')).toMatchObject({ code: 6, error: { code: 'taken' } });
  desk.run('actor', 'retire', 'builder');
  expect(desk.say('actor', 'add', 'builder')).toMatchObject({ code: 6, error: { code: 'taken' } });
  expect(desk.say('actor', 'add', 'Not An Id')).toMatchObject({ code: 2, error: { code: 'bad-id' } });
  expect(desk.say('actor', 'add', 'engine')).toMatchObject({ code: 2, error: { code: 'reserved' } });
  expect(desk.say('actor', 'add', 'kid', '--parent', 'nobody')).toMatchObject({ code: 2 });
  expect(desk.say('actor', 'add', 'robot', '--kind', 'robot')).toMatchObject({ code: 2 });
});

it('lets an agent register only its own children, and never a person', () => {
  desk.run('token', 'issue', 'builder');
  expect(as('builder', 'actor', 'add', 'kid', '--role', 'specialist').data).toMatchObject({
    parent: 'builder',
  });
  expect(as('builder', 'actor', 'add', 'boss', '--role', 'workflow-orchestrator')).toMatchObject({
    code: 7,
    error: { code: 'exceeds' },
  });
  expect(as('builder', 'actor', 'add', 'bob', '--kind', 'human')).toMatchObject({
    code: 7,
    error: { code: 'person' },
  });
  expect(as('builder', 'actor', 'roles', 'builder', '--role', 'verification-agent')).toMatchObject({
    code: 7,
  });
  expect(as('builder', 'actor', 'retire', 'ada')).toMatchObject({ code: 7 });
});

it('keeps the last person', () => {
  expect(desk.say('actor', 'retire', 'ada')).toMatchObject({
    code: 7,
    error: { code: 'not-allowed', hint: 'countersign actor add NAME --kind human' },
  });
  desk.run('actor', 'add', 'bob', '--kind', 'human', '--role', 'workflow-orchestrator');
  expect(desk.say('actor', 'retire', 'ada').code).toBe(0);
  expect(desk.run('next').code).toBe(0);
});

it('writes a token for this user alone, and prints it only when asked to', () => {
  const said = desk.say('token', 'issue', 'builder');
  const file = String(said.data.file);
  const token = readFileSync(file, 'utf8').trim();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(said.out).not.toContain(token);
  for (const words of [['token', 'list'], ['actor', 'list'], ['doctor']])
    expect(desk.run(...words).out).not.toContain(token);
  const printed = desk.run('token', 'issue', 'builder', '--print').out;
  expect(printed).toContain(readFileSync(file, 'utf8').trim());
  expect(printed).not.toContain(token);
  const stored = readdirSync(join(desk.repo.top, '.git/countersign'), { withFileTypes: true });
  for (const entry of stored.filter((e) => e.isFile())) {
    expect(readFileSync(join(desk.repo.top, '.git/countersign', entry.name)).includes(token)).toBe(false);
  }
});

it('makes nobody of a name alone, of a revoked token or of one that ended', async () => {
  expect(as('builder', 'next')).toMatchObject({ code: 7, error: { code: 'NO_CREDENTIAL' } });
  const { id } = desk.say('token', 'issue', 'builder').data;
  expect(as('builder', 'next').code).toBe(0);
  desk.run('token', 'revoke', String(id));
  expect(as('builder', 'next').code).toBe(7);
  expect(desk.say('token', 'revoke', String(id))).toMatchObject({ code: 6, error: { code: 'revoked' } });
  const soon = new Date(Date.now() + 1_500).toISOString();
  expect(desk.say('token', 'issue', 'builder', '--expires', soon).code).toBe(0);
  await new Promise((resolve) => setTimeout(resolve, 1_700));
  expect(as('builder', 'next').code).toBe(7);
  expect(desk.run('token', 'list').out).toContain('expired');
});

it.each(['30', 'soon', '2020-01-01T00:00:00Z', '0d'])('does not take --expires %s', (when) => {
  expect(desk.say('token', 'issue', 'builder', '--expires', when).code).toBe(2);
});

it('issues no token for a person and none beyond the actor', () => {
  expect(desk.say('token', 'issue', 'ada')).toMatchObject({ code: 7, error: { code: 'person' } });
  expect(desk.say('token', 'issue', 'builder', '--role', 'verification-agent')).toMatchObject({ code: 7 });
  expect(desk.say('token', 'issue', 'builder', '--item', 'T-9')).toMatchObject({ code: 5 });
});

it('lets a token restricted to items do nothing to others, and records the try', () => {
  desk.run('add', 'Mine');
  desk.run('add', 'Not mine');
  desk.run('actor', 'add', 'checker', '--role', 'verification-agent', '--role', 'workflow-orchestrator');
  desk.run('token', 'issue', 'builder', '--item', 'T-1');
  desk.run('token', 'issue', 'checker', '--item', 'T-1');
  desk.repo.commit({ 'work.txt': 'done\n' });
  const refused = as('builder', 'claim', 'T-2');
  expect(refused).toMatchObject({ code: 7, error: { code: 'wrong-role', state: 'pending' } });
  expect(desk.run('log', 'T-2').out).toContain('good for other items only');
  expect(as('builder', 'claim', 'T-1').code).toBe(0);
  desk.run('claim', 'T-2');
  expect(as('checker', 'verify', 'T-2')).toMatchObject({ code: 7, error: { state: 'claimed' } });
  // Refused before anything ran, not after.
  expect(existsSync(join(desk.repo.top, '.git/countersign/proofpacks'))).toBe(false);
  expect(as('checker', 'add', 'One more')).toMatchObject({ code: 7 });
  expect(as('checker', 'verify', 'T-1').data.verdict).toBe('PASSED');
  expect(existsSync(join(desk.repo.top, '.git/countersign/proofpacks'))).toBe(true);
  expect(desk.run('token', 'list').out).toContain('T-1');
  expect(desk.run('audit', 'verify')).toMatchObject({ code: 0 });
});

it('a token that is no plain file is no defect of the program', () => {
  const { file } = desk.say('token', 'issue', 'builder').data as { file: string };
  rmSync(file);
  for (const put of [() => mkdirSync(file), () => symlinkSync('elsewhere', file)]) {
    put();
    const said = documentOf(desk.run('--json', '--actor', 'builder', 'next'));
    expect(said).toMatchObject({
      code: 8,
      error: { code: 'NOT_A_FILE', hint: expect.stringContaining('take away') },
    });
    rmSync(file, { recursive: true });
  }
});
