import { agentNamed, type StagedSettings } from './settings.ts';

/** A document in sections by their headings; what stands above the first heading is left out. */
export interface Section {
  /** 1 to 6. */
  readonly level: number;
  readonly title: string;
  /** Up to the next heading of any level, trimmed. */
  readonly body: string;
  /** Up to the next heading of the same or a higher level, trimmed: with its own sections. */
  readonly whole: string;
}

/** Reads Markdown; headings inside of fences are text. */
export function sectionsOf(text: string): readonly Section[] {
  const lines = text.split(/\r?\n/);
  const heads: { readonly at: number; readonly level: number; readonly title: string }[] = [];
  let fence = '';
  lines.forEach((line, at) => {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1]?.slice(0, 3) ?? '';
    if (mark !== '' && (fence === '' || fence === mark)) fence = fence === '' ? mark : '';
    const found = fence === '' ? /^(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line) : null;
    if (found !== null) heads.push({ at, level: found[1]?.length ?? 1, title: found[2] ?? '' });
  });
  return heads.map(({ at, level, title }, n) => {
    const next = heads[n + 1]?.at;
    const after = heads.slice(n + 1).find((head) => head.level <= level)?.at;
    return {
      level,
      title,
      body: lines
        .slice(at + 1, next)
        .join('\n')
        .trim(),
      whole: lines
        .slice(at + 1, after)
        .join('\n')
        .trim(),
    };
  });
}

/** The section of exactly this title, whatever its letters' case; of this level where one is given. */
export const sectionNamed = (
  sections: readonly Section[],
  title: string,
  level?: number,
): Section | undefined =>
  sections.find(
    (section) =>
      section.title.toLowerCase() === title.toLowerCase() && (level === undefined || section.level === level),
  );

/** Sections that must be there and say something, by name and by what else they may be called. */
export function lackingSections(sections: readonly Section[], names: readonly string[]): readonly string[] {
  return names.filter((name) => {
    const found = sections.find(({ title }) => title.toLowerCase().startsWith(name.toLowerCase()));
    return !isWritten(found?.whole);
  });
}

/** Something is there, and more than what holds the place for it. */
export const isWritten = (text: string | undefined): boolean =>
  text !== undefined && text !== '' && !isPlaceholder(text);

/** Text that only holds the place for something. */
export const isPlaceholder = (text: string): boolean =>
  /^[\s_*(<[]*(?:pending|tbd|to be written|todo|…|\.\.\.)[\s_*)>\].]*$/i.test(text);

/** The first `task.md` of a task (PROTO-155). */
export function firstTaskMd(
  task: string,
  about: { readonly purpose: string; readonly scope: string; readonly headings: readonly string[] },
  agents: readonly string[],
): string {
  const [objective = 'Task Objective', scope = 'Scope Definition', reports = 'Stakeholder Agent Reports'] =
    about.headings;
  return [
    `# ${task}`,
    '',
    `## ${objective}`,
    '',
    about.purpose || '_pending_',
    '',
    `## ${scope}`,
    '',
    about.scope || '_pending_',
    '',
    `## ${STAKEHOLDERS}`,
    '',
    ...agents.map((agent) => `- ${agent}`),
    '',
    `## ${reports}`,
    '',
    ...agents.flatMap((agent) => placeFor(agent)),
  ].join('\n');
}

const STAKEHOLDERS = 'Stakeholders';
const placeFor = (agent: string) => [`### ${agent}`, '', '_pending_', ''];

/** An agent that joined when the others were at work already. */
export interface LateAgent {
  readonly agent: string;
  readonly state: string;
  /** Why the risk was kept or raised. */
  readonly reason: string;
  readonly answers: { readonly [name: string]: string };
}

