import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCriteria } from './criteria.ts';
import { planChecks } from './plan.ts';
import { RunnerError } from './runner-error.ts';
import { parseDuration, parseSize } from './units.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const parse = (text: string) => parseCriteria(bytes(text), 'c.yaml');
async function problems(text: string): Promise<readonly string[]> {
  try {
    await parse(text);
  } catch (error) {
    if (error instanceof RunnerError) return error.problems;
    throw error;
  }
  return [];
}
const head = 'schema: countersign/criteria/1\nname: default\n';
const checks = (...lines: string[]) => `${head}checks:\n${lines.map((line) => `  - ${line}\n`).join('')}`;
const tests = '{id: t, kind: command, run: [npm, test], report: {format: tap}}';

describe('parseCriteria', () => {
  it('reads every key', async () => {
    const text = `${head}applies_to: [code, docs]
requires_quality_validation: true
allow_changes: true
evidence: [{type: screenshot, match: 'shots/**'}]
setup: {install: none, build: [[npm, run, build], [make]]}
environment: {allow: [LICENCE]}
checks:
  - {id: t, kind: command, run: "a | b", shell: true, report: {format: junit, path: out/r.xml}, timeout: 2m, max_output: 1MB, min_tests: 5, directory: pkg}
  - {id: f, kind: file, path: README.md, contains: x, matches: ['^y'], min_bytes: 1, max_bytes: 9, sha256: ${'A'.repeat(64)}}
  - {id: g, kind: file, path: gone, exists: false}
`;
    const criteria = await parse(text);
    expect(criteria).toMatchObject({
      name: 'default',
      digest: createHash('sha256').update(text).digest('hex'),
      appliesTo: ['code', 'docs'],
      requiresQualityValidation: true,
      allowChanges: true,
      evidence: [{ type: 'screenshot', match: 'shots/**' }],
      setup: { install: 'none', build: [['npm', 'run', 'build'], ['make']] },
      allow: ['LICENCE'],
    });
    expect(criteria.checks).toEqual([
      {
        id: 't',
        kind: 'command',
        argv: ['/bin/sh', '-c', 'a | b'],
        format: 'junit',
        reportPath: 'out/r.xml',
        timeoutMs: 120_000,
        maxOutput: 1_000_000,
        minTests: 5,
        directory: 'pkg',
        inputs: [],
        apart: false,
      },
      {
        id: 'f',
        kind: 'file',
        path: 'README.md',
        exists: true,
        contains: ['x'],
        matches: ['^y'],
        minBytes: 1,
        maxBytes: 9,
        sha256: 'a'.repeat(64),
      },
      { id: 'g', kind: 'file', path: 'gone', exists: false },
    ]);
  });

  it('fills in the defaults, and reads JSON with tabs', async () => {
    const yaml = await parse(checks(tests));
    expect(yaml).toMatchObject({
      appliesTo: ['code', 'refactor', 'chore', 'tests', 'docs', 'research', 'verification-only'],
      requiresQualityValidation: false,
      allowChanges: false,
      evidence: [],
      setup: { install: 'auto', build: [] },
      allow: [],
    });
    expect(yaml.checks[0]).toMatchObject({
      argv: ['npm', 'test'],
      minTests: 1,
      timeoutMs: 600_000,
      maxOutput: 10_000_000,
      directory: '',
    });
    const json = {
      schema: 'countersign/criteria/1',
      name: 'default',
      checks: [{ id: 't', kind: 'command', run: ['npm', 'test'], report: { format: 'tap' } }],
    };
    expect((await parse(JSON.stringify(json, null, '\t'))).checks).toEqual(yaml.checks);
  });

  it('counts what the set-up builds to what a change is looked at for', async () => {
    const build = `${head}setup: {build: [[npm, run, build]]}\nchecks:\n  - {id: change, kind: diff}\n`;
    const { checks } = await parseCriteria(Buffer.from(build), 'a.yaml');
    expect(checks[0]).toMatchObject({ commands: [{ argv: ['npm', 'run', 'build'], directory: '' }] });
  });

  it('lists all problems with their places', async () => {
    expect(
      await problems(`schema: 2
name: Bad Name
extra: 1
applies_to: [code, cooking]
setup: {install: maybe, build: [make], more: 1}
environment: {allow: [NODE_OPTIONS]}
evidence: [{type: x}]
checks:
  - {id: a, kind: command, run: npm test, report: {format: exit, path: x}, min_tests: 2, timeout: 5, max_output: lots, directory: ../up}
  - {id: a, kind: file, path: /etc/passwd, matches: '(', sha256: abc, colour: red}
  - {id: b, kind: dance}
  - {id: c, kind: command, run: [], report: {format: xml}}
  - {id: d, kind: file, path: x, exists: false, contains: y}
  - {id: e, kind: command, run: [x]}
  - 7
`),
    ).toEqual(
      expect.arrayContaining([
        'schema: must be one of countersign/criteria/1',
        expect.stringMatching(/^extra: is not a known key; known here: schema, name/),
        'applies_to: knows code, refactor, chore, tests, docs, research, verification-only, not cooking',
        'evidence[0].match: is missing; it must be a text that is not empty',
        'setup.build[0]: must be a list of words',
        'setup.install: must be one of auto, none',
        'setup.more: is not a known key; known here: install, build',
        'environment.allow: cannot let through NODE_OPTIONS: it decides which code runs',
        'checks[0].run: must be a list of words; a text is only run with shell: true',
        'checks[0].report.path: has no use with the format exit',
        'checks[0].min_tests: needs a report format that names tests',
        'checks[0].timeout: must look like 120s or 10m',
        'checks[0].max_output: must look like 10MB or 512KiB',
        'checks[0].directory: must be a path inside the checkout',
        'checks[1].id: a is used twice',
        'checks[1].path: must be a path inside the checkout',
        'checks[1].matches: is no regular expression: (',
        'checks[1].sha256: must be 64 hex digits',
        expect.stringContaining('checks[1].colour: is not a known key; known here: id, kind, owner, path'),
        expect.stringContaining('checks[2].kind: must be one of command, file'),
        'checks[3].run: must be a list of texts that are not empty',
        'checks[3].report.format: must be one of exit, tap, node, junit, ctrf, vitest, jest, mocha, go, cargo, pytest',
        'checks[4].exists: false leaves nothing to look into',
        'checks[5].report: is missing; for the exit code alone say {format: exit}',
        'checks[6]: must be a mapping',
      ]),
    );
  });

  it.each([
    ['no checks', head],
    ['empty checks', `${head}checks: []\n`],
    ['checks that are no list', `${head}checks: {}\n`],
    ['a key twice', `${head}name: other\nchecks:\n  - ${tests}\n`],
    ['a list', '- a\n'],
    ['nothing', ''],
    ['a broken document', 'a: [\n'],
    ['two documents', `${checks(tests)}---\n${checks(tests)}`],
    ['a shell with words', checks('{id: t, kind: command, run: [a], shell: true, report: {format: tap}}')],
    ['an unknown tag', `${head}checks: !run\n  - ${tests}\n`],
  ])('refuses %s', async (_, text) => {
    await expect(parse(text)).rejects.toMatchObject({ code: 'BAD_CRITERIA' });
  });

  it('refuses an alias bomb and bytes that are no text', async () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${['b', 'c', 'd', 'e', 'f'].map((k, i) => `${k}: &${k} [${Array(9).fill(`*${'abcde'[i]}`)}]`).join('\n')}\n`;
    await expect(parse(bomb)).rejects.toMatchObject({ code: 'BAD_CRITERIA' });
    await expect(parseCriteria(Uint8Array.of(0xff, 0xfe, 0x80), 'c')).rejects.toMatchObject({
      code: 'BAD_CRITERIA',
    });
  });

  it('throws nothing but BAD_CRITERIA, whatever the document', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json(), fc.string()), async (text) => {
        expect(
          await parse(text).then(
            () => 'valid',
            (error: unknown) => error,
          ),
        ).toBeInstanceOf(RunnerError);
      }),
    );
  });
});

describe('the bounds of a criteria file', () => {
  const many = (count: number) =>
    checks(...Array.from({ length: count }, (_, i) => `{id: c${i}, kind: file, path: a}`));

  it('refuses a file over 256 KiB unread, and takes one of exactly that size', async () => {
    const full = checks(tests).padEnd(256 * 1024, '\n');
    expect((await parse(full)).checks).toHaveLength(1);
    expect(await problems(`${full}\n[`)).toEqual(['document: has 262146 bytes, at most 262144 are allowed']);
  });

  it('refuses more than 500 checks', async () => {
    expect((await parse(many(500))).checks).toHaveLength(500);
    expect(await problems(many(501))).toEqual(['checks: has 501 entries, at most 500 are allowed']);
  });

  it('names 50 problems and counts the rest', async () => {
    const found = await problems(many(60).replaceAll('path: a', 'path: /a'));
    expect(found).toHaveLength(51);
    expect(found.at(-1)).toBe('and 10 more');
  });

  it('keeps the id of its own finding', async () => {
    const own = checks('{id: tracked-files, kind: file, path: a}');
    expect(await problems(own)).toEqual(["checks[0].id: tracked-files is the runner's own"]);
  });
});

describe('planChecks', () => {
  it('plans nothing for a kind that the criteria leave out', async () => {
    const criteria = await parse(`${checks(tests)}applies_to: [docs]\n`);
    const asked = { criteria, acceptance: undefined, acceptanceIndependent: false };
    expect(planChecks({ ...asked, item: { kind: 'docs', noChange: false } }).checks).toHaveLength(1);
    expect(planChecks({ ...asked, item: { kind: 'code', noChange: false } })).toMatchObject({
      checks: [],
      because: expect.stringContaining('code'),
    });
  });

  it('adds a review where nothing was changed and nobody outside looks', async () => {
    const last = async (text: string, more = {}, kind = 'code') => {
      const given = { acceptance: undefined, acceptanceIndependent: false, item: { kind, noChange: true } };
      return planChecks({ criteria: await parse(text), ...given, ...more }).checks.at(-1)?.id;
    };
    expect(await last(checks(tests))).toBe('no-change');
    expect(await last(checks(tests), {}, 'research')).toBe('t');
    expect(await last(checks(`${tests}\n  - {id: r, kind: review}`))).toBe('r');
    const acceptance = Buffer.from('{}');
    expect(await last(checks(tests), { acceptance })).toBe('no-change');
    expect(await last(checks(tests), { acceptance, acceptanceIndependent: true })).toBe('item-acceptance');
  });
});

describe('units', () => {
  it.each([
    ['500ms', 500],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['0s', undefined],
    ['5', undefined],
    ['999999999h', undefined],
    ['1constructor', undefined],
    ['-1s', undefined],
  ])('reads the duration %s', (text, expected) => expect(parseDuration(text)).toBe(expected));
  it.each([
    ['1B', 1],
    ['10MB', 10_000_000],
    ['512KiB', 524_288],
    ['10mb', undefined],
    ['', undefined],
  ])('reads the size %s', (text, expected) => expect(parseSize(text)).toBe(expected));
});
