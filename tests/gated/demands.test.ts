import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { VerdictBody } from '../../src/attestation/verdict.ts';
import { VERDICT } from '../fixtures/sample-pack.ts';
import { type Court, codesOf, openCourt } from './court.ts';

let court: Court;
beforeEach(() => {
  court = openCourt();
});
afterEach(() => court.remove());

const [check] = VERDICT.checks;
const waived =
  check === undefined ? [] : [{ ...check, outcome: 'fail' as const, waivedBy: 'ada', waiverReason: 'x' }];

/** A demand, a verdict that does not meet it, what is then said, and one that meets it. */
const DEMANDS: readonly [
  string,
  Record<string, unknown>,
  Partial<VerdictBody>,
  RegExp,
  Partial<VerdictBody>,
][] = [
  [
    'independence',
    { independence: 'other-lineage' },
    { independence: 'sibling' },
    /independence is sibling/,
    { independence: 'human' },
  ],
  [
    'strength',
    { strength: 'red-green' },
    { strength: 'self-test' },
    /strength is self-test/,
    { strength: 'acceptance + mutation' },
  ],
  ['a strength that is named', { strength: 'self-test' }, {}, /strength is none/, { strength: 'self-test' }],
  [
    'mutation',
    { mutation: true },
    { strength: 'red-green' },
    /changed program/,
    { strength: 'red-green + mutation' },
  ],
  ['tier', { tier: 'strict' }, { tier: 'standard' }, /tier is standard/, { tier: 'strict' }],
  [
    'protection',
    { protection: 'separated' },
    { protectionLevel: 'cooperative' },
    /protection level is cooperative/,
    { protectionLevel: 'separated' },
  ],
  ['no waiver', {}, { checks: waived }, /checks were waived: unit/, {}],
  ['a passed verdict', {}, { verdict: 'BLOCKED', cause: 'x' }, /verdict is BLOCKED/, {}],
  ['a decided verdict', {}, { verdict: 'INDETERMINATE', cause: 'x' }, /verdict is INDETERMINATE/, {}],
  [
    'criteria by name',
    {},
    { criteria: { path: '.countersign/criteria/docs.yaml', digest: 'a'.repeat(64) } },
    /only .*default.yaml counts/,
    {},
  ],
  [
    'criteria of the base',
    {},
    { criteria: { path: '.countersign/criteria/default.yaml', digest: 'a'.repeat(64) } },
    /has changed on the branch since/,
    {},
  ],
];

describe('what a pack must say', () => {
  it.each(DEMANDS)('%s', async (_, gate, weak, because, good) => {
    const own = { branches: ['main'], ...gate };
    const next = court.commitOn('main', { 'b.txt': 'b\n' });
    court.pack(next, weak);
    const [finding] = await court.onMain(next, own);
    expect(finding?.code).toBe('unverified');
    expect(finding?.says).toMatch(because);
    court.pack(next, { nonce: 'good', ...good });
    expect(await court.onMain(next, own)).toEqual([]);
  });

  it('a waived check counts where the policy says so', async () => {
    const next = court.commitOn('main', { 'b.txt': 'b\n' });
    court.pack(next, { checks: waived });
    expect(await court.onMain(next, { branches: ['main'], waivers: true })).toEqual([]);
  });

  it('its key is one of those that the policy leaves', async () => {
    const next = court.commitOn('main', { 'b.txt': 'b\n' });
    court.pack(next);
    expect(await court.onMain(next, { branches: ['main'], keys: [court.runner.keyid] })).toEqual([]);
    const [finding] = await court.onMain(next, { branches: ['main'], keys: ['f'.repeat(64)] });
    expect(finding?.says).toMatch(/signed by key .* which is not trusted/);
  });
});

