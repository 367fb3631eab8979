import { addToken, dropToken } from '../../engine/actors.ts';
import { displayId } from '../../engine/display.ts';
import { EngineError } from '../../engine/engine-error.ts';
import { findRow } from '../../engine/handle.ts';
import { nowOf } from '../../engine/ports.ts';
import { readRoster } from '../../engine/roster.ts';
import { type Cli, type Session, withSession } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { columns, printAnswer } from '../print.ts';
import type { Register } from '../register.ts';
import { answerRoster } from './actor.ts';

interface IssueOptions {
  readonly expires: string;
  readonly item: readonly string[];
  readonly role: readonly string[];
  readonly print?: boolean;
}

export const token: Register = (program, run) => {
  const group = program.command('token').description('what agents are known by');
  group
    .command('issue <name>')
    .description('mint a token for an agent and keep it here, for this user alone')
    .option('--expires <when>', 'after 30m, 12h, 30d or 4w, or a time like 2027-01-31T00:00:00Z', '')
    .option('--item <items...>', 'good for these items only', [])
    .option('--role <roles...>', 'carries these of its roles only', [])
    .option('--print', 'print the token too, once; it can never be shown again')
    .action((name: string, options: IssueOptions) =>
      run((cli) => withSession(cli, (session) => issue(cli, session, name, options))),
    );
  group
    .command('list')
    .description('tokens and what they are good for; never the tokens themselves')
    .action(() => run((cli) => withSession(cli, (session) => list(cli, session))));
  group
    .command('revoke <id>')
    .description('end a token, and those that were issued under it')
    .action((id: string) =>
      run((cli) =>
        withSession(cli, async ({ ports, caller }) =>
          answerRoster(cli, await dropToken(ports, caller, id), {
            data: { id, revoked: true },
            text: `token ${id} is revoked`,
          }),
        ),
      ),
    );
};

async function issue(cli: Cli, session: Session, name: string, options: IssueOptions): Promise<ExitCode> {
  const { ports, caller, credentials } = session;
  const rows = await Promise.all(options.item.map((ref) => findRow(ports, ref)));
  const expiresAt = endOf(options.expires, ports.clock());
  const { role: roles } = options;
  const items = rows.map((row) => row.id);
  const issued = await addToken(ports, caller, { actor: name, expiresAt, items, roles });
  if (!issued.ok) return answerRoster(cli, issued, { data: {}, text: '' });
  const file = credentials.hand(name, issued.token);
  const { roster } = await readRoster(ports);
  const others = [...roster.tokens.values()].filter(
    (t) => t.actor === name && !t.revoked && t.id !== issued.id,
  );
  const shown = options.print === true ? { token: issued.token } : {};
  const lines = [
    `token ${issued.id} of ${name} kept in ${file}`,
    ...(expiresAt === '' ? [] : [`good until ${expiresAt}`]),
    ...(rows.length === 0
      ? []
      : [`good for ${rows.map((row) => displayId(row.number, row.protocol)).join(', ')} only`]),
    ...others.map((t) => `an older one is still good; to end it: countersign token revoke ${t.id}`),
    ...(options.print === true ? [issued.token] : []),
    `next: countersign --actor ${name} next`,
  ];
  printAnswer(cli.output, {
    data: { id: issued.id, actor: name, file, expires_at: expiresAt, items, roles, ...shown },
    text: lines.join('\n'),
  });
  return EXIT.ok;
}

const UNITS: { readonly [unit: string]: number } = { m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** The time that `when` names, ISO 8601 UTC; '' = never. Throws BAD_INPUT. */
function endOf(when: string, now: Date): string {
  if (when === '') return '';
  const [, count, unit = ''] = /^(\d{1,5})([mhdw])$/.exec(when) ?? [];
  if (count !== undefined)
    return new Date(now.getTime() + Number(count) * (UNITS[unit] ?? 0) * 1_000).toISOString();
  const time = /^\d{4}-\d\d-\d\dT/.test(when) ? Date.parse(when) : Number.NaN;
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  throw new EngineError('BAD_INPUT', `--expires ${when} is no time`, 'for example: --expires 30d');
}

async function list(cli: Cli, { ports }: Session): Promise<ExitCode> {
  const { roster } = await readRoster(ports);
  const now = Date.parse(nowOf(ports));
  const tokens = await Promise.all(
    [...roster.tokens.values()].map(async ({ id, actor, expiresAt, items, roles, revoked }) => {
      const expired = expiresAt !== '' && Date.parse(expiresAt) <= now;
      const ended = roster.members.get(actor)?.retired === true;
      const state = revoked ? 'revoked' : ended ? 'retired' : expired ? 'expired' : 'good';
      const rows = await Promise.all(items.map((item) => ports.store.itemById(item)));
      const shown = items.map((item, i) =>
        displayId(rows[i]?.number ?? 0, rows[i]?.protocol).replace('T-0', item),
      );
      return { id, actor, state, expires_at: expiresAt, items: shown, roles };
    }),
  );
  const text = tokens.map((t) => [
    t.id,
    t.actor,
    t.state,
    t.expires_at === '' ? 'never expires' : `until ${t.expires_at}`,
    [...t.items, ...t.roles].join(', ') || 'all its items and roles',
  ]);
  printAnswer(cli.output, { data: { tokens }, text: text.length === 0 ? 'no tokens' : columns(text) });
  return EXIT.ok;
}
