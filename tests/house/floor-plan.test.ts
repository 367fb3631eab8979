import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Modules that the wrong houses below import; each is innocent where it stands. */
const FURNITURE: Record<string, string> = {
  'src/kernel/decide.ts': 'export const decide = 1;',
  'src/kernel/index.ts': "export { decide } from './decide.ts';",
  'src/kernel/guards/index.ts': "export { decide } from '../decide.ts';",
  'src/attestation/sign.ts': "import { sign } from 'node:crypto';\nexport const attest = sign;",
  'src/protocols/goals.ts': "import { decide } from '../kernel/decide.ts';\nexport const goals = decide;",
  'src/store/store.ts': 'export interface Store { readonly open: boolean }',
  'src/store/sqlite/open.ts':
    "import type { Store } from '../store.ts';\nimport Database from 'better-sqlite3';\nexport const open = (): Store => ({ open: new Database(':memory:').open });",
  'src/identity/roster.ts': "import { decide } from '../kernel/decide.ts';\nexport const roster = decide;",
  'src/workspace/git.ts': "import { spawn } from 'node:child_process';\nexport const git = spawn;",
  'src/engine/claim.ts':
    "import type { Store } from '../store/store.ts';\nimport { git } from '../workspace/git.ts';\nexport const claim = (store: Store) => [store, git];",
  'src/cli/cli.ts':
    "import { Command } from 'commander';\nimport { claim } from '../engine/claim.ts';\nexport const cli = [Command, claim];",
  'src/mcp/server.ts': "import { claim } from '../engine/claim.ts';\nexport const server = claim;",
  'src/compose.ts':
    "import { open } from './store/sqlite/open.ts';\nimport { claim } from './engine/claim.ts';\nexport const compose = () => claim(open());",
  'src/main.ts':
    "import { cli } from './cli/cli.ts';\nimport { compose } from './compose.ts';\nconsole.log(cli, compose);",
  'src/index.ts': "export { compose } from './compose.ts';",
  'src/engine/claim.test.ts':
    "import { expect } from 'vitest';\nimport { open } from '../store/sqlite/open.ts';\nimport { claim } from './claim.ts';\nexpect(claim(open()));",
  'tests/given.ts': "import { decide } from '../src/kernel/decide.ts';\nexport const given = decide;",
};

