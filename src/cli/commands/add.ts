import { addTask } from '../../engine/add-task.ts';
import { criteriaPath } from '../../engine/criteria.ts';
import { shortTitle } from '../../engine/display.ts';
import type { Draft } from '../../engine/draft.ts';
import { goalToHold } from '../../engine/goals.ts';
import type { Handle } from '../../engine/handle.ts';
import { KINDS, NEW_ITEM, type NewItem } from '../../engine/new-item.ts';
import { openItems } from '../../engine/open.ts';
import { tieToWhole } from '../../engine/part-of.ts';
import type { Ports } from '../../engine/ports.ts';
import { useProof } from '../../engine/proof.ts';
import type { Settings } from '../../engine/settings.ts';
import { todoOf } from '../../engine/todo.ts';
import { givenAcceptance } from '../acceptance.ts';
import { answerRefusal } from '../answer.ts';
import { type Cli, type Session, withSession } from '../context.ts';
import { EXIT } from '../exit-code.ts';
import { note, printAnswer } from '../print.ts';
import type { Register } from '../register.ts';

interface Options {
  readonly list: string;
  readonly kind: string;
  readonly dependsOn: readonly string[];
  readonly quality?: boolean;
  readonly independence?: string;
  readonly criteria: string;
  readonly acceptance?: string;
  readonly confirm?: boolean;
  readonly protocol: string;
  readonly goal?: string;
  readonly partOf?: string;
  readonly planFile?: string;
}

export const add: Register = (program, run) => {
  program
    .command('add <title>')
    .description('add an item')
    .option('--list <name>', 'list it belongs to', 'main')
    .option('--kind <kind>', `one of ${KINDS.join(', ')}`, 'code')
    .option('--depends-on <items...>', 'items that must be verified first', [])
    .option('--criteria <name>', 'name of the criteria file', '')
    .option('--acceptance <file>', 'examples that judge the work; keep the file from whoever builds')
    .option(
      '--confirm',
      'confirm the examples as a person at the terminal: unproven, they count for no grade',
    )
    .option('--protocol <name>', 'workflow that it follows', '')
    .option('--goal <goal>', 'make it a task of this goal')
    .option('--part-of <task>', 'a todo item below this task, which waits for it')
    .option('--plan-file <path>', 'plan that it implements: reviewed before it is assigned')
    .option('--quality', 'ask for quality validation before completion')
    .option('--independence <level>', 'least independence of its verification')
    .action((title: string, options: Options) =>
      run((cli) => withSession(cli, (session) => addItem(cli, session, title, options))),
    );
};

async function addItem(cli: Cli, { ports, caller }: Session, title: string, options: Options) {
  const { goal } = options;
  if (goal !== undefined) await goalToHold(ports, goal);
  const given = await givenAcceptance(cli, ports, caller, options);
  const wanted = wantedOf(title, options, given.facts);
  const proven = async (write: Draft, opened: Handle | readonly Handle[]) => {
    useProof(write, given.caller.proof);
    const [part] = [opened].flat();
    if (options.partOf !== undefined && part !== undefined)
      await tieToWhole(ports, write, part, options.partOf);
  };
  const added =
    goal === undefined
      ? { kind: 'done' as const, handle: (await openItems(ports, given.caller, [wanted], proven))[0] }
      : await addTask(ports, caller, wanted, goal, proven);
  if (added.kind === 'refused') return answerRefusal(cli.output, added.refused, 'link');
  const { handle } = added;
  if (handle === undefined) return EXIT.internal;
  const doubt = options.criteria === '' ? '' : await doubtAbout(ports, options.criteria);
  if (doubt !== '') note(cli.output, `note: ${doubt}`);
  printAnswer(cli.output, {
    data: todoOf(handle),
    text: `${handle.display} added: ${shortTitle(handle.item.title)}`,
  });
  return EXIT.ok;
}

function wantedOf(title: string, options: Options, given: NewItem['facts']): NewItem {
  const { list, kind, dependsOn, criteria, goal, planFile } = options;
  const plan = planFile === undefined ? {} : { plan_file: planFile };
  // A task of a goal follows the protocol of those, unless another one is named and refused.
  const protocol = options.protocol || (goal === undefined ? '' : 'goal-task');
  const asked = { title, list, kind, dependsOn, criteria, protocol };
  return { ...NEW_ITEM, ...asked, settings: settingsOf(options), facts: { ...given, ...plan } };
}

const settingsOf = ({ quality, independence, planFile }: Options): Settings => ({
  ...(planFile === undefined ? {} : { plan_file: true }),
  ...(quality ? { quality_validation: true } : {}),
  ...(independence === undefined ? {} : { independence }),
});

/** Why the criteria that were named would judge nothing as they stand on the default branch; '' where they can be used. */
async function doubtAbout(ports: Ports, name: string): Promise<string> {
  const path = criteriaPath(name);
  const { head, defaultHead } = ports.git.heads('');
  const commit = defaultHead || head;
  const bytes = commit === '' ? undefined : ports.git.readAt(commit, path);
  if (bytes === undefined) return `there is no ${path} on the default branch yet`;
  // Read only where somebody names criteria: the parser behind it is heavy.
  const { readCriteria } = await import('../../engine/criteria-read.ts');
  const { problems } = await readCriteria(ports, bytes, path);
  if (problems.length === 0) return '';
  return `${path} cannot be used (${problems.slice(0, 5).join('; ')}): mend and commit it before the work is claimed`;
}
