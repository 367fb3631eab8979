import { EngineError } from '../../engine/engine-error.ts';
import { didYouMean } from '../../kernel/nearest.ts';
import type { Cli } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { printAnswer } from '../print.ts';
import type { Register } from '../register.ts';
import { sectionOf, shippedPage } from '../shipped-page.ts';

export const criteriaFormat: Register = (group, run) => {
  group
    .command('format [part]')
    .description('how a criteria file is written; of one kind of check, or of acceptance examples, its keys')
    .action((part: string | undefined) => run(async (cli) => format(cli, part)));
};

const FILE = 'docs/formats/criteria.md';
const PAGE = 'docs/verification.md';

/** Where each part is described: the page, and how its heading is told from the others. */
const PARTS: { readonly [part: string]: { readonly page: string; readonly heading: RegExp } } = {
  command: { page: FILE, heading: /^`kind: command`$/ },
  file: { page: FILE, heading: /^`kind: file`$/ },
  tests: { page: PAGE, heading: /^Tests, / },
  diff: { page: PAGE, heading: /^diff$/ },
  mutation: { page: PAGE, heading: /^mutation$/ },
  artifact: { page: PAGE, heading: /^artifact$/ },
  image: { page: PAGE, heading: /^image, / },
  coverage: { page: PAGE, heading: /, coverage$/ },
  review: { page: PAGE, heading: /^review, / },
  approval: { page: PAGE, heading: /, approval$/ },
  acceptance: { page: PAGE, heading: /^Acceptance examples$/ },
};

function format(cli: Cli, part: string | undefined): ExitCode {
  const text = part === undefined ? whole() : textOf(part);
  printAnswer(cli.output, { data: { part: part ?? '', text }, text });
  return EXIT.ok;
}

function whole(): string {
  const parts = Object.keys(PARTS).map((part) => `  countersign criteria format ${part}`);
  return [shippedPage(FILE).trimEnd(), '', 'The keys of one part:', ...parts].join('\n');
}

function textOf(part: string): string {
  const found = Object.hasOwn(PARTS, part) ? PARTS[part] : undefined;
  if (found === undefined) {
    const known = Object.keys(PARTS);
    const what = `there is no part ${part} of a criteria file${didYouMean(part, known)}`;
    throw new EngineError('BAD_INPUT', what, `one of: ${known.join(', ')}`);
  }
  const section = sectionOf(shippedPage(found.page), (heading) => found.heading.test(heading));
  if (section !== undefined) return section.trimEnd();
  throw new EngineError(
    'NOT_FOUND',
    `${found.page} does not describe ${part}`,
    'countersign criteria format',
  );
}