/** `task.md` with the agent in the list of stakeholders, the reason why it came late, and a place for what it needs (PROTO-133). */
export function withLateAgent(text: string, reports: string, late: LateAgent): string {
  const { agent, state, answers } = late;
  const line = `- ${agent}, added in ${state}: ${answers.expertise ?? ''} is missing; not selected at first: ${answers.overlooked ?? ''}`;
  if (text.split(/\r?\n/).includes(line)) return text;
  const listed = sectionNamed(sectionsOf(text), STAKEHOLDERS, 2)
    ? text
    : beforeHeading(text, reports, [`## ${STAKEHOLDERS}`, '']);
  const known = sectionsOf(listed).some(({ title }) => title.toLowerCase().startsWith(agent.toLowerCase()));
  const named = atEndOf(listed, STAKEHOLDERS, [line, '']);
  return known ? named : atEndOf(named, reports, placeFor(agent));
}

/** Line of a heading and of the one that ends its section, both 0-based; lines are counted outside of fences. */
function spanOf(lines: readonly string[], title: string): readonly [number, number] | undefined {
  let isFenced = false;
  const heads = lines.flatMap((line, at) => {
    if (/^\s*(```|~~~)/.test(line)) isFenced = !isFenced;
    const found = isFenced ? null : /^(#{1,2})\s+(.*?)\s*#*\s*$/.exec(line);
    return found === null ? [] : [{ at, title: found[2] ?? '' }];
  });
  const n = heads.findIndex((head) => head.title.toLowerCase() === title.toLowerCase());
  const head = heads[n];
  return head === undefined ? undefined : [head.at, heads[n + 1]?.at ?? lines.length];
}

function beforeHeading(text: string, title: string, added: readonly string[]): string {
  const lines = text.split('\n');
  const at = spanOf(lines, title)?.[0] ?? lines.length;
  return [...lines.slice(0, at), ...added, ...lines.slice(at)].join('\n');
}

function atEndOf(text: string, title: string, added: readonly string[]): string {
  const lines = text.split('\n');
  const end = spanOf(lines, title)?.[1] ?? lines.length;
  const kept = lines.slice(0, end);
  while (kept.length > 0 && kept.at(-1)?.trim() === '') kept.pop();
  const gap = added[0]?.startsWith('-') && kept.at(-1)?.startsWith('-') ? [] : [''];
  return [...kept, ...gap, ...added, ...lines.slice(end)].join('\n');
}

/** What the reports ask for, by its id: lines such as `- REQ-SEC-1: tokens expire`. */
export function requirementsIn(report: string): readonly { readonly id: string; readonly text: string }[] {
  return [...report.matchAll(/^\s*[-*]\s*\**(REQ-[A-Za-z0-9-]+)\**\s*:\s*(.+)$/gm)].map(
    ([, id = '', text = '']) => ({
      id,
      text: text.trim(),
    }),
  );
}

/** Parts of the synthesis that every plan rests on (PROTO-233 to PROTO-237). */
export const SYNTHESIS_PARTS = [
  'Conflict Resolution',
  'Architecture',
  'Requirement Map',
  'Trade-offs',
  'Success Criteria',
] as const;

/** Marks of a decision that nobody took yet (PROTO-286). */
export const OPEN_DECISION = /\b(?:TBD|TO BE DECIDED|OPEN DECISION|OPEN QUESTION)\b|\?\?\?/i;

/** `- architect against style: style, because …`: two agents, whose view holds, and why. */
const RULED = /^\s*[-*]\s*\**([\w-]+)\**\s+against\s+\**([\w-]+)\**\s*:\s*\**([\w-]+)\**(.*)$/gim;

/** Conflicts that an agent of a lower tier decided against a higher one without a reason (PROTO-19, PROTO-281). */
export function ruledFromBelow(text: string, agents: StagedSettings['agents']): readonly string[] {
  const tierOf = (name: string) => agents[agentNamed(agents, name.toLowerCase())]?.tier ?? 2;
  return [...text.matchAll(RULED)].flatMap(([, one = '', other = '', winner = '', rest = '']) => {
    const higher = [one, other].toSorted((a, b) => tierOf(a) - tierOf(b))[0] ?? '';
    const isReasoned = /\b(?:because|since|overrid)/i.test(rest);
    return tierOf(winner) > tierOf(higher) && !isReasoned ? [`${winner} was followed against ${higher}`] : [];
  });
}
