import type { ServerContext, ToolAnnotations } from '@modelcontextprotocol/server';
import type { ZodObject, ZodRawShape, z } from 'zod';
import type { Protocol } from '../kernel/protocol.ts';
import { BUILT_IN } from '../protocols/index.ts';
import type { Desk } from './desk.ts';
import type { Reply } from './reply.ts';

/** One thing that an agent can ask for. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** What a model reads before it calls: short, for every list carries all of them. */
  readonly description: string;
  readonly input: ZodObject;
  readonly annotations: Required<Omit<ToolAnnotations, 'title'>>;
  /** Roles that are offered it; empty for everyone. */
  readonly roles: readonly string[];
  /** It answers input that does not fit by itself, in the shape of all its answers: `run` is handed a `Misread`. */
  readonly takesAll?: true;
  readonly run: (desk: Desk, input: never, context: ServerContext) => Promise<Reply>;
}

/** A tool whose `run` gets what its input schema lets through. */
export function tool<Shape extends ZodRawShape>(
  definition: Omit<Tool, 'input' | 'run'> & {
    readonly input: ZodObject<Shape>;
    readonly run: (desk: Desk, input: z.infer<ZodObject<Shape>>, context: ServerContext) => Promise<Reply>;
  },
): Tool {
  return definition as unknown as Tool;
}

const HINTS = { openWorldHint: false, destructiveHint: false } as const;
export const READS = { ...HINTS, readOnlyHint: true, idempotentHint: true } as const;
/** Takes a step that the log keeps: a second call is another step, or a refusal. */
export const STEPS = { ...HINTS, readOnlyHint: false, idempotentHint: false } as const;

/** The roles that some row of a protocol lets take one of the commands. */
export function rolesFor(...commands: readonly string[]): readonly string[] {
  const rows = Object.values(BUILT_IN).flatMap((protocol) => protocol.rows);
  return distinct(rows.filter((row) => commands.includes(row.command)).flatMap((row) => row.by));
}

/** The roles that one protocol lets take a command. */
export const rolesOfCommand = ({ rows }: Protocol, command: string): readonly string[] =>
  distinct(rows.filter((row) => row.command === command).flatMap((row) => row.by));

/** The roles that some protocol lets say something of one of the kinds. */
export function rolesSaying(...kinds: readonly string[]): readonly string[] {
  const rows = Object.values(BUILT_IN).flatMap((protocol) => protocol.evidence);
  return distinct(rows.filter((row) => kinds.includes(row.kind)).flatMap((row) => row.by));
}

/** The roles that some gate lets ask for its checks. */
export const rolesPassing = (protocols = Object.values(BUILT_IN)): readonly string[] =>
  distinct(
    protocols.flatMap(({ rows, gates }) =>
      rows.filter((row) => gates.some(({ pass }) => pass === row.command)).flatMap((row) => row.by),
    ),
  );

/** The roles that may open items. */
export const openers = (): readonly string[] =>
  distinct(Object.values(BUILT_IN).flatMap((protocol) => protocol.openers));

/** Every role of some protocols. */
export const rolesOf = (...protocols: readonly Protocol[]): readonly string[] =>
  distinct(protocols.flatMap(({ roles }) => roles));

/** Every role that a built-in protocol knows. */
export const everyRole = (): readonly string[] => rolesOf(...Object.values(BUILT_IN));

/** Roles of agents: people and the engine have no list of tools, and an owner is a role of the table already. */
const distinct = (roles: readonly string[]) =>
  [...new Set(roles)].filter((role) => !NO_ROLE.test(role)).sort();

const NO_ROLE = /^(human|engine|policy|@.*)$/;
