import { readConfig } from '../config.ts';
import { EngineError } from '../engine-error.ts';
import { wholeNamed } from '../part-of.ts';
import type { Ports } from '../ports.ts';
import { layoutOf } from '../staged/layout.ts';
import { stagedSettings } from '../staged/settings.ts';
import { taskNameOf } from '../staged/task-name.ts';

/** Where a task is built, by its protocol: only there can phases be part of it (unified picture, CX-14). */
const BUILDS: { readonly [protocol: string]: string } = {
  staged: 'IMPLEMENTATION',
  lifecycle: 'in_progress',
};

/**
 * The branch that phases below a task begin from: its own where it is in stages, '' for the default branch. Throws NOT_FOUND,
 * BAD_INPUT where the task is not being built.
 */
export async function branchToBuildOn(ports: Ports, ref: string): Promise<string> {
  const whole = await wholeNamed(ports, ref);
  const { display, protocol, item } = whole;
  const at = BUILDS[protocol.name];
  if (at === undefined || item.state !== at)
    throw new EngineError(
      'BAD_INPUT',
      `${display} is ${item.state}: phases are part of it while it is built${at === undefined ? '' : `, in ${at}`}`,
      `see where it stands: countersign show ${display}`,
    );
  if (protocol.name !== 'staged') return '';
  const settings = stagedSettings(await readConfig(ports));
  return layoutOf(ports.workspace.main, settings, taskNameOf(whole)).branch;
}