/** The rule that must fire, the file that breaks it, and how. */
const WRONG: [rule: string, file: string, text: string][] = [
  [
    'kernel-and-protocols-are-pure',
    'src/kernel/clock.ts',
    "import { hrtime } from 'node:process';\nexport const now = hrtime;",
  ],
  [
    'kernel-and-protocols-are-pure',
    'src/protocols/read.ts',
    "import { parse } from 'yaml';\nexport const read = parse;",
  ],
  [
    'kernel-reaches-only-down',
    'src/kernel/known.ts',
    "import { goals } from '../protocols/goals.ts';\nexport const known = goals;",
  ],
  [
    'attestation-needs-crypto-only',
    'src/attestation/pack.ts',
    "import { readFileSync } from 'node:fs';\nexport const pack = readFileSync;",
  ],
  [
    'attestation-reaches-only-down',
    'src/attestation/act.ts',
    "import { decide } from '../kernel/decide.ts';\nexport const act = decide;",
  ],
  [
    'protocols-reaches-only-down',
    'src/protocols/signed.ts',
    "import { attest } from '../attestation/sign.ts';\nexport const signed = attest;",
  ],
  [
    'identity-reaches-only-down',
    'src/identity/saved.ts',
    "import type { Store } from '../store/store.ts';\nexport type Saved = Store;",
  ],
  [
    'store-reaches-only-down',
    'src/store/owner.ts',
    "import { roster } from '../identity/roster.ts';\nexport const owner = roster;",
  ],
  [
    'engine-reaches-only-down',
    'src/engine/say.ts',
    "import { cli } from '../cli/cli.ts';\nexport const say = cli;",
  ],
  [
    'store-adapters-only-in-compose',
    'src/engine/save.ts',
    "import { open } from '../store/sqlite/open.ts';\nexport const save = open;",
  ],
  [
    'store-adapters-only-in-compose',
    'src/store/view.ts',
    "import { open } from './sqlite/open.ts';\nexport const view = open;",
  ],
  [
    'cli-reaches-only-down',
    'src/cli/serve.ts',
    "import { server } from '../mcp/server.ts';\nexport const serve = server;",
  ],
  [
    'mcp-reaches-only-down',
    'src/mcp/diff.ts',
    "import { git } from '../workspace/git.ts';\nexport const diff = git;",
  ],
  [
    'compose-is-called-from-the-top',
    'src/cli/start.ts',
    "import { compose } from '../compose.ts';\nexport const start = compose;",
  ],
  ['no-circles', 'src/kernel/a.ts', "import type { B } from './b.ts';\nexport type A = B | 1;"],
  ['no-orphans', 'src/kernel/left-over.ts', 'export const over = 1;'],
  [
    'not-through-the-own-front-door',
    'src/kernel/guards/me.ts',
    "import { decide } from './index.ts';\nexport const me = decide;",
  ],
  [
    'not-through-the-front-door-of-the-room',
    'src/kernel/guards/up.ts',
    "import { decide } from '../index.ts';\nexport const up = decide;",
  ],
  [
    'not-through-the-front-door-of-the-house',
    'src/kernel/out.ts',
    "import { compose } from '../index.ts';\nexport const out = compose;",
  ],
  ['no-drawers', 'src/kernel/count.ts', "import type { N } from './types.ts';\nexport const count: N = 1;"],
  [
    'processes-only-where-they-are-the-world',
    'src/engine/kill.ts',
    "import { spawn } from 'node:child_process';\nexport const kill = spawn;",
  ],
  ['zod-in-its-room', 'src/engine/shape.ts', "import { z } from 'zod';\nexport const shape = z.string();"],
  [
    '@modelcontextprotocol/server-in-its-room',
    'src/hooks/serve.ts',
    "import { McpServer } from '@modelcontextprotocol/server';\nexport const serve = McpServer;",
  ],
  ['yaml-in-its-room', 'src/engine/claims.ts', "import { parse } from 'yaml';\nexport const claims = parse;"],
  [
    'commander-in-its-room',
    'src/mcp/words.ts',
    "import type { Command } from 'commander';\nexport type Words = Command;",
  ],
  [
    'better-sqlite3-in-its-room',
    'src/engine/raw.ts',
    "import Database from 'better-sqlite3';\nexport const raw = Database;",
  ],
  ['hono-in-its-room', 'src/engine/answered.ts', "import { Hono } from 'hono';\nexport const asked = Hono;"],
  [
    '@hono/node-server-in-its-room',
    'src/engine/listened.ts',
    "import { serve } from '@hono/node-server';\nexport const asked = serve;",
  ],
  ['pg-in-its-room', 'src/engine/asked.ts', "import { Pool } from 'pg';\nexport const asked = Pool;"],
  ['no-other-package', 'src/engine/fast.ts', "import { build } from 'esbuild';\nexport const fast = build;"],
  [
    'no-dev-dependency-in-production',
    'src/engine/fast.ts',
    "import { build } from 'esbuild';\nexport const fast = build;",
  ],
  [
    'everything-resolves',
    'src/engine/gone.ts',
    "import { gone } from './nowhere.ts';\nexport const was = gone;",
  ],
  [
    'production-imports-no-outbuilding',
    'src/engine/given.ts',
    "import { given } from '../../tests/given.ts';\nexport const g = given;",
  ],
  ['nothing-imports-a-test', 'src/engine/odd.ts', "import '../engine/claim.test.ts';\nexport const odd = 1;"],
  [
    'tap-parser-in-its-room',
    'src/runner/tap.ts',
    "import { Parser } from 'tap-parser';\nexport const tap = Parser;",
  ],
  [
    'fast-xml-parser-in-its-room',
    'src/runner/xml.ts',
    "import { XMLParser } from 'fast-xml-parser';\nexport const xml = XMLParser;",
  ],
  ['only-declared-packages', 'tests/lucky.ts', "import { parse } from 'acorn';\nexport const lucky = parse;"],
  [
    'runner-reaches-only-down',
    'src/runner/tree.ts',
    "import { git } from '../workspace/git.ts';\nexport const tree = git;",
  ],
  [
    'agents-reaches-only-down',
    'src/agents/who.ts',
    "import { roster } from '../identity/roster.ts';\nexport const who = roster;",
  ],
  [
    'workspace-reaches-only-down',
    'src/workspace/own.ts',
    "import { claim } from '../engine/claim.ts';\nexport const own = claim;",
  ],
  [
    'hooks-reaches-only-down',
    'src/hooks/ask.ts',
    "import { cli } from '../cli/cli.ts';\nexport const ask = cli;",
  ],
  [
    'http-reaches-only-down',
    'src/http/tools.ts',
    "import { server } from '../mcp/server.ts';\nexport const tools = server;",
  ],
];

describe('the floor plan', () => {
  let house = '';
  const furnish = (files: Record<string, string>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(house, path)), { recursive: true });
      writeFileSync(join(house, path), `${text}\n`);
    }
  };
  const cruise = (): { rule: { name: string }; from: string }[] => {
    const bin = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
    const args = [bin, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src', 'tests'];
    const { stdout } = spawnSync(process.execPath, args, {
      cwd: house,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    return JSON.parse(stdout).summary.violations;
  };

  beforeAll(() => {
    house = mkdtempSync(join(tmpdir(), 'house-'));
    for (const file of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json']) {
      cpSync(join(root, file), join(house, file));
    }
    symlinkSync(join(root, 'node_modules'), join(house, 'node_modules'));
    furnish(FURNITURE);
  });
  afterAll(() => rmSync(house, { recursive: true, force: true }));

  it('allows what it should', () => {
    expect(cruise()).toEqual([]);
  });

  it('fires each rule on the file that breaks it', () => {
    furnish(Object.fromEntries(WRONG.map(([, file, text]) => [file, text])));
    furnish({
      'src/kernel/b.ts': "import type { A } from './a.ts';\nexport type B = A | 2;",
      'src/kernel/types.ts': "import { decide } from './decide.ts';\nexport type N = typeof decide;",
    });
    const fired = cruise().map((violation) => `${violation.rule.name} ${violation.from}`);
    expect(fired).toEqual(expect.arrayContaining(WRONG.map(([rule, file]) => `${rule} ${file}`)));
  });

  it('has no rule that was never seen to fire', () => {
    const plan: { forbidden: { name: string }[] } = createRequire(import.meta.url)(
      join(root, '.dependency-cruiser.cjs'),
    );
    expect(new Set(WRONG.map(([rule]) => rule))).toEqual(new Set(plan.forbidden.map(({ name }) => name)));
  });
});
