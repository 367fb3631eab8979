import { sha256Hex } from '../../attestation/digest.ts';
import { type Gatherer, type Look, lacking, seen } from '../gather/looked.ts';
import {
  isWritten,
  lackingSections,
  OPEN_DECISION,
  requirementsIn,
  SYNTHESIS_PARTS,
  sectionNamed,
  sectionsOf,
} from './papers.ts';
import { viewOf } from './probes-place.ts';
import { settled } from './reports.ts';
import { aliasesOf, type StagedSettings } from './settings.ts';
import { lacksOf } from './synthesis.ts';
import { agentsOf, type TaskView } from './task.ts';

const documentOf = ({ ports }: Look, { layout }: TaskView): string | undefined =>
  ports.workspace.readFile(layout.taskMd)?.toString('utf8');

/** `task.md` is in the task's folder, with its three headings (PROTO-151, PROTO-154, PROTO-221). */
export const taskFile: Gatherer = async (look) => {
  const view = await viewOf(look);
  const text = documentOf(look, view);
  const missing = view.settings.headings.filter(
    (title) => sectionNamed(sectionsOf(text ?? ''), title, 2) === undefined,
  );
  const found =
    text === undefined
      ? lacking(`there is no ${view.layout.taskMd}`, `countersign task document ${view.layout.task}`)
      : missing.length > 0
        ? lacking(
            `${view.layout.taskMd} lacks the headings ${missing.join(', ')}`,
            'put them in, as ## headings',
          )
        : seen('task.md has its sections');
  return { probes: { 'task-file': found } };
};

/** Every agent's report is there and long enough (PROTO-184, PROTO-192, PROTO-215, PROTO-224). */
export const reports: Gatherer = async (look) => {
  const view = await viewOf(look);
  const bad = agentsOf(look.handle).flatMap((agent) => {
    const problem = settled(look.ports, view, agent).report;
    return problem === '' ? [] : [`${agent}: ${problem}`];
  });
  const found =
    bad.length === 0
      ? seen(`${agentsOf(look.handle).length} reports are there`)
      : lacking(bad.join('; '), 'have the reports written: invoke the agents again');
  return { probes: { reports: found } };
};

/** The reports' part of `task.md` says something of every agent (PROTO-244, PROTO-279). */
export const reportSections: Gatherer = async (look) => {
  const view = await viewOf(look);
  const sections = sectionsOf(documentOf(look, view) ?? '');
  const title = view.settings.headings[2] ?? 'Stakeholder Agent Reports';
  const part = sectionNamed(sections, title, 2);
  const { agents } = view.settings;
  const isTold = (name: string) => isWritten(sectionNamed(sections, name)?.whole);
  const without = agentsOf(look.handle).filter(
    (agent) => lackingSections(sections, [agent]).length > 0 && !aliasesOf(agents, agent).some(isTold),
  );
  const found =
    part === undefined
      ? lacking(`task.md has no section ${title}`, 'put it in: reclassify where it was never written')
      : without.length > 0
        ? lacking(
            `task.md holds nothing of ${without.join(', ')} under ${title}`,
            'write down what each contributed',
          )
        : seen('task.md holds what every agent contributed');
  return { probes: { 'report-sections': found } };
};

/** The synthesis is whole, and everything that it lacks is told at once (PROTO-186 to PROTO-189, PROTO-232 to PROTO-238). */
export const synthesis: Gatherer = async (look) => {
  const view = await viewOf(look);
  const { agents } = view.settings;
  const brought = agentsOf(look.handle).map((agent) => ({
    agent,
    domain: agents[agent]?.domain ?? agent,
    report: look.ports.workspace.readFile(view.layout.report(agent))?.toString('utf8') ?? '',
    problem: settled(look.ports, view, agent).report,
  }));
  const lacks = lacksOf(documentOf(look, view) ?? '', brought, agents);
  const asked = brought.flatMap(({ report }) => requirementsIn(report));
  const found =
    lacks.length === 0
      ? seen(`the synthesis answers ${asked.length} requirements`)
      : lacking(
          lacks.map(({ because }) => because).join('; '),
          [...new Set(lacks.map(({ fix }) => fix))].join('; '),
        );
  return { probes: { synthesis: found } };
};

/**
 * What a person approves: the document as a whole. Agents build by all of it, and of two sections with like titles nobody
 * can say which one they follow.
 */
export const planDigest = (text: string): string => sha256Hex(text);

/** What of `task.md` says how it is built: the plan with the synthesis it rests on. */
export function planText(text: string, planHeading: string): string {
  const sections = sectionsOf(text);
  return [planHeading, ...SYNTHESIS_PARTS]
    .map((name) => sections.find(({ title }) => title.toLowerCase().startsWith(name.toLowerCase())))
    .flatMap((section) => (section === undefined ? [] : [`## ${section.title}\n\n${section.whole}`]))
    .join('\n\n');
}

/**
 * The plan is whole, and no decision is left open in it (PROTO-246, PROTO-282, PROTO-286). Where it was approved, it is
 * still the one that was (PROTO-284).
 */
export const plan: Gatherer = async (look) => {
  const view = await viewOf(look);
  const text = documentOf(look, view) ?? '';
  const digest = planDigest(text);
  const problem = planProblem(text, view.settings);
  const isAnother = look.request.command === 'implement' && look.handle.item.subjects.plan?.digest !== digest;
  const found =
    problem !== undefined
      ? lacking(...problem)
      : isAnother
        ? lacking('the plan is not the one that was approved', 'present it again')
        : seen('the plan has its parts');
  const moves = look.request.command === 'present-plan' ? { subjects: { plan: digest } } : {};
  return { probes: { plan: found }, facts: { plan: digest }, ...moves };
};

/** What is wrong with a plan, and what to do about it. */
function planProblem(text: string, settings: StagedSettings): readonly [string, string] | undefined {
  const { planHeading, planParts, todo } = settings;
  const own = sectionNamed(sectionsOf(text), planHeading);
  if (own === undefined || own.whole === '')
    return [`task.md has no ${planHeading}`, 'the plan is written in SYNTHESIS'];
  const missing = lackingSections(sectionsOf(own.whole), planParts);
  if (missing.length > 0) return [`the plan lacks ${missing.join(', ')}`, `write them under ${planHeading}`];
  if (!own.whole.includes(todo))
    return [`the plan does not say that ${todo} is updated`, 'it belongs to the same commit as the work'];
  return OPEN_DECISION.test(own.whole)
    ? ['the plan leaves a decision open', 'take it, or let the user take it, before it is presented']
    : undefined;
}
