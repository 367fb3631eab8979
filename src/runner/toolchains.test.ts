import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isAllowableName, scrubbedEnvironment } from './environment.ts';
import { placesFor, toolchains } from './toolchains.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'home-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const both = ['RUSTUP_HOME', 'CARGO_HOME'];

function install(folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'cargo'), '#!/bin/sh\n');
  chmodSync(join(folder, 'cargo'), 0o755);
  return folder;
}

it('finds what was allowed in the home of the account, and what is not there is left out', () => {
  const programs = install(join(home, '.cargo/bin'));
  expect(toolchains(['CARGO_HOME'], home)).toEqual({
    variables: { CARGO_HOME: join(home, '.cargo') },
    programs: [programs],
  });
  expect(toolchains([], home)).toEqual({ variables: {}, programs: [] });
});

it('says which places a program needs: none where nothing lies there, undefined where it is nowhere', () => {
  expect(placesFor('cargo', '/nowhere', home)).toBeUndefined();
  expect(placesFor('cargo', install(join(home, 'system')), home)).toEqual([]);
  install(join(home, '.cargo/bin'));
  mkdirSync(join(home, '.rustup'));
  expect(placesFor('cargo', '/nowhere', home)).toEqual(both);
  expect(placesFor('go', '/nowhere', home)).toBeUndefined();
});

it('never takes the place that the caller names, and never looks there first', () => {
  const caller = { CARGO_HOME: '/evil', RUSTUP_HOME: '/evil', RUSTC: '/evil' };
  const request = { home: '/r/h', tmp: '/r/t', ceiling: '/r', allow: [...both, 'RUSTC'] };
  const env = scrubbedEnvironment(request, caller);
  expect(JSON.stringify(env)).not.toContain('/evil');
  expect(env.PATH?.split(':')[0]).toBe(join(process.execPath, '..'));
  expect(both.map(isAllowableName)).toEqual([true, true]);
  expect(['CARGO', 'CARGO_TARGET_DIR', 'RUSTC', 'RUSTFLAGS', 'RUSTUP_TOOLCHAIN'].some(isAllowableName)).toBe(
    false,
  );
});
