import { accountability } from '../../engine/accountability.ts';
import { type AttentionQuery, attention } from '../../engine/attention.ts';
import { displayId } from '../../engine/display.ts';
import { EngineError } from '../../engine/engine-error.ts';
import { peekById } from '../../engine/handle.ts';
import type { Ports } from '../../engine/ports.ts';
import { type Listed, list as listItems } from '../../engine/query.ts';
import { doneOf } from '../../engine/reports.ts';
import { countUnfinished, unfinished } from '../../engine/unfinished.ts';
import { type Weakness, weaknessOf } from '../../engine/weak.ts';
import { shellWord } from '../../kernel/single-quoted.ts';
import { type Cli, withSession } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { asTyped, columns, printAnswer, printFailure } from '../print.ts';
import type { Register } from '../register.ts';

interface Options {
  readonly list?: string;
  readonly state: readonly string[];
  readonly category: readonly string[];
  readonly assignee?: string;
  readonly after: string;
  readonly limit: string;
  readonly assertDone?: boolean;
  readonly stuck?: boolean;
  readonly escalated?: boolean;
  readonly failing?: string | true;
}

const PAGE = '50';

export const list: Register = (program, run) => {
  program
    .command('list')
    .description('items, in pages')
    .option('--list <name>', 'only this list')
    .option('--state <states...>', 'only these states', [])
    .option('--category <categories...>', 'only these categories', [])
    .option('--assignee <actor>', 'only what this actor has')
    .option('--stuck', 'only what is past the allowance of its state, the longest first')
    .option('--escalated', 'only what waits for an intervention or a person')
    .option('--failing [n]', 'only what failed so often in one state, 2 times unless given')
    .option('--after <number>', 'continue after this number', '0')
    .option('--limit <n>', 'rows of a page, at most 500', PAGE)
    .option('--assert-done', 'succeed only when nothing is open: no claim may be left unverified')
    .action((options: Options) =>
      run((cli) =>
        withSession(cli, async ({ ports }) => {
          const wrong = wrongOf(options);
          if (wrong !== undefined) return listWrong(cli, ports, wrong);
          if (options.assertDone === true) return assertDone(cli, ports, options.list);
          const found = await listItems(ports, {
            list: options.list,
            states: options.state,
            categories: options.category.map((c) => c.toUpperCase()),
            assignee: options.assignee,
            after: whole(options.after, 'after', 0, Number.MAX_SAFE_INTEGER),
            limit: whole(options.limit, 'limit', 1, 500),
          });
          const grades = await gradesOf(ports, found);
          printAnswer(cli.output, {
            get data() {
              return dataOf(found, grades);
            },
            get text() {
              return textOf(found, grades, options);
            },
          });
          return EXIT.ok;
        }),
      ),
    );
};

/** The question about what is wrong, undefined where none was asked. */
function wrongOf(options: Options): AttentionQuery | undefined {
  const { stuck, escalated, failing, limit } = options;
  const asked = [
    ...(stuck === true ? (['stuck'] as const) : []),
    ...(escalated === true ? (['escalated'] as const) : []),
    ...(failing === undefined ? [] : (['failing'] as const)),
  ];
  const [what] = asked;
  if (what === undefined) return undefined;
  const { list: name, state, category, assignee, assertDone } = options;
  const beside =
    state.length + category.length > 0 || [name, assignee, assertDone].some((o) => o !== undefined);
  if (asked.length > 1 || beside)
    throw new EngineError('BAD_INPUT', `--${what} stands alone`, `countersign list --${what}`);
  const atLeast = typeof failing === 'string' ? whole(failing, 'failing', 1, 1_000) : 2;
  return { what, atLeast, limit: whole(limit, 'limit', 1, 500) };
}

async function listWrong({ output }: Cli, ports: Ports, query: AttentionQuery): Promise<ExitCode> {
  const rows = await attention(ports, query);
  const items = rows.map(({ number, ...row }) => ({
    ...row,
    id: displayId(number, row.protocol),
    uuid: row.id,
  }));
  const table = rows.map((r) => [
    displayId(r.number, r.protocol),
    r.state.toUpperCase(),
    r.assignee || '-',
    r.title,
    query.what === 'failing' ? `${r.failures} failures` : r.overdueAt === '' ? '' : `due ${r.overdueAt}`,
  ]);
  printAnswer(output, { data: { items }, text: rows.length > 0 ? columns(table) : 'no items' });
  return EXIT.ok;
}

const SHOWN = 50;

