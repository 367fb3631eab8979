import { literalPattern } from '../../kernel/literal-pattern.ts';
import {
  lackingSections,
  requirementsIn,
  ruledFromBelow,
  type Section,
  SYNTHESIS_PARTS,
  sectionsOf,
} from './papers.ts';
import { aliasesOf } from './settings.ts';

/** What one agent brought to the synthesis. */
export interface Brought {
  readonly agent: string;
  readonly domain: string;
  /** Its report, '' where there is none. */
  readonly report: string;
  /** What is wrong with the report, '' for nothing. */
  readonly problem: string;
}

export interface Lack {
  readonly because: string;
  readonly fix: string;
}

type Tiers = Parameters<typeof ruledFromBelow>[1];

/**
 * All that a synthesis lacks, each by itself: reports that are whole, requirements of each domain, conflicts that are
 * resolved, a whole document, a place for each requirement, reasons of the trade-offs, criteria of each domain (PROTO-186
 * to PROTO-189, PROTO-232 to PROTO-238).
 */
export function lacksOf(text: string, brought: readonly Brought[], tiers: Tiers): readonly Lack[] {
  const sections = sectionsOf(text);
  const asked = brought.flatMap(({ report }) => requirementsIn(report));
  const missing = lackingSections(sections, SYNTHESIS_PARTS);
  const has = (part: string) => !missing.includes(part);
  const lack = (what: readonly string[], because: (all: string) => string, fix: string): readonly Lack[] =>
    what.length === 0 ? [] : [{ because: because(what.join(', ')), fix }];
  const unsolved = unsolvedConflicts(asked, sections);
  const below = ruledFromBelow(wholeOf(sections, 'Conflict Resolution'), tiers);
  return [
    ...lack(
      brought.flatMap(({ agent, problem }) => (problem === '' ? [] : [`${agent}: ${problem}`])),
      (all) => all,
      'have the reports written: invoke the agents again',
    ),
    ...lack(
      brought.flatMap((one) => (namesNone(one) ? [`${one.agent} (${one.domain})`] : [])),
      (all) => `no requirement of its domain is in the report of ${all}`,
      'one line each in the report, such as - REQ-SEC-1: tokens expire; where there is none, - Requirements: none',
    ),
    ...lack(
      missing,
      (all) => `task.md lacks ${all}`,
      'write these sections; where there is nothing, say none',
    ),
    ...lack(
      has('Requirement Map') ? unmapped(asked, wholeOf(sections, 'Requirement Map')) : [],
      (all) => `no place of the plan answers ${all}`,
      'map each requirement',
    ),
    ...lack(
      has('Conflict Resolution') ? unsolved : [],
      (all) => `the conflict of ${all} is not resolved`,
      'say under Conflict Resolution how, with both ids',
    ),
    ...lack(
      below,
      (all) => `${all}: the higher tier has the last word`,
      'follow it, or say under Conflict Resolution why it is overridden',
    ),
    ...lack(
      has('Trade-offs') ? unreasoned(wholeOf(sections, 'Trade-offs')) : [],
      (all) => `the trade-off has no reason: ${all}`,
      'say why, on the same line: because, since, so that',
    ),
    ...lack(
      has('Success Criteria') ? unmeasured(brought, wholeOf(sections, 'Success Criteria'), tiers) : [],
      (all) => `no success criteria for ${all}`,
      'one line for each domain, or for each agent, under Success Criteria',
    ),
  ];
}

const wholeOf = (sections: readonly Section[], part: string): string =>
  sections.find(({ title }) => title.toLowerCase().startsWith(part.toLowerCase()))?.whole ?? '';

const namesNone = ({ report, problem }: Brought): boolean =>
  problem === '' &&
  requirementsIn(report).length === 0 &&
  !/^\s*(?:[-*]\s*)?\**requirements\**\s*:\s*\**none\b/im.test(report);

type Asked = ReturnType<typeof requirementsIn>;

const unmapped = (asked: Asked, map: string): readonly string[] =>
  asked.filter(({ id }) => !new RegExp(`(?<![\\w-])${id}(?![\\w-])`).test(map)).map(({ id }) => id);

/** Requirements that name another one as in conflict with them, where the resolution does not name both (PROTO-188). */
function unsolvedConflicts(asked: Asked, sections: readonly Section[]): readonly string[] {
  const told = wholeOf(sections, 'Conflict Resolution');
  const isNamed = (id: string) => new RegExp(`(?<![\\w-])${id}(?![\\w-])`).test(told);
  return asked.flatMap(({ id, text }) =>
    [...text.matchAll(/conflicts with (REQ-[A-Za-z0-9-]+)/gi)]
      .map((found) => found[1] ?? '')
      .filter((other) => !isNamed(id) || !isNamed(other))
      .map((other) => `${id} with ${other}`),
  );
}

/** Words that give a reason, or begin one. */
const REASON =
  /\b(?:because|since|so|as|due|reason|rationale|risks?|costs?|too|for|to|avoids?|instead|would|until|than|without)\b|[:;(–—=]/i;
const NOTHING = /^[\s*_-]*(?:none|no|nothing)\b/i;

/** Entries of the trade-offs without a word on why. */
function unreasoned(text: string): readonly string[] {
  return entriesOf(text).filter((entry) => !NOTHING.test(entry) && !REASON.test(entry));
}

/** The entries of a list, each with what is indented below it; a text without one is an entry itself, a table is none. */
function entriesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !/^\s*(?:#{1,6}\s|\|)/.test(line));
  const entries: string[] = [];
  for (const line of lines) {
    const begun = /^(?:[-*+]|\d+[.)])\s+(.*)$/.exec(line);
    if (begun !== null || entries.length === 0) entries.push(begun?.[1] ?? line.trim());
    else entries.push(`${entries.pop()} ${line.trim()}`);
  }
  return entries;
}

/** Domains that no criterion names, neither by their own name nor by their agent's. */
function unmeasured(brought: readonly Brought[], text: string, agents: Tiers): readonly string[] {
  const said = wordsOf(text);
  if (/ (?:each|every|all) domains? /.test(said)) return [];
  const headed = (name: string) =>
    new RegExp(`^\\s*[-*]\\s*\\**${literalPattern(name)}\\**\\s*:`, 'im').test(text);
  const open = brought.filter(
    ({ agent, domain }) =>
      ![agent, domain].some((w) => said.includes(wordsOf(w))) && !aliasesOf(agents, agent).some(headed),
  );
  return [...new Set(open.map(({ domain }) => domain))];
}

/** Words between single blanks, with one before and one after. */
const wordsOf = (text: string): string =>
  ` ${text
    .toLowerCase()
    .split(/[^\p{L}\p{N}_-]+/u)
    .filter(Boolean)
    .join(' ')} `;
