import type { Gathered } from '../../kernel/command.ts';
import { readsOf } from '../../kernel/leaves.ts';
import { expand, type Row } from '../../kernel/protocol.ts';
import { PHASE_PROBES, type PhaseProbe } from '../../protocols/phase-probes.ts';
import { STAGED_PROBES, type StagedProbe } from '../../protocols/staged-probes.ts';
import { claimFacts } from '../claim-facts.ts';
import type { Handle } from '../handle.ts';
import { keptFiles } from '../kept-files.ts';
import { approach, attached, claimed, committed, pack } from './artifacts.ts';
import { integrated, linkable } from './goal.ts';
import { type Gatherer, type Look, together } from './looked.ts';
import type { ProbeName } from './names.ts';
import { assignee, checker, helpers } from './people.ts';

const VERDICT_PROBES: ReadonlySet<string> = new Set(['findings-fit', 'blocking-finding', 'counting-finding']);

/** Code for tasks in stages is loaded where there are any. */
const staged = Object.fromEntries(
  STAGED_PROBES.map((name): [StagedProbe, Gatherer] => [
    name,
    async (look) => (await import('../staged/probes.ts')).STAGED_PROBES[name](look),
  ]),
) as { readonly [probe in StagedProbe]: Gatherer };

/** One look answers several probes of a verdict: it is the same function for each. */
const looksAtPhases = new Map<string, Gatherer>();
const phases = Object.fromEntries(
  PHASE_PROBES.map((name): [PhaseProbe, Gatherer] => [name, lookAtPhase(name)]),
) as { readonly [probe in PhaseProbe]: Gatherer };

function lookAtPhase(name: PhaseProbe): Gatherer {
  const key = VERDICT_PROBES.has(name) ? 'verdict' : name;
  const known =
    looksAtPhases.get(key) ??
    (async (look: Look) => (await import('../phases/looks.ts')).PHASE_LOOKS[name](look));
  looksAtPhases.set(key, known);
  return known;
}

const PROBES: { readonly [probe in ProbeName]: Gatherer } = {
  'claimed-work': claimed,
  'evidence-files': attached,
  'evidence-types': claimed,
  'self-checks': attached,
  'assignee-fits': assignee,
  'checker-fits': checker,
  'helpers-fit': helpers,
  'new-approach': approach,
  'commit-exists': committed,
  'proof-pack': pack,
  linkable,
  integrated,
  ...staged,
  ...phases,
};

const LOOK_AT_FILES: readonly Gatherer[] = [claimed, attached, approach];

const isProbe = (name: string): name is ProbeName => Object.hasOwn(PROBES, name);

/** The rows that a command could take from where the item stands. */
const rowsOf = ({ protocol, item }: Handle, command: string): readonly Row[] =>
  protocol.rows.filter((row) => row.command === command && expand(protocol, row.from).includes(item.state));

/** Looks at everything that the rows of a command ask about, each thing once. */
export async function gatherFor(look: Look): Promise<Gathered> {
  const rows = rowsOf(look.handle, look.request.command);
  const asked = readsOf(rows.flatMap((row) => row.requires)).probes;
  const gatherers = new Set(asked.flatMap((name) => (isProbe(name) ? PROBES[name] : [])));
  // A claim looks at the files that are named with it.
  if (gatherers.has(claimed)) gatherers.delete(attached);
  const parts: Partial<Gathered>[] = [];
  for (const gather of gatherers) parts.push(await gather(look));
  // A step whose rows look at no file keeps what is named with it all the same, such as the output of a failure.
  const { evidence } = look.request;
  if (evidence.length > 0 && !LOOK_AT_FILES.some((gather) => gatherers.has(gather)))
    parts.push({ facts: { evidence: keptFiles(look.ports, evidence) } });
  const found = together(parts);
  // What was claimed stays what it is when a row only makes its verdicts stale.
  const moves = rows.some((row) => row.moves.includes('commit')) && found.subjects.commit === undefined;
  const { commit } = claimFacts(look.handle);
  return moves && typeof commit === 'string' ? { ...found, subjects: { ...found.subjects, commit } } : found;
}
