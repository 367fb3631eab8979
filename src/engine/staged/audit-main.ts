import { type Handle, itemStream } from '../handle.ts';
import type { Ports } from '../ports.ts';
import type { TaskFinding } from './late-agents.ts';
import { type Handing, handingsOf, MAIN_LEASE } from './leases.ts';
import { mainHead } from './main-head.ts';
import { hasEnded, type TaskView } from './task.ts';
import { type ToolUsed, toolsOf } from './tool-notes.ts';

/** From the opening of a task to its end, by places in the whole log. */
interface Span {
  readonly from: number;
  readonly until: number;
}

/**
 * What became of the main branch and the main working tree while a task went on, and nobody held them. Each taking and
 * each ending of the lease says where the branch stood: what moved it in between had no holder, whatever git remembers
 * of it. Uses of tools are held against whoever held it at that place of the log (PROTO-78, PROTO-79).
 */
export async function auditMain(
  ports: Ports,
  handle: Handle,
  view: TaskView,
): Promise<readonly TaskFinding[]> {
  const span = await spanOf(ports, handle);
  const handings = (await handingsOf(ports, MAIN_LEASE)).filter(({ position }) => position <= span.until);
  const isHeld = handings.at(-1)?.isHeld === true;
  const edited = hasEnded(handle) || isHeld ? [] : editedIn(ports, view);
  return [
    ...(await movesOf(ports, handle, handings, span)),
    ...(edited.length === 0
      ? []
      : [
          found(
            'main-without-lease',
            `${shownSome(edited)} changed in the main working tree, and nobody holds it`,
          ),
        ]),
    ...usesOf([...(await toolsOf(ports, view.layout.task)), ...(await toolsOf(ports, ''))], handings, span),
  ];
}

const found = (
  rule: 'main-without-lease' | 'git-without-lease',
  what: string,
  level: TaskFinding['level'] = 'finding',
) => ({ rule, level, what });

async function spanOf({ store }: Ports, handle: Handle): Promise<Span> {
  const events = await store.read(itemStream(handle.id));
  const until = hasEnded(handle) ? events.at(-1)?.position : undefined;
  return { from: events[0]?.position ?? 0, until: until ?? Number.POSITIVE_INFINITY };
}

/** The list of tasks is the user's to write, and is read where it lies. */
const editedIn = ({ workspace }: Ports, { settings }: TaskView) =>
  workspace.edited(workspace.main).filter((path) => path !== settings.todo);

/** Where the branch stood at two moments between which nobody held it. */
async function movesOf(
  ports: Ports,
  handle: Handle,
  handings: readonly Handing[],
  { from }: Span,
): Promise<readonly TaskFinding[]> {
  const { item } = handle;
  const start = { at: item.openedAt, head: String(item.facts.main ?? '') };
  const now = { at: '', head: hasEnded(handle) ? '' : await mainHead(ports) };
  const later = handings.filter(({ position }) => position > from);
  const before = handings.findLast(({ position }) => position <= from);
  const seen = [{ ...start, isHeld: before?.isHeld === true }, ...later, { ...now, isHeld: false }];
  return seen.slice(1).flatMap((sight, n) => {
    const last = seen[n];
    if (last === undefined || last.isHeld || last.head === sight.head || !last.head || !sight.head) return [];
    return [found('main-without-lease', moved(ports, last, sight))];
  });
}

interface Sight {
  readonly at: string;
  readonly head: string;
}

function moved({ workspace }: Ports, before: Sight, after: Sight): string {
  const isKnown = workspace.commitOf(before.head) !== '';
  const made = isKnown ? workspace.commits(before.head, after.head) : [];
  const told = made.map(
    ({ sha, author, message }) => `${sha.slice(0, 12)} ${message.split('\n')[0]} (${author})`,
  );
  const when = after.at === '' ? `since ${before.at}` : `between ${before.at} and ${after.at}`;
  return [
    `the main branch moved from ${before.head.slice(0, 12)} to ${after.head.slice(0, 12)} ${when}, and nobody held it`,
    ...(told.length === 0 ? [] : [shownSome(told)]),
  ].join(': ');
}

const MOST = 3;
const shownSome = (all: readonly string[]) =>
  [...all.slice(0, MOST), ...(all.length > MOST ? [`${all.length - MOST} more`] : [])].join(', ');

/** What was tried and refused was not done: that it was tried is worth knowing. */
function usesOf(
  used: readonly (ToolUsed & { readonly position: number })[],
  handings: readonly Handing[],
  { from, until }: Span,
): readonly TaskFinding[] {
  return used.flatMap(({ position, session, command, path, tool, at, main, refused }) => {
    if (!main || position < from || position > until) return [];
    const last = handings.findLast((handing) => handing.position < position);
    if (last?.isHeld === true && last.session === session) return [];
    const what = command === '' ? `${tool} of ${path}` : `git ${command}`;
    const who = last?.isHeld === true ? `session ${last.session} held it` : 'nobody held it';
    const rule = command === '' ? 'main-without-lease' : 'git-without-lease';
    const text = `${what} on main by session ${session || '(none)'} at ${at}, and ${who}`;
    return [refused ? found(rule, `${text}: it was refused`, 'warning') : found(rule, text)];
  });
}
