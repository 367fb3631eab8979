import { type ZodObject, type ZodRawShape, z } from 'zod';
import type { Protocol } from '../../kernel/protocol.ts';
import { agentName, because, taskId } from '../fields.ts';
import { takeStep, type Wanted } from '../taking.ts';
import { rolesOfCommand, STEPS, type Tool, tool } from '../tool.ts';

export interface Named<Shape extends ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly protocol: Protocol;
  /** The command of the table; its roles are offered the tool unless others are named. */
  readonly command: string;
  readonly roles?: readonly string[];
  /** What the call takes beside the name that it may carry. */
  readonly input: Shape;
  readonly wanted: (input: z.infer<ZodObject<Shape>>) => Omit<Wanted, 'command'> & { command?: string };
}

/** A step of a protocol under the name that its document gives it. */
export function named<Shape extends ZodRawShape>(definition: Named<Shape>): Tool {
  const { name, title, description, protocol, command, input, wanted } = definition;
  return tool({
    ...{ name, title, description, annotations: STEPS },
    input: z.strictObject({ ...input, agent_name: agentName }),
    roles: definition.roles ?? rolesOfCommand(protocol, command),
    run: (desk, input) => {
      const { agent_name: as, ...given } = input as { readonly agent_name?: string };
      return takeStep(desk, { command, as, ...wanted(given as never) });
    },
  });
}

/** Makes the tools of those steps of a protocol that take a task and a reason, and no more. */
export const plainSteps =
  (protocol: Protocol) =>
  (name: string, command: string, title: string, description: string): Tool =>
    named({
      ...{ name, command, title, description, protocol },
      input: { task_id: taskId, reason: because },
      wanted: ({ task_id: ref, reason }) => ({ ref, reason }),
    });
