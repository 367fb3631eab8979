import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Spoken } from '../mcp/stdio.ts';
import type { Found, Stage, Verdict } from '../phases/stage.ts';

const AGENT = join(import.meta.dirname, '../fixtures/agents/scripted-agent.mjs');
const PUPPET = join(import.meta.dirname, '../fixtures/agents/puppet.mjs');

/**
 * Builders that follow the script in their order, two reviewers that follow the one in a file, and one who waits: whoever
 * tests speaks for it. All are real clients of the server.
 */
export const SCRIPTED = `agents:
  builder: {adapter: command, command: [${process.execPath}, ${AGENT}, --mcp, '{mcp}']}
  quick: {adapter: command, command: [sh, -c, 'COUNTERSIGN_SCRIPT="$XDG_STATE_HOME/../reviewing.json" exec "$@"', sh, ${process.execPath}, ${AGENT}, --mcp, '{mcp}']}
  patient: {adapter: command, command: [${process.execPath}, ${PUPPET}]}
phases: {reviewers: 3, reviewer_agents: [quick, quick, patient]}
`;

/** Says what the quick reviewers do from now on. */
export function reviewersSay({ s }: Stage, verdict: Verdict, findings: readonly Found[] = []): void {
  const given = { review_id: '{{env.COUNTERSIGN_ACTOR}}', verdict, summary: `it is ${verdict}`, findings };
  const steps = [{ call: 'submit_review_verdict', arguments: given, expect: 'taken' }];
  writeFileSync(join(dirname(String(s.env.XDG_STATE_HOME)), 'reviewing.json'), JSON.stringify(steps));
}

/** An order that the scripted builder follows. */
export const order = (...steps: readonly object[]): string =>
  `Build it.\n\n\`\`\`script\n${JSON.stringify(steps)}\n\`\`\`\n`;

const progress = (status: string, message: string) => ({
  call: 'update_agent_progress',
  arguments: { status, message },
  expect: 'taken',
});

/** An honest builder: says that it works, commits a file, says what it did. */
export const honest = (path: string, ...more: readonly object[]): string =>
  order(
    progress('working', 'I begin'),
    ...more,
    { write: path, text: `${path}\n` },
    { commit: `Add ${path}` },
    progress('completed', `${path} is there`),
  );

/** What the client of whoever coordinates is answered; its state is in the guidance. */
export interface Answer {
  readonly isError: boolean;
  readonly data: {
    readonly success: boolean;
    readonly error: string;
    readonly error_code: string;
    readonly guidance: {
      readonly status: string;
      readonly action: string;
      readonly blocked_reason: readonly string[] | null;
    };
    readonly [more: string]: unknown;
  };
}

export const ask = async (client: Spoken, tool: string, input: Record<string, unknown>): Promise<Answer> =>
  (await client.call(tool, input)) as unknown as Answer;
