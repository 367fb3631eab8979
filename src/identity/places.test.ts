import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSigner, loadSigner, type Place, placeOf, readToken, stateHome, writeToken } from './places.ts';
import { ownUid, privateDirectory, readPrivate } from './private-file.ts';

const TOKEN = `cs_${'a'.repeat(43)}`;
const OTHER = `cs_${'b'.repeat(43)}`;
const failing = (code: string, message = '') =>
  expect.objectContaining({ code, message: expect.stringContaining(message) });
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

let home: string;
let place: Place;
const tokenPath = () => join(place.directory, 'tokens', 'dev');
const keyPath = () => join(place.directory, 'keys', 'runner.pem');
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'countersign-places-'));
  place = placeOf(stateHome({ XDG_STATE_HOME: home }), 'repo-1');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('the state home is XDG_STATE_HOME, or .local/state of the home folder', () => {
  expect(stateHome({ XDG_STATE_HOME: '/s', HOME: '/h' })).toBe('/s');
  expect(stateHome({ XDG_STATE_HOME: 'relative', HOME: '/h' })).toBe('/h/.local/state');
  expect(stateHome({ XDG_STATE_HOME: '', HOME: '/h' })).toBe('/h/.local/state');
  expect(stateHome({})).toBe(join(homedir(), '.local/state'));
  expect(place.directory).toBe(join(home, 'countersign', 'repo-1'));
});

test('files are for their user alone, and so are their folders, whatever the umask', () => {
  const before = process.umask(0);
  try {
    writeToken(place, 'dev', TOKEN);
    createSigner(place, 'runner');
  } finally {
    process.umask(before);
  }
  expect([tokenPath(), keyPath()].map(mode)).toEqual(['600', '600']);
  expect([place.directory, join(place.directory, 'tokens'), join(place.directory, 'keys')].map(mode)).toEqual(
    ['700', '700', '700'],
  );
});

test('a token comes back as written, the newest one, and no draft stays behind', () => {
  writeToken(place, 'dev', OTHER);
  writeToken(place, 'dev', TOKEN);
  expect(readToken(place, 'dev')).toBe(TOKEN);
  expect(readdirSync(join(place.directory, 'tokens'))).toEqual(['dev']);
});

test('a signer is made once and loaded as the same key', () => {
  const made = createSigner(place, 'runner');
  expect(() => createSigner(place, 'runner')).toThrow(failing('EXISTS'));
  expect(loadSigner(place, 'runner').keyid).toBe(made.keyid);
  expect(readdirSync(join(place.directory, 'keys'))).toEqual(['runner.pem']);
});

test.each([0o640, 0o604, 0o620])(
  'a file that others can reach is refused, with the line that mends it',
  (bits) => {
    writeToken(place, 'dev', TOKEN);
    createSigner(place, 'runner');
    chmodSync(tokenPath(), bits);
    chmodSync(keyPath(), bits);
    expect(() => readToken(place, 'dev')).toThrow(failing('OPEN_TO_OTHERS', `chmod 600 '${tokenPath()}'`));
    expect(() => loadSigner(place, 'runner')).toThrow(failing('OPEN_TO_OTHERS', `chmod 600 '${keyPath()}'`));
  },
);

test('a folder that others can enter is refused, for reading and for writing', () => {
  writeToken(place, 'dev', TOKEN);
  chmodSync(place.directory, 0o755);
  const refused = failing('OPEN_TO_OTHERS', `chmod 700 '${place.directory}'`);
  expect(() => readToken(place, 'dev')).toThrow(refused);
  expect(() => writeToken(place, 'dev', TOKEN)).toThrow(refused);
});

test('a link is not followed when reading and is replaced when writing', () => {
  writeToken(place, 'other', OTHER);
  const elsewhere = join(place.directory, 'tokens', 'other');
  symlinkSync(elsewhere, tokenPath());
  expect(() => readToken(place, 'dev')).toThrow(failing('NOT_A_FILE'));
  writeToken(place, 'dev', TOKEN);
  expect(readToken(place, 'dev')).toBe(TOKEN);
  expect(readFileSync(elsewhere, 'utf8')).toBe(`${OTHER}\n`);
});

test('a link in the place of a key is not written through', () => {
  createSigner(place, 'checkpoint');
  const target = join(home, 'target');
  symlinkSync(target, keyPath());
  expect(() => createSigner(place, 'runner')).toThrow(failing('EXISTS'));
  expect(readdirSync(home)).not.toContain('target');
});

test('a link in the place of the folder, a pipe in the place of the file', () => {
  writeToken(place, 'dev', TOKEN);
  symlinkSync(join(place.directory, 'tokens'), join(place.directory, 'keys'));
  expect(() => loadSigner(place, 'dev')).toThrow(failing('NOT_A_FILE'));
  rmSync(tokenPath());
  execFileSync('mkfifo', ['-m', '600', tokenPath()]);
  expect(() => readToken(place, 'dev')).toThrow(failing('NOT_A_FILE'));
});

test('a file or folder of another user is refused', () => {
  writeToken(place, 'dev', TOKEN);
  expect(() => readPrivate(tokenPath(), ownUid() + 1)).toThrow(failing('FOREIGN_OWNER'));
  expect(() => privateDirectory(place.directory, ownUid() + 1)).toThrow(failing('FOREIGN_OWNER'));
});

test('what is missing is named with its place', () => {
  expect(() => readToken(place, 'dev')).toThrow(failing('MISSING', tokenPath()));
  expect(() => loadSigner(place, 'runner')).toThrow(failing('MISSING', keyPath()));
});

test('no name leads out of the folder', () => {
  for (const name of ['../dev', '', '.', 'a/b', 'Dev']) {
    expect(() => readToken(place, name)).toThrow(failing('BAD_NAME'));
    expect(() => writeToken(place, name, TOKEN)).toThrow(failing('BAD_NAME'));
    expect(() => createSigner(place, name)).toThrow(failing('BAD_NAME'));
    expect(() => placeOf(home, name)).toThrow(failing('BAD_NAME'));
  }
});

test('other content is refused without showing it', () => {
  writeToken(place, 'dev', TOKEN);
  createSigner(place, 'runner');
  writeFileSync(tokenPath(), 'hunter2');
  writeFileSync(keyPath(), 'hunter2');
  const silent = (code: string) =>
    expect.objectContaining({ code, message: expect.not.stringContaining('hunter2') });
  expect(() => readToken(place, 'dev')).toThrow(silent('BAD_TOKEN'));
  expect(() => loadSigner(place, 'runner')).toThrow(silent('BAD_KEY'));
  expect(() => writeToken(place, 'dev', 'hunter2')).toThrow(silent('BAD_TOKEN'));
});