/** The end of a workflow: there is no way to leave a claim behind (2PC-62). */
async function assertDone({ output }: Cli, ports: Ports, listName: string | undefined): Promise<ExitCode> {
  if (listName !== undefined && (await ports.store.tally(listName)).length === 0) {
    throw new EngineError(
      'NOT_FOUND',
      `there is no list ${listName}`,
      'see the lists: countersign list --json',
    );
  }
  const open = await unfinished(ports, listName, SHOWN);
  if (open.length === 0) {
    printAnswer(output, { data: { open: [] }, text: 'everything is done' });
    return EXIT.ok;
  }
  const { total, claimed } = await countUnfinished(ports, listName);
  const claim = open.find((o) => o.category === 'SUBMITTED');
  const rest = total - open.length;
  printFailure(output, {
    code: 'gate-closed',
    message: `${total} items are open, ${claimed} of them claimed and not verified`,
    hint: claim === undefined ? asTyped(output, 'countersign next') : `countersign verify ${claim.item}`,
    lines: [
      ...open.map((o) => `  - ${o.item} [${o.state}] ${o.title}`),
      ...(rest > 0 ? [`  and ${rest} more: countersign list`] : []),
    ],
    details: { open, total, claimed },
  });
  return EXIT.refused;
}

function whole(text: string, name: string, least: number, most: number): number {
  const n = Number(text.replace(/^[A-Za-z]+-/, ''));
  if (Number.isInteger(n) && n >= least && n <= most) return n;
  throw new EngineError(
    'BAD_INPUT',
    `--${name} takes a whole number from ${least} to ${most}, not ${text}`,
    `countersign list --${name} ${name === 'limit' ? 50 : least}`,
  );
}

/** Independence and strength of the verdicts of a page, by item; the rows alone do not hold them. */
async function gradesOf(ports: Ports, { rows }: Listed): Promise<ReadonlyMap<string, Grades>> {
  const grades = new Map<string, Grades>();
  for (const { id, category } of rows) {
    if (!JUDGED.has(category)) continue;
    const handle = await peekById(ports, id);
    const { independence, strength, superseded_by } = accountability(handle);
    const judged =
      independence === '' ? {} : { independence, strength, ...(await weaknessOf(ports, handle)) };
    if (independence !== '' || superseded_by !== '')
      grades.set(id, { ...judged, ...(superseded_by === '' ? {} : { superseded_by }) });
  }
  return grades;
}

interface Grades extends Weakness {
  readonly independence?: string;
  readonly strength?: string;
  /** The item that took its place: this one is not open any more, whatever its state says. */
  readonly superseded_by?: string;
}

/** What a pass is worth, and who asked for it. A verdict that blocked has no strength. */
const gradeText = (grades: Grades | undefined): string =>
  grades?.strength ? `${grades.strength}, ${grades.independence}${grades.weak ? ', weak' : ''}` : '';

const JUDGED = new Set(['CONFIRMED', 'REWORK', 'CLOSED']);

function dataOf({ rows, next, progress }: Listed, grades: ReadonlyMap<string, Grades>) {
  const items = rows.map(({ number, ...row }) => ({
    ...row,
    ...grades.get(row.id),
    id: displayId(number, row.protocol),
    uuid: row.id,
  }));
  return { items, next, progress };
}

const asideOf = ({ legacy }: Listed['rows'][number], { superseded_by: later }: Grades = {}) =>
  (legacy ? ' (legacy, never verified)' : '') + (later === undefined ? '' : ` (by ${later})`);

/** The same question from where the page ends. */
function moreLine({ list, state, category, assignee, limit }: Options, after: number): string {
  const asked = [
    ...(list === undefined ? [] : ['--list', list]),
    ...(state.length === 0 ? [] : ['--state', ...state]),
    ...(category.length === 0 ? [] : ['--category', ...category]),
    ...(assignee === undefined ? [] : ['--assignee', assignee]),
    ...(limit === PAGE ? [] : ['--limit', limit]),
  ];
  return ['more: countersign list', ...asked.map(shellWord), `--after ${after}`].join(' ');
}

function textOf(
  { rows, next, progress, replaced }: Listed,
  grades: ReadonlyMap<string, Grades>,
  asked: Options,
): string {
  // A column of its own only where there is something to say.
  const told = rows.map(({ id }) => gradeText(grades.get(id)));
  const graded = told.some((text) => text !== '');
  const table = rows.map((r, i) => [
    displayId(r.number, r.protocol),
    replaced.has(r.id) ? 'REPLACED' : r.state.toUpperCase(),
    ...(graded ? [told[i] || '-'] : []),
    r.assignee || '-',
    r.title + asideOf(r, grades.get(r.id)),
  ]);
  const counts = Object.entries(progress.byState).map(([state, n]) => `${n} ${state}`);
  const summary = `${doneOf(progress)}${counts.length > 0 ? ` (${counts.join(', ')})` : ''}`;
  const more = next > 0 ? [moreLine(asked, next)] : [];
  return [...(rows.length > 0 ? [columns(table)] : ['no items']), summary, ...more].join('\n');
}
