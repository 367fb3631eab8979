import { EngineError } from '../../engine/engine-error.ts';
import type { NotDone } from '../../engine/execute.ts';
import { refusalCode } from '../../engine/phases/actions.ts';
import { placeOf } from '../../engine/phases/run-name.ts';
import { type PhaseStatus, phaseStatus } from '../../engine/phases/status.ts';
import type { Ports } from '../../engine/ports.ts';
import { failure, type Reply } from '../reply.ts';
import type { Tool } from '../tool.ts';

/** A tool that tells what cannot be done in the shape of every answer, with where the phase stands (PHASE-105). */
export const standing = (tool: Tool): Tool => ({
  ...tool,
  run: async (desk, input, context) => {
    try {
      return await tool.run(desk, input, context);
    } catch (error) {
      if (!(error instanceof EngineError) || error.code === 'NO_CREDENTIAL') throw error;
      return failed(desk.ports, error, aboutOf(input as Asked));
    }
  },
});

interface Asked {
  readonly phase_id?: string;
  readonly review_id?: string;
  readonly agent_id?: string;
}

const aboutOf = ({ phase_id, review_id, agent_id }: Asked): string =>
  placeOf(phase_id ?? review_id ?? agent_id ?? '');

async function failed(ports: Ports, problem: EngineError, about: string): Promise<Reply> {
  const told = failure(problem);
  const { code, message: error } = problem;
  const { guidance, review } = await standingOf(ports, about);
  const error_code = refusalCode({ because: error, code: code as NotDone['code'] });
  const data = { ...told.data, success: false, error, error_code, guidance, review };
  return { ...told, data, text: [told.text, guidance.action].join('\n') };
}

/** Of a phase that there is not, nothing can be said. */
async function standingOf(ports: Ports, about: string): Promise<Pick<PhaseStatus, 'guidance' | 'review'>> {
  const action = 'LOOK IT UP: See what there is with next.';
  const nowhere = { status: '', action, blocked_reason: null, escalated: false };
  return phaseStatus(ports, about).catch(() => ({ guidance: nowhere, review: null }));
}
