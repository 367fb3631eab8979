import { KEY_PURPOSES, type KeyPurpose } from '../../engine/composition.ts';
import { EngineError } from '../../engine/engine-error.ts';
import { dropRenewal, listKeys, prepareRenewal, type Renewal, renewKeys } from '../../engine/keys.ts';
import { type Cli, confirmed, type Session, withSession } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { columns, note, printAnswer } from '../print.ts';
import type { Register } from '../register.ts';

export const key: Register = (program, run) => {
  const group = program.command('key').description('what the engine signs with');
  group
    .command('list')
    .description('the keys of this repository: what for, in force or retired, and whether they are here')
    .action(() => run((cli) => withSession(cli, (session) => list(cli, session))));
  group
    .command('renew')
    .description('let a person replace keys that were lost or may be known to others, at a terminal')
    .option('--purpose <purpose>', 'runner or checkpoint; both unless given', '')
    .action(({ purpose }: { purpose: string }) =>
      run((cli) => withSession(cli, (session) => renew(cli, session, purposesOf(purpose)))),
    );
};

function purposesOf(given: string): readonly KeyPurpose[] {
  const known = KEY_PURPOSES.filter((purpose) => given === '' || purpose === given);
  if (known.length > 0) return known;
  throw new EngineError('BAD_INPUT', `there is no key for ${given}`, `known: ${KEY_PURPOSES.join(', ')}`);
}

async function list(cli: Cli, { ports }: Session): Promise<ExitCode> {
  const keys = await listKeys(ports, KEY_PURPOSES);
  const rows = keys.map((k) => [k.keyid, k.purpose, k.state, k.here ? 'here' : 'not here']);
  printAnswer(cli.output, { data: { keys }, text: columns(rows) });
  return EXIT.ok;
}

async function renew(cli: Cli, session: Session, purposes: readonly KeyPurpose[]): Promise<ExitCode> {
  const { ports, caller } = session;
  const renewal = await prepareRenewal(session, purposes);
  let covered: boolean;
  try {
    const person = await confirmed(cli, caller, {
      title: 'Replace the keys that sign for this repository',
      shown: linesOf(renewal).join('\n'),
      digest: renewal.digest,
      purpose: `renew keys: ${purposes.join(', ')}`,
    });
    covered = await renewKeys(ports, person, renewal);
  } finally {
    // A key that is in use by now is no longer beside it, so this takes nothing away.
    dropRenewal(renewal);
  }
  if (!covered) note(cli.output, UNCOVERED);
  const keys = renewal.keys.map(({ purpose, old, staged }) => ({ purpose, old, keyid: staged.keyid }));
  const text = [...linesOf(renewal), 'next: keep the public keys elsewhere: countersign audit keys'];
  printAnswer(cli.output, { data: { keys, checkpoint: covered }, text: text.join('\n') });
  return EXIT.ok;
}

const UNCOVERED =
  'note: no checkpoint covers this yet; run: countersign audit checkpoint (countersign doctor says what is missing)';

const linesOf = ({ keys }: Renewal) =>
  keys.map(
    ({ purpose, old, staged }) => `${purpose} key ${staged.keyid}, in place of ${old.join(', ') || 'none'}`,
  );
