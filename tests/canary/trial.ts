import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import {
  type CanaryJudgement,
  judgeCanaries,
  type Planted,
  plantCanaries,
} from '../../src/runner/controls/canary.ts';
import { parserOf, type ReportFormat } from '../../src/runner/parsers/index.ts';

export type Files = Readonly<Record<string, string>>;

/** A project of one test program: what its files are, given the text of the source that they test. */
export interface Project {
  readonly format: ReportFormat;
  readonly argv: readonly string[];
  /** Name and kind of the source that is tested. */
  readonly source: string;
  readonly modules: boolean;
  readonly files: Files;
  /** What its own tests come to, in honest work. */
  readonly own: readonly string[];
}

export interface Tried extends CanaryJudgement {
  readonly planted: Planted;
  readonly own: readonly string[];
  readonly reason: string | undefined;
  readonly stdout: string;
}

/** The source of a project: what it does when it is loaded, and when its function is called. */
export const sourceOf = ({ modules }: Project, loaded = '', called = ''): string =>
  `${loaded}\n${modules ? 'export const' : 'exports.'}${modules ? ' ' : ''}sum = (a, b) => { ${called} return a + b; };\n`;

/** Plants into the files below test/, runs the project's own program, and judges. `top`: also at the top of files. */
export async function tried(project: Project, source: string, top = false): Promise<Tried> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'canary-'));
  try {
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    for (const [path, text] of Object.entries({ ...project.files, [project.source]: source })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const tests = Object.keys(project.files).filter((path) => path.startsWith('test/'));
    const random = (bytes: number) => (bytes === 1 ? Buffer.from([top ? 0 : 1]) : randomBytes(bytes));
    const planted = await plantCanaries(folder, tests, project.format, 'the secret', random);
    const [program = '', ...args] = project.argv;
    const { stdout } = spawnSync(program, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: folder },
    });
    const report = (await parserOf(project.format))(stdout) ?? { tests: [], complete: false };
    const judged = judgeCanaries(planted, report);
    const own = judged.tests.tests.map(({ name, outcome }) => `${outcome} ${name}`).sort();
    return { ...judged, planted, own, reason: judged.problem?.reason, stdout };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
