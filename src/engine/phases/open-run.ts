import type { Caller } from '../caller.ts';
import type { Draft } from '../draft.ts';
import { EngineError } from '../engine-error.ts';
import type { Handle } from '../handle.ts';
import { NEW_ITEM } from '../new-item.ts';
import { openInto, planOf } from '../opening.ts';
import type { Ports } from '../ports.ts';
import { agentInForce } from './agent-settings.ts';
import { link } from './links.ts';
import { pinnedOf } from './settings.ts';

/** Most characters of an order, by whatever face it comes. */
export const MOST_PROMPT = 100_000;
const FIXES: readonly string[] = ['REJECTED', 'REVISING'];

/** The run that a deployment opens, in its write. Throws BAD_INPUT without an order, BAD_CONFIG without an agent. */
export async function openRun(ports: Ports, caller: Caller, write: Draft, phase: Handle): Promise<void> {
  const { arguments: given, from } = phase.item.steps.at(-1) ?? { arguments: {}, from: '' };
  const { prompt = '', agent = '' } = given as { readonly prompt?: string; readonly agent?: string };
  if (prompt.trim() === '')
    throw new EngineError('BAD_INPUT', 'nothing says what the agent is to do', 'say it: --prompt TEXT');
  if (prompt.length > MOST_PROMPT || prompt.includes('\0'))
    throw new EngineError(
      'BAD_INPUT',
      `the prompt has ${prompt.length} characters or holds a NUL: at most ${MOST_PROMPT} of text are taken`,
      'put what is longer into a file of the repository, and name it',
    );
  const name = agent === '' ? pinnedOf(phase).agent : agent;
  await agentInForce(ports, name);
  const plan = await planOf(ports, [
    {
      ...NEW_ITEM,
      list: phase.item.list,
      title: `Agent of ${phase.display}`,
      protocol: 'agent-run',
      facts: {
        phases: phase.item.facts.phases ?? {},
        ...{ agent: name, prompt: ports.evidence.put(Buffer.from(prompt)), fix: FIXES.includes(from) },
      },
    },
  ]);
  const [run] = await openInto(ports, caller, write, plan);
  if (run === undefined) throw new Error('a run that was opened is not there');
  link(write, run, 'phase', phase.id, { by: caller.actor.id });
  link(write, phase, 'deployed', run.id, { by: caller.actor.id });
}
