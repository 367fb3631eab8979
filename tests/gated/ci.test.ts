import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { buildProgram, type Program } from '../cli/program.ts';
import { type Ground, openGround } from './ground.ts';

let program: Program;
let ground: Ground;
beforeAll(() => {
  program = buildProgram();
  ground = openGround(program);
});
afterAll(() => {
  ground.remove();
  program.remove();
});
afterEach(() => ground.reset());

/** A clone as a pipeline has it: no store, no key but the public ones that it was given. */
function clone(): string {
  const folder = `${ground.desk.repo.root}/clone`;
  ground.git('clone', '-q', ground.server, folder);
  ground.git('-C', folder, 'fetch', '-q', 'origin', 'refs/countersign/*:refs/countersign/*');
  return folder;
}
const judge = (folder: string, ...words: readonly string[]) =>
  ground.desk.runIn(folder, ['--json', 'ci', '--key', ground.keys.runner, ...words]);

it('says in a clone without a store what a gate would say: 3 and then 0', () => {
  const { item } = ground.change('a', 'main', { 'a.txt': 'a\n' });
  ground.push('origin', 'a');
  const before = judge(clone(), '--base', 'origin/main', '--head', 'origin/a');
  expect(before.code).toBe(3);
  const { error } = JSON.parse(before.out);
  expect(error).toMatchObject({ code: 'gate-closed', taken: false });
  expect(error.updates[0]).toMatchObject({ ref: 'refs/heads/main', findings: [{ code: 'unverified' }] });
  ground.desk.run('proof', 'push', item);
  const folder = `${ground.desk.repo.root}/clone`;
  ground.git('-C', folder, 'fetch', '-q', 'origin', 'refs/countersign/*:refs/countersign/*');
  const after = judge(folder, '--base', 'origin/main', '--head', 'origin/a');
  expect(after.code).toBe(0);
  expect(JSON.parse(after.out).data.updates[0].remarks[0]).toContain(`verified for ${item}`);
  expect(ground.desk.runIn(folder, ['ci', '--key', ground.keys.runner, '--head', 'origin/a'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('refs/heads/main: verified for'),
  });
});

it('judges the merge that would land, by the policy of the base', () => {
  const { item } = ground.change('a', 'main', { 'a.txt': 'a\n' });
  ground.desk.run('proof', 'push', item);
  ground.push('origin', 'a');
  const folder = clone();
  ground.git('-C', folder, 'checkout', '-q', '--detach', 'origin/main');
  ground.git('-C', folder, 'merge', '-q', '--no-ff', '-m', 'merge', 'origin/a');
  expect(judge(folder).code).toBe(0);
  ground.git('-C', folder, 'commit', '-q', '--allow-empty', '-m', 'empty');
  expect(judge(folder).code).toBe(0);
  ground.git('-C', folder, 'checkout', '-q', '--orphan', 'other');
  ground.git('-C', folder, 'commit', '-q', '-m', 'other');
  const told = judge(folder);
  expect(told.code).toBe(3);
  expect(told.out).toContain('"rewritten"');
});

it('lets a person’s word count by a key that it was given', () => {
  ground.git('checkout', '-q', '-b', 'b', 'main');
  ground.desk.repo.commit({ 'b.txt': 'b\n' });
  const words = ['--key', ground.keys.person, '--branch', 'main', '--permit', 'unverified', '--reason', 'x'];
  expect(ground.desk.run('proof', 'override', ...words).code).toBe(0);
  expect(judge(ground.desk.repo.top).code).toBe(3);
  expect(judge(ground.desk.repo.top, '--override-key', ground.keys.personPublic).code).toBe(0);
});

it.each([
  [['ci'], 2, /no key is trusted/],
  [['ci', '--key', 'KEY', '--base', 'nowhere'], 5, /git knows no such commit/],
  [['ci', '--key', 'KEY', '--base', '--all'], 2, /argument missing|not the name of one commit/],
  [['ci', '--key', 'nowhere.pem'], 5, /cannot be read/],
  [['ci', '--key', 'PRIVATE'], 7, /not an ed25519 key/],
  [['gate-push'], 2, /nothing was pushed/],
  [['proof', 'push', 'T-9'], 5, /no item T-9/],
  [
    ['proof', 'override', '--key', 'PRIVATE', '--branch', 'main', '--permit', 'deleted', '--reason', 'x'],
    2,
    /nobody can let go of deleted/,
  ],
  [
    ['proof', 'override', '--key', 'PRIVATE', '--branch', 'main', '--permit', 'policy', '--reason', ' '],
    2,
    /a reason is needed/,
  ],
  [
    ['proof', 'override', '--key', 'KEY', '--branch', 'main', '--permit', 'policy', '--reason', 'x'],
    7,
    /not an ed25519 key/,
  ],
  [
    ['proof', 'override', '--key', 'none.pem', '--branch', 'main', '--permit', 'policy', '--reason', 'x'],
    5,
    /openssl genpkey/,
  ],
  [['audit', 'keys', '--purpose', 'gate'], 2, /there is no key for gate/],
])('%j ends with %i', (words, code, says) => {
  const { runner, person } = ground.keys;
  const typed = words.map((word) => (word === 'KEY' ? runner : word === 'PRIVATE' ? person : word));
  expect(ground.desk.run(...typed)).toMatchObject({ code, err: expect.stringMatching(says) });
});

it('sends all packs of what passed where no item is named, again and again, and none of what did not', () => {
  expect(ground.desk.say('proof', 'push')).toMatchObject({ code: 0, data: { packs: [] } });
  const { item, commit } = ground.change('a', 'main', { 'a.txt': 'a\n' });
  ground.git('checkout', '-q', '-b', 'bad', 'main');
  ground.desk.repo.commit({ 'work.txt': 'begun\n' });
  expect(() => ground.verified()).toThrow('exit 4');
  expect(ground.desk.run('proof', 'push', 'T-2')).toMatchObject({
    code: 2,
    err: expect.stringContaining('BLOCKED'),
  });
  const sent = ground.desk.say('proof', 'push');
  expect(sent.data.packs).toMatchObject([{ item, commit }]);
  const [pack] = sent.data.packs as { ref: string }[];
  const id = ground.at(pack?.ref ?? '');
  expect(id).toMatch(/^[0-9a-f]{40}$/);
  expect(ground.desk.run('proof', 'push').code).toBe(0);
  expect(ground.at(pack?.ref ?? '')).toBe(id);
  expect(ground.desk.run('proof', 'push', '--remote', 'nowhere')).toMatchObject({ code: 8 });
});
