import type { TrustedKey } from '../../attestation/key.ts';
import { fileIn, type StandingRef } from '../../workspace/pushed.ts';
import type { AskGit } from '../../workspace/received.ts';
import { CONFIG_PATH, configFrom, parseYaml } from '../config.ts';
import { EngineError } from '../engine-error.ts';
import type { Papers } from './papers.ts';
import { type GateSection, gateSectionOf } from './policy.ts';

/** What a judgement of a push rests on, all of it out of reach of whoever pushes. */
export interface Gate {
  readonly ask: AskGit;
  /** What whoever keeps the repository demands, beside what the base says. */
  readonly own: GateSection;
  /** Keys that may sign proof packs. */
  readonly keys: readonly TrustedKey[];
  /** Keys of people, who may let something through. They sign no packs. */
  readonly people: readonly TrustedKey[];
  readonly papers: Papers;
  /** Where protected branches stand before the push. */
  readonly tips: readonly StandingRef[];
}

/** Something that keeps an update from being taken. */
export interface Finding {
  readonly code: FindingCode;
  readonly says: string;
  /** The exact next step. */
  readonly next: string;
}

/** Findings that an override can let go. */
export const PERMITTED = ['unverified', 'policy', 'rewritten', 'created', 'submodule', 'tag'] as const;
export type Permitted = (typeof PERMITTED)[number];
export type FindingCode =
  | Permitted
  | 'deleted'
  | 'stale'
  | 'name'
  | 'no-commit'
  | 'replace'
  | 'paper'
  | 'fault';

/** One line of what a push asks for; '' where the ref is not there before or after. */
export interface Update {
  readonly ref: string;
  readonly old: string;
  readonly next: string;
}

/** What became of one update. */
export interface Judged {
  readonly update: Update;
  readonly guarded: boolean;
  readonly findings: readonly Finding[];
  /** Why it is taken, or what a person let go of it. */
  readonly remarks: readonly string[];
}

/** Every branch that is pushed to is looked at, whoever wrote it. */
const MOST_CONFIG = 1 << 16;

/** The `gate` section of the configuration at a commit. Throws BAD_CONFIG. */
export async function sectionAt(ask: AskGit, commit: string): Promise<GateSection> {
  const text = textAt(ask, commit);
  return text === undefined ? gateSectionOf(undefined) : gateSectionOf(configFrom(await parsed(text)).gate);
}

function textAt(ask: AskGit, commit: string): string | undefined {
  try {
    return fileIn(ask, commit, CONFIG_PATH, MOST_CONFIG)?.toString('utf8');
  } catch (cause) {
    const { code, message } = cause as { code?: string; message: string };
    if (code !== 'BAD_NAME') throw cause;
    throw new EngineError('BAD_CONFIG', message, 'make it shorter', { cause });
  }
}

async function parsed(text: string): Promise<unknown> {
  try {
    return await parseYaml(text);
  } catch (cause) {
    throw new EngineError('BAD_CONFIG', `${CONFIG_PATH} is not YAML: ${String(cause)}`, 'mend it', { cause });
  }
}
