import { literalPattern } from '../../kernel/literal-pattern.ts';
/** A line of a plan or a reply that says what nobody may say there, with what is said instead. */
export interface Finding {
  /** 1-based. */
  readonly line: number;
  readonly level: 'error' | 'warning';
  readonly rule: Rule;
  readonly found: string;
  readonly instead: string;
}

export type Rule =
  | 'main-agent-implements'
  | 'own-hands'
  | 'who-and-where'
  | 'offers-options'
  | 'reports-a-block'
  | 'asks-for-permission';

/** Where a text is said: the plan itself, what a coordinator says, or its answer to somebody who asked for a change. */
export type Said = 'plan' | 'coordinator' | 'change-request';

interface Asked {
  readonly said: Said;
  readonly task: string;
  readonly agents: readonly string[];
}

/** Judges a text by its lines; what stands in fences is no sentence of anybody (PROTO-114 to PROTO-116, PROTO-296 to PROTO-301). */
export function lintWording(text: string, { said, task, agents }: Asked): readonly Finding[] {
  if (said === 'change-request') return changeReply(text, task);
  return lines(text).flatMap(([words, line]) => {
    const one = ownHands(words) ?? (said === 'plan' ? planLine(words, agents) : undefined);
    return one === undefined ? [] : [{ line, ...one }];
  });
}

/** The lines of a text that are prose, with their numbers. */
function lines(text: string): readonly (readonly [string, number])[] {
  let fence = false;
  return text.split(/\r?\n/).flatMap((line, n): readonly (readonly [string, number])[] => {
    if (/^\s*(```|~~~)/.test(line)) {
      fence = !fence;
      return [];
    }
    return fence ? [] : [[line, n + 1]];
  });
}

type Line = Omit<Finding, 'line'> | undefined;

const VERBS: { readonly [form: string]: string } = {
  ...{ implement: 'implement', implementing: 'implement', write: 'write', writing: 'write' },
  ...{
    create: 'create',
    creating: 'create',
    build: 'build',
    building: 'build',
    code: 'code',
    coding: 'code',
  },
};
const DOING = Object.keys(VERBS).join('|');
const OWN_HANDS = new RegExp(
  `\\b(?:I(?:['’]ll| will| am going to|['’]m going to)|let me)\\s+(?:now\\s+)?(?:(?:start|begin)\\s+(?:by|with)\\s+)?(${DOING})\\b(.*)`,
  'i',
);
/** What whoever coordinates does write with its own hands. */
const PAPERS = /\b(?:task\.md|todo(?:\.md)?|plan|summary|report|document|message)\b/i;

/** Somebody says that it builds itself (PROTO-298, PROTO-301). */
function ownHands(line: string): Line {
  const [whole, verb = '', rest = ''] = OWN_HANDS.exec(line) ?? [];
  if (whole === undefined || isPaper(rest)) return undefined;
  const what = `${VERBS[verb.toLowerCase()] ?? 'implement'}${rest}`.trim();
  return {
    level: 'error',
    rule: 'own-hands',
    found: whole.trim(),
    instead: `I will coordinate stakeholder agents to ${what}`,
  };
}

/** Only where the paper is what is written, and not what it is written by. */
const isPaper = (rest: string) =>
  PAPERS.test(rest.split(/\b(?:based on|following|from|according to|as in|per)\b/i)[0] ?? '');

const MAIN =
  /\b(?:main agent|coordinator|orchestrator)\s+(?:will\s+|then\s+)?(?:implements?|writes?|creates?|builds?|codes?)\b/i;
const PLACE = /\bworktrees?\b|\bagents\/[\w.{}-]+/i;
const CALLER = /\b(?:invok|launch|coordinat|call)(?:es?|ed|s|ing)?\b/i;

/** Who implements, who calls them and where (PROTO-296, PROTO-297, PROTO-298). */
function planLine(line: string, agents: readonly string[]): Line {
  const main = MAIN.exec(line);
  if (main !== null)
    return {
      level: 'error',
      rule: 'main-agent-implements',
      found: main[0],
      instead: 'the main agent invokes a stakeholder agent, which implements it in its worktree',
    };
  const who = implementer(agents).exec(line);
  if (who === null || PLACE.test(line) || CALLER.test(line)) return undefined;
  const [found, name = 'agent'] = who;
  const agent = name.replace(/\s+agents?$/i, '');
  return {
    level: 'warning',
    rule: 'who-and-where',
    found,
    instead: `the main agent invokes ${agent}, and ${agent} agent implements it in its worktree agents/${agent}/code`,
  };
}

const implementer = (agents: readonly string[]) =>
  new RegExp(
    `\\b((?:${[...agents.map(literalPattern), '[\\w-]+ agents?'].join('|')})(?: agents?)?)\\s+implements?\\b`,
    'i',
  );

const OFFER =
  /\b(?:would you like|do you want|would you prefer)\b|\boptions?\b\s*(?:are\b|:)|\bhow (?:would|do) you\b/i;
const CHOICES = /\b1\s*[).]|\bfollow-up\b|\bor\b|\boptions?\b/i;
const BLOCKED = /\bhooks?\b[^.?!\n]*\b(?:block|refus|prevent|den[iy])/i;
const WHETHER =
  /\b(?:should|shall|may|can|could) (?:I|we)\b[^.?!\n]*\b(?:transition|go|move|switch|return)(?:ing)?\s+back\b[^.!\n]*\?|\b(?:would you like|do you want) (?:me|us) to (?:transition|go|move|switch|return) back\b[^.!\n]*\?/i;

/** A request for a change is an order: nothing is offered, reported or asked (PROTO-113 to PROTO-116). */
function changeReply(text: string, task: string): readonly Finding[] {
  const whole = text.replace(/\r/g, '');
  const found: readonly (readonly [Rule, RegExpExecArray | null])[] = [
    ['reports-a-block', BLOCKED.exec(whole)],
    ['offers-options', CHOICES.test(whole) ? OFFER.exec(whole) : null],
    ['asks-for-permission', WHETHER.exec(whole)],
  ];
  return found.flatMap(([rule, at]) =>
    at === null
      ? []
      : [
          {
            level: 'error' as const,
            line: whole.slice(0, at.index).split('\n').length,
            rule,
            found: at[0].trim(),
            instead: `the request is the order: countersign task request-change ${task} --reason TEXT, then invoke the agents`,
          },
        ],
  );
}

/** A finding as one line. */
export const findingText = ({ line, level, rule, found, instead }: Finding): string =>
  `${level} in line ${line} (${rule}): "${found}": say: ${instead}`;
