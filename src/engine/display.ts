/** What the names of some protocols' items begin with; those of the others with T. */
const PREFIXES: ReadonlyMap<string, string> = new Map([
  ['goal', 'GOAL'],
  ['phase', 'PHASE'],
  ['review', 'review'],
  ['reviewer', 'reviewer'],
  ['agent-run', 'agent'],
]);

/** The name of an item for people (CX-05, PHASE-107). */
export function displayId(number: number, protocol = ''): string {
  return `${PREFIXES.get(protocol) ?? 'T'}-${number}`;
}

const SHORT = 80;

/** A title as a confirmation repeats it: its first 80 characters. */
export function shortTitle(title: string): string {
  const characters = [...title];
  return characters.length <= SHORT ? title : `${characters.slice(0, SHORT - 1).join('')}…`;
}

/**
 * The number behind what people write: 42, T-42, TASK-042, GOAL-1 (CX-05). Undefined for anything else,
 * such as an internal id.
 */
export function numberOf(ref: string): number | undefined {
  const match = /^(?:[A-Za-z]+-)?0*([1-9]\d{0,14})$/.exec(ref.trim());
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

/** Whether a name that people write can be that of an item of the protocol: `GOAL-1` is a goal, `T-1` and `TASK-1` are none. */
export function isCalled(ref: string, protocol: string): boolean {
  const prefix = /^([A-Za-z]+)-/.exec(ref.trim())?.[1]?.toUpperCase();
  const named = [...PREFIXES].find(([, begins]) => begins.toUpperCase() === prefix)?.[0];
  if (named !== undefined) return protocol === named;
  return !(prefix === 'T' || prefix === 'TASK') || !PREFIXES.has(protocol);
}

/** A title as part of a file name: lower case, words joined by hyphens, leading verb dropped (2PC-53). */
export function slugOf(title: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .split(' ')
    .filter(Boolean);
  const kept = words.length > 1 && LEADING.has(words[0] ?? '') ? words.slice(1) : words;
  return kept.join('-').slice(0, 60).replace(/-+$/, '') || 'item';
}

/** 20251024T220500Z for 2025-10-24T22:05:00Z (2PC-53). */
export function compactTime(iso: string): string {
  return `${iso.slice(0, 19).replace(/[-:]/g, '')}Z`;
}

const LEADING = new Set([
  'implement',
  'add',
  'fix',
  'create',
  'write',
  'build',
  'make',
  'update',
  'refactor',
  'remove',
]);
