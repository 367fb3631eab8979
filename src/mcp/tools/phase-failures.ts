import { EngineError } from '../../engine/engine-error.ts';
import type { NotDone } from '../../engine/execute.ts';
import { refusalCode } from '../../engine/phases/actions.ts';
import { placeOf } from '../../engine/phases/run-name.ts';
import { type PhaseStatus, phaseStatus } from '../../engine/phases/status.ts';
import type { Ports } from '../../engine/ports.ts';
import type { Desk } from '../desk.ts';
import { Misread } from '../misread.ts';
import { failure, type Reply } from '../reply.ts';
import type { Tool } from '../tool.ts';

/** A tool that tells what cannot be done in the shape of every answer, with where the phase stands (PHASE-105). */
export const standing = (tool: Tool): Tool => ({
  ...tool,
  takesAll: true,
  run: async (desk, input, context) => {
    try {
      if ((input as unknown) instanceof Misread) return await misread(desk, input);
      return await tool.run(desk, input, context);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      // Whoever has no credential is told nothing of any phase.
      const about = error.code === 'NO_CREDENTIAL' ? '' : aboutOf(input);
      return failed(desk.ports, error, about, error.code === 'NO_CREDENTIAL' ? NOBODY : NOWHERE);
    }
  },
});

/** What does not fit is answered to whoever has a credential, with where the phase that it names stands. */
async function misread(desk: Desk, { given, problems }: Misread): Promise<Reply> {
  await desk.caller();
  const hint = 'call it with the fields of its schema';
  return failed(desk.ports, new EngineError('BAD_INPUT', problems, hint), aboutOf(given), NOWHERE);
}

/** The item that a call is about, '' where it names none. */
function aboutOf(input: unknown): string {
  const { phase_id, review_id, agent_id } = (input ?? {}) as { readonly [field: string]: unknown };
  const about = phase_id ?? review_id ?? agent_id;
  return typeof about === 'string' ? placeOf(about) : '';
}

/** Of a phase that there is not, nothing can be said. */
const NOWHERE = 'LOOK IT UP: See what there is with next.';
const NOBODY = 'STOP: You have no credential any more. A person gives you another one.';

async function failed(ports: Ports, problem: EngineError, about: string, otherwise: string): Promise<Reply> {
  const told = failure(problem);
  const { code, message: error } = problem;
  const { guidance, review } = await standingOf(ports, about, otherwise);
  const error_code = refusalCode({ because: error, code: code as NotDone['code'] });
  const data = { ...told.data, success: false, error, error_code, guidance, review };
  return { ...told, data, text: [told.text, guidance.action].join('\n') };
}

async function standingOf(
  ports: Ports,
  about: string,
  action: string,
): Promise<Pick<PhaseStatus, 'guidance' | 'review'>> {
  const nowhere = { guidance: { status: '', action, blocked_reason: null, escalated: false }, review: null };
  if (about === '') return nowhere;
  return phaseStatus(ports, about).catch(() => nowhere);
}
