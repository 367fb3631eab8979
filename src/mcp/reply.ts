import type { CallToolResult } from '@modelcontextprotocol/server';
import { errorTold } from '../engine/error-told.ts';
import type { NotDone, Outcome } from '../engine/execute.ts';
import { toldOf } from '../engine/refusal-told.ts';
import { todoOf } from '../engine/todo.ts';
import { asCalls } from './as-calls.ts';
import { callFor, callsOn, inText, unique } from './call.ts';
import type { Offers } from './offers.ts';

/** What a tool answers: data for programs, text for models, and links to what is too long for either. */
export interface Reply {
  readonly data: { readonly [name: string]: unknown };
  readonly text: string;
  /** Resources behind which the long parts are. */
  readonly links: readonly Link[];
  readonly isError: boolean;
}

export interface Link {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
}

export const reply = (data: Reply['data'], text: string, links: readonly Link[] = []): Reply => ({
  data: { ok: true, ...data },
  text,
  links,
  isError: false,
});

/** What became of a command on an item, with the exact calls that lead on. */
export function outcomeReply(
  outcome: Outcome,
  offered: Offers,
  command: string,
  done: string,
  more: Reply['data'] = {},
  links: readonly Link[] = [],
): Reply {
  if (outcome.kind === 'refused') return refusal(outcome, offered, command);
  const next = callsOn(outcome.handle, outcome.options, offered);
  return reply(
    { item: todoOf(outcome.handle), next, ...more },
    [done, ...next.map(inText)].join('\n'),
    links,
  );
}

/** A refusal is an answer that a model can act on: what is missing, who can do what, and the exact call. */
export function refusal(refused: NotDone, offered: Offers, command: string): Reply {
  const { code, message, missing, failures, evidence, steps } = toldOf(refused, command);
  const next = unique(steps.map((step) => callFor(step, offered)));
  const lines = [
    `refused (${code}): ${message}`,
    // The data says it as every face does.
    ...missing.map((v) => asCalls(`- ${v.because}${v.fix === '' ? '' : ` (${v.fix})`}`, offered)),
    ...failures.map((failure) => `- failed: ${failure}`),
    ...(evidence === '' ? [] : [`- the failure report: ${evidence}`]),
    ...next.map(inText),
  ];
  const data = { ok: false, code, message, missing, next, item: todoOf(refused.handle) };
  return { data, text: lines.join('\n'), links: [], isError: true };
}

/** The same where there is no item yet. */
export function unopened({ code, because, verdicts }: Pick<NotDone, 'code' | 'because' | 'verdicts'>): Reply {
  const next = verdicts.flatMap(({ fix }) => (fix === '' ? [] : [{ by: 'you', first: fix }]));
  const missing = verdicts.map(({ guard, status, because: why, fix }) => ({
    guard,
    status,
    because: why,
    fix,
  }));
  const text = [`refused (${code}): ${because}`, ...next.map(inText)].join('\n');
  return { data: { ok: false, code, message: because, missing, next }, text, links: [], isError: true };
}

/** An error with its next step; a defect tells no more of itself than that it is one. */
export function failure(error: unknown): Reply {
  const { code, message, hint: typed } = errorTold(error);
  const hint = asCalls(typed);
  const text = [`error (${code}): ${message}`, ...(hint === '' ? [] : [`next: ${hint}`])].join('\n');
  const next = hint === '' ? [] : [{ by: 'you', first: hint }];
  return { data: { ok: false, code, message, next }, text, links: [], isError: true };
}

export function resultOf({ data, text, links, isError }: Reply): CallToolResult {
  return {
    content: [
      { type: 'text', text },
      ...links.map((link) => ({ type: 'resource_link' as const, mimeType: 'application/json', ...link })),
    ],
    structuredContent: { ...data },
    ...(isError ? { isError } : {}),
  };
}
