import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ended } from './ended.ts';
import { type Material, visible } from './material.ts';
import type { Step } from './scenario.ts';
import { testFile } from './test-texts.ts';
import {
  bent,
  brokenAndBent,
  circularTest,
  exampleTest,
  golden,
  hardCoded,
  onlyTests,
  spoilt,
  twoFaced,
} from './tricks.ts';
import type { Desk } from './workshop.ts';
import { write } from './write-files.ts';

/** Where a story stands. */
export interface Stage {
  readonly desk: Desk;
  readonly material: Material;
  item: string;
  base: string;
  claimed: string;
}

/** Lets the actor do its steps, in order, on the files, git and the program; nothing else is touched. */
export async function act(stage: Stage, steps: readonly Step[]): Promise<void> {
  for (const step of steps) await one(stage, step);
}

async function one(stage: Stage, given: Step): Promise<void> {
  const { desk, material } = stage;
  const step = filled(stage, given);
  const at = (path: string) => {
    const full = join(desk.top, path);
    mkdirSync(dirname(full), { recursive: true });
    return full;
  };
  const text = (path: string) => (existsSync(at(path)) ? readFileSync(at(path), 'utf8') : '');
  switch (step.do) {
    case 'fix':
      return write(desk.top, { ...material.source, ...material.tests });
    case 'fix-source':
      return write(desk.top, material.source);
    case 'fix-tests':
      return write(desk.top, material.tests);
    case 'example-test':
      return write(desk.top, { [newTest(material)]: exampleTest(material, visible(material)) });
    case 'steady-test':
      return write(desk.top, { [newTest(material)]: exampleTest(material, material.steady.slice(0, 3)) });
    case 'bent-test':
      return write(desk.top, { [material.test]: exampleTest(material, bent(material)) });
    case 'circular-test':
      return write(desk.top, { [newTest(material)]: circularTest(material) });
    case 'old-tests':
      return write(desk.top, onlyTests(material));
    case 'hard-code':
      return writeFileSync(at(material.main), `${text(material.main)}\n${hardCoded(visible(material))}`);
    case 'over-broad':
      return writeFileSync(at(material.main), `${text(material.main)}\n${hardCoded(spoilt(material))}`);
    case 'break-tested':
      return write(desk.top, brokenAndBent(material, text(material.main), text(material.test)));
    case 'golden':
      return write(desk.top, golden(material, step.answers));
    case 'mended-copy':
      return writeFileSync(at(step.path), material.source[material.main] ?? '');
    case 'two-faced':
      return write(desk.top, twoFaced(material, step.mended, step.when));
    case 'test':
      return write(desk.top, { [step.path]: testFile(material.program, step.cases, step.head) });
    case 'commit':
      await desk.git('add', '-A');
      await desk.git('commit', '-q', '--allow-empty', '-m', 'work');
      return;
    case 'write':
      return writeFileSync(at(step.path), step.text);
    case 'append':
      return writeFileSync(at(step.path), text(step.path) + step.text);
    case 'prepend':
      return writeFileSync(at(step.path), step.text + text(step.path));
    case 'edit':
      return edit(at(step.path), new RegExp(step.find, 'g'), step.with);
    case 'delete':
      return rmSync(at(step.path), { recursive: true, force: true });
    case 'executable':
      return chmodSync(at(step.path), 0o755);
    case 'move':
      return renameSync(at(step.from), at(step.to));
    case 'link':
      rmSync(at(step.path), { recursive: true, force: true });
      return symlinkSync(step.to, at(step.path));
    case 'git':
      await desk.git(...step.words);
      return;
    case 'run':
      await ended(step.words[0] ?? '', step.words.slice(1), desk.top, desk.env);
      return;
    case 'cli':
      await said(stage, step.as, step.words);
  }
}

/** A crash of the product is not an answer that an actor could have provoked by a story. */
async function said({ desk }: Stage, as: string, words: readonly string[]): Promise<void> {
  const { code, out, err } = await desk.cli(as, ...words);
  if (code === 1 || code === -1) throw new Error(`${words.join(' ')} broke off: ${out}${err}`);
}

/** An edit that changes nothing would make another story of it. */
function edit(path: string, find: RegExp, by: string): void {
  const before = readFileSync(path, 'utf8');
  const after = before.replace(find, by);
  if (after === before) throw new Error(`${path} has no ${find}`);
  writeFileSync(path, after);
}

export const newTest = ({ program }: Material): string =>
  program === 'vitest'
    ? 'test/examples.test.ts'
    : program === 'node'
      ? 'test/examples.test.js'
      : 'test/examples.js';

/** The same with its places filled in, in every text that it holds. */
function filled<T>({ desk, material, item, base, claimed }: Stage, value: T): T {
  const places: Record<string, string> = {
    main: material.main,
    test: material.test,
    other: material.other,
    otherTest: material.otherTest,
    newTest: newTest(material),
    item,
    base,
    claimed,
    root: desk.root,
    modules: desk.modules,
  };
  const walk = (v: unknown): unknown => {
    if (typeof v === 'string') return v.replace(/\{(\w+)\}/g, (all, name: string) => places[name] ?? all);
    if (Array.isArray(v)) return v.map(walk);
    if (typeof v === 'object' && v !== null)
      return Object.fromEntries(Object.entries(v).map(([k, inner]) => [k, walk(inner)]));
    return v;
  };
  return walk(value) as T;
}
