import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { COMMANDS } from '../src/cli/commands/index.ts';
import { EXIT } from '../src/cli/exit-code.ts';
import { BUILT_IN } from '../src/protocols/index.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const under = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
const pages = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...['docs', 'examples'].flatMap(under).filter((path) => path.endsWith('.md')),
];

/** Links of a page to files, without those in code; an anchor is kept. */
function linksOf(text: string): readonly string[] {
  const prose = text.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, to = '']) => to)
    .filter((to) => !/^[a-z]+:/.test(to));
}

/** The anchors that a page offers, by the rule of the hosts that show it. */
function anchorsOf(text: string): readonly string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title);
  return headings.map((title) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function broken(page: string, text: string): readonly string[] {
  return linksOf(text).filter((to) => {
    const [path = '', anchor = ''] = to.split('#');
    const target = path === '' ? join(ROOT, page) : resolve(ROOT, dirname(page), path);
    if (relative(ROOT, target).startsWith('..') || !existsSync(target)) return true;
    return anchor !== '' && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
  });
}

describe('pages', () => {
  test('there are pages to look at', () => expect(pages.length).toBeGreaterThan(20));

  test.each(pages)('%s: every link inside the repository leads somewhere', (page) => {
    expect(broken(page, read(page))).toEqual([]);
  });

  test('a link to nowhere, out of the repository or to a missing heading is found', () => {
    const text =
      '[a](nowhere.md) [b](../../etc) [c](README.md#no-such-heading) `[d](code.md)` [e](SECURITY.md)';
    expect(broken('README.md', text)).toEqual(['nowhere.md', '../../etc', 'README.md#no-such-heading']);
  });
});

describe('decisions', () => {
  const records = under('docs/decisions').filter((path) => /\/\d{4}-[a-z0-9-]+\.md$/.test(path));

  test('are numbered without a gap', () => {
    const numbers = records.map((path) => Number(path.slice('docs/decisions/'.length).slice(0, 4)));
    expect(numbers.sort((a, b) => a - b)).toEqual(records.map((_, i) => i + 1));
  });

  test.each(records)('%s is linked from the list and has the four headings', (path) => {
    expect(linksOf(read('docs/decisions/README.md'))).toContain(path.slice('docs/decisions/'.length));
    const headings = [...read(path).matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(headings).toEqual(['Context', 'Decision', 'Consequences', 'Alternatives']);
  });

  test('the list is linked from the architecture', () => {
    expect(linksOf(read('ARCHITECTURE.md'))).toContain('docs/decisions/README.md');
  });
});

describe('the README', () => {
  const text = read('README.md');

  test('names every exit code of the command line, and no other', () => {
    const table = text.slice(text.indexOf('| exit code |'));
    const named = [...table.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
    expect(named).toEqual(Object.values(EXIT));
  });

  test('uses only commands that exist', () => {
    const used = [...text.matchAll(/countersign (?:--actor \S+ )?([a-z][a-z-]*)/g)].map(
      ([, name = '']) => name,
    );
    expect(used.length).toBeGreaterThan(10);
    const known = COMMANDS.map(({ name }) => name);
    expect(used.filter((name) => !known.includes(name))).toEqual([]);
  });

  test('has the two lines that everything begins with, each on a line of its own', () => {
    for (const line of ['npm install && npm run demo', 'npm install && npm test'])
      expect(text.split('\n')).toContain(line);
  });
});

describe('the folder tree of the architecture', () => {
  test('names every folder of src', () => {
    const text = read('ARCHITECTURE.md');
    const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((e) => e.isDirectory());
    expect(folders.map((e) => e.name).filter((name) => !text.includes(`    ${name}/`))).toEqual([]);
  });
});

describe('generated pages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign docs '));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const docs = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/docs.mjs', ...args], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    return { status, said: stdout + stderr };
  };

  test('docs/protocols is what the protocols say', () => {
    expect(docs('--check')).toMatchObject({ status: 0 });
  });

  test('a page that is missing, edited or left over is found and nothing is written', () => {
    const into = ['--into', folder];
    expect(docs('--check', ...into)).toMatchObject({ status: 1 });
    expect(docs(...into).status).toBe(0);
    expect(docs('--check', ...into).status).toBe(0);
    const names = readdirSync(folder);
    expect(names.map((name) => name.replace('.md', '')).sort()).toEqual(Object.keys(BUILT_IN).sort());
    const [name = ''] = names;
    writeFileSync(join(folder, name), `${readFileSync(join(folder, name), 'utf8')}\nby hand\n`);
    writeFileSync(join(folder, 'left-over.md'), 'old');
    const checked = docs('--check', ...into);
    expect(checked.status).toBe(1);
    expect(checked.said).toContain(`${name} is not what its protocol says`);
    expect(checked.said).toContain('left-over.md has no protocol');
    expect(readdirSync(folder)).toContain('left-over.md');
    docs(...into);
    expect(readdirSync(folder)).toEqual(names);
  });
});