describe('the policy', () => {
  const config = (gate: string) => ({ '.countersign/config.yaml': `gate: ${gate}\n` });
  /** Main with this configuration, and a commit on it. */
  const withPolicy = (gate: string, files: Record<string, string> = { 'b.txt': 'b\n' }) => {
    court.repo.git('checkout', '-q', 'main');
    court.repo.commit(config(gate), 'policy');
    return court.commitOn('main', files);
  };

  it('is that of the base: what is pushed cannot lower it', async () => {
    const next = withPolicy('{independence: human}', {
      ...config('{independence: automated}'),
      'b.txt': 'b\n',
    });
    court.pack(next, { independence: 'sibling' });
    const found = await court.onMain(next);
    expect(codesOf(found)).toEqual(['policy', 'unverified']);
    expect(found[0]?.says).toMatch(/changes how work is judged: "\.countersign\/config\.yaml"/);
    expect(found[0]?.next).toMatch(/countersign proof override --key KEY\.pem --branch main --permit policy/);
    expect(found[1]?.says).toMatch(/at least human is demanded/);
  });

  it('takes the harder of two demands, the server’s and the base’s', async () => {
    const next = withPolicy('{independence: automated, strength: red-green, waivers: true}');
    court.pack(next, { independence: 'sibling', strength: 'red-green', checks: waived });
    expect(await court.onMain(next, { branches: ['main'] })).toEqual([]);
    const own = { branches: ['main'], independence: 'human', waivers: false };
    const [finding] = await court.onMain(next, own);
    expect(finding?.says).toMatch(/at least human is demanded; checks were waived/);
  });

  it('protects what it names beside what the server names', async () => {
    const next = withPolicy('{branches: [main, "release/*"]}');
    expect(codesOf(await court.onMain(next, {}))).toEqual(['unverified']);
    const made = await court.judge([{ ref: 'refs/heads/release/1', old: '', next }], {});
    expect(codesOf(made[0]?.findings ?? [])).toEqual(['created']);
    const free = await court.judge([{ ref: 'refs/heads/other', old: '', next }], {});
    expect(free[0]).toMatchObject({ guarded: false, findings: [] });
  });

  it('closes the gate where it cannot be read, and a person can mend it', async () => {
    const next = withPolicy('{independance: human}', config('{independence: human}'));
    court.pack(next);
    const found = await court.onMain(next);
    expect(found[0]).toMatchObject({
      code: 'policy',
      says: expect.stringContaining('unknown key independance'),
    });
    court.override(next, ['policy']);
    expect(await court.onMain(next)).toEqual([]);
  });

  it.each([
    ['no YAML', 'gate: {independence: human\n'],
    ['no table', '[gate]\n'],
    ['too long', `gate: {}\n${'# x\n'.repeat(20_000)}`],
    ['a key that is not known', 'gatee: {}\n'],
  ])('closes the gate where it is %s', async (_, text) => {
    court.repo.git('checkout', '-q', 'main');
    court.repo.commit({ '.countersign/config.yaml': text });
    const next = court.commitOn('main', { 'b.txt': 'b\n' });
    court.pack(next);
    expect(codesOf(await court.onMain(next))).toEqual(['policy']);
  });

  it('protects every branch where the one that names them cannot be read', async () => {
    const next = withPolicy('[main]');
    const [judged] = await court.judge([{ ref: 'refs/heads/any', old: '', next }], {});
    expect(codesOf(judged?.findings ?? [])).toEqual(['created']);
  });

  it.each([
    '{independence: none}',
    '{strength: 3}',
    '{branches: main}',
    '{waivers: yes please}',
    '{judge: hash}',
    '{protection: gated}',
    '{tier: ""}',
  ])('refuses what it does not know: %s', async (gate) => {
    expect(codesOf(await court.onMain(withPolicy(gate)))).toContain('policy');
  });

  it.each([
    '.countersign/criteria/default.yaml',
    '.countersign/criteria/new.yaml',
    '.countersign/protocols/p.yaml',
    '.Countersign/config.yaml',
    '.counter\u200csign/config.yaml',
    '.countersign./config.yaml',
    'COUNTE~1/config.yaml',
  ])('is not changed without a person: %s', async (path) => {
    const next = court.commitOn('main', { [path]: 'checks: []\n' });
    court.pack(next);
    expect(codesOf(await court.onMain(next))).toEqual(['policy']);
    court.override(next, ['policy']);
    expect(await court.onMain(next)).toEqual([]);
  });

  it('is not put out of the way by a link in its place', async () => {
    court.repo.git('checkout', '-q', '--detach', 'main');
    court.repo.git('rm', '-rq', '.countersign');
    court.repo.git(
      'update-index',
      '--add',
      '--cacheinfo',
      `120000,${court.repo.git('hash-object', '-w', 'a.txt')},.countersign`,
    );
    court.repo.git('commit', '-qm', 'link');
    const next = court.repo.git('rev-parse', 'HEAD');
    court.repo.git('checkout', '-q', '-f', 'main');
    court.pack(next);
    expect(codesOf(await court.onMain(next))).toEqual(['policy']);
  });
});
