import { appendFileSync } from 'node:fs';
import { commandLine } from '../../engine/command-line.ts';
import { callerOf } from '../../engine/credential.ts';
import { next, unseenLine, waitsLine } from '../../engine/next.ts';
import { doneOf, hardBlockReport } from '../../engine/reports.ts';
import { stepsOn } from '../../engine/steps.ts';
import { type Answer, context } from '../answer.ts';
import { bindingsIn } from '../bindings.ts';
import type { Moment } from '../payload.ts';
import type { Surroundings } from '../surroundings.ts';

/** A session begins: what stands, what is next, whose work it is. Its shell commands act as the same actor. */
export async function sessionStart({ session }: Moment, around: Surroundings): Promise<Answer> {
  const { actor, state, env } = around;
  name(env, 'COUNTERSIGN_ACTOR', actor, /^[a-z0-9][a-z0-9._-]*$/);
  // Tasks in stages are held by the session: its commands are known by it.
  name(env, 'COUNTERSIGN_SESSION', session, /^[\w.:-]{1,128}$/);
  const opened = await around.open();
  try {
    const { ports } = opened;
    const { actor: who } = await callerOf(opened, actor);
    const { blocked, suggestions, waiting, elsewhere, unseen, progress } = await next(ports, who, undefined);
    const others = bindingsIn(state).filter((binding) => binding.session !== session);
    const lines = [
      `Countersign is on: nothing is done until someone else confirms it. You work as ${who.id} (${who.roles.join(', ') || 'no role'}).`,
      ...blocked.map(hardBlockReport),
      ...suggestions.flatMap(({ handle, ways }) => [
        `${handle.display} ${handle.item.title} [${handle.item.state}]`,
        ...stepsOn(handle, ways).flatMap((step) =>
          step.command === '' ? [] : [`  next: ${commandLine(step)}`],
        ),
      ]),
      ...(suggestions.length > 0 ? [] : waiting.map(waitsLine)),
      ...unseen.map(unseenLine),
      ...elsewhere,
      ...(others.length === 0
        ? []
        : [`In the hands of other sessions: ${others.map((b) => b.item).join(', ')}`]),
      `${doneOf(progress)}. The tool next of the server countersign names the exact call.`,
    ];
    return context(lines.join('\n'));
  } finally {
    await opened.ports.store.close();
  }
}

/** Commands that the agent types act as it, never as the person whose machine this is, and in its session. */
function name(
  { CLAUDE_ENV_FILE: file }: NodeJS.ProcessEnv,
  variable: string,
  value: string,
  plain: RegExp,
): void {
  if (file !== undefined && file !== '' && plain.test(value))
    appendFileSync(file, `export ${variable}=${value}\n`);
}
