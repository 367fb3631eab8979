import { CONFIG_PATH, unknownKeys } from '../config.ts';
import { EngineError } from '../engine-error.ts';
import { STRENGTHS } from '../strength.ts';

export const INDEPENDENCES = ['automated', 'sibling', 'other-lineage', 'human'] as const;
export const TIERS = ['', 'light', 'standard', 'strict'] as const;
/** Levels of protection, weakest first, as verdicts name them. */
export const PROTECTIONS = ['cooperative', 'separated'] as const;

/** What a `gate` section says. What is undefined it leaves to others. */
export interface GateSection {
  /** Branches and tags, by name or with `*` for any text. */
  readonly branches: readonly string[];
  readonly tags: readonly string[];
  /** Ids of those of the keys at the gate that count here; undefined = all of them. */
  readonly keys: readonly string[] | undefined;
  readonly overrides: readonly string[] | undefined;
  /** Names of the criteria that count; undefined = any on the base. */
  readonly criteria: readonly string[] | undefined;
  /** The least that a verdict must have, as places in the lists above. */
  readonly independence: number;
  readonly strength: number;
  readonly tier: number;
  readonly protection: number;
  readonly mutation: boolean;
  readonly waivers: boolean | undefined;
  readonly submodules: boolean | undefined;
  readonly judge: 'tree' | 'patch' | undefined;
}

const KNOWN = [
  ...['branches', 'tags', 'keys', 'overrides', 'criteria', 'independence', 'strength', 'mutation'],
  ...['tier', 'protection', 'waivers', 'submodules', 'judge'],
];

type Table = { readonly [key: string]: unknown };

/** A `gate` section as it is written. Throws BAD_CONFIG naming the place: a misspelt demand must not be a silent one. */
export function gateSectionOf(table: Table | undefined, where: string = `${CONFIG_PATH}: gate`): GateSection {
  const given = table ?? {};
  const problems = unknownKeys(given, KNOWN, '');
  if (problems.length > 0) throw bad(where, problems.join('; '));
  const at = (key: string) => `${where}.${key}`;
  return {
    branches: namesIn(given.branches, at('branches'))?.map(shortBranch) ?? [],
    tags: namesIn(given.tags, at('tags'))?.map((name) => name.replace(/^refs\/tags\//, '')) ?? [],
    keys: namesIn(given.keys, at('keys')),
    overrides: namesIn(given.overrides, at('overrides')),
    criteria: namesIn(given.criteria, at('criteria')),
    independence: leastOf(given.independence, INDEPENDENCES, at('independence')),
    strength: leastOf(given.strength, STRENGTHS, at('strength')),
    tier: leastOf(given.tier, TIERS, at('tier')),
    protection: leastOf(given.protection, PROTECTIONS, at('protection')),
    mutation: choiceOf(given.mutation, at('mutation')) ?? false,
    waivers: choiceOf(given.waivers, at('waivers')),
    submodules: choiceOf(given.submodules, at('submodules')),
    judge: judgeOf(given.judge, at('judge')),
  };
}

/** Both at once: of two demands the harder one, of two permissions only what both leave open. */
export function bothOf(one: GateSection, other: GateSection): GateSection {
  return {
    branches: [...new Set([...one.branches, ...other.branches])],
    tags: [...new Set([...one.tags, ...other.tags])],
    keys: common(one.keys, other.keys),
    overrides: common(one.overrides, other.overrides),
    criteria: common(one.criteria, other.criteria),
    independence: Math.max(one.independence, other.independence),
    strength: Math.max(one.strength, other.strength),
    tier: Math.max(one.tier, other.tier),
    protection: Math.max(one.protection, other.protection),
    mutation: one.mutation || other.mutation,
    waivers: bothAllow(one.waivers, other.waivers),
    submodules: bothAllow(one.submodules, other.submodules),
    judge: one.judge === 'tree' || other.judge === 'tree' ? 'tree' : (one.judge ?? other.judge),
  };
}

/** No list leaves all; two lists leave what stands in both, which may be nothing. */
function common(one: readonly string[] | undefined, other: readonly string[] | undefined) {
  if (one === undefined || other === undefined) return one ?? other;
  return one.filter((name) => other.includes(name));
}

function bothAllow(one: boolean | undefined, other: boolean | undefined): boolean | undefined {
  return one === false || other === false ? false : (one ?? other);
}

/** Whether a name is one of these patterns. */
export function isNamed(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => asExpression(pattern).test(name));
}

/** Whether a name is none of these patterns, and a file system or a person could take it for one. */
export function looksNamed(patterns: readonly string[], name: string): boolean {
  return !isNamed(patterns, name) && isNamed(patterns.map(folded), folded(name));
}

/** As file systems that do not tell case, composition or ignored signs apart see a name. */
export const folded = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
    .toLowerCase();

const asExpression = (pattern: string) =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
    's',
  );

const shortBranch = (name: string) => name.replace(/^refs\/heads\//, '');

function namesIn(value: unknown, where: string): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.every((name) => typeof name === 'string' && name.trim() !== ''))
    return value as string[];
  throw bad(where, 'must be a list of names');
}

/** The place in the list of what is asked for, 0 where nothing is. */
function leastOf(value: unknown, known: readonly string[], where: string): number {
  if (value === undefined || value === null) return 0;
  const place = typeof value === 'string' && value !== '' ? known.indexOf(value) : -1;
  if (place >= 0) return place;
  throw bad(where, `must be one of ${known.filter((name) => name !== '').join(', ')}`);
}

function choiceOf(value: unknown, where: string): boolean | undefined {
  if (value === undefined || value === null || typeof value === 'boolean') return value ?? undefined;
  throw bad(where, 'must be true or false');
}

function judgeOf(value: unknown, where: string): GateSection['judge'] {
  if (value === undefined || value === null) return undefined;
  if (value === 'tree' || value === 'patch') return value;
  throw bad(where, 'must be tree or patch');
}

const bad = (where: string, what: string) =>
  new EngineError('BAD_CONFIG', `${where}: ${what}`, 'see docs/gated.md for what it takes');
