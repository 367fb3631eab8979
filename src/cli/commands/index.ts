import type { Register } from '../register.ts';

/** A command by its first word; its code is loaded only for a line that could mean it, and for help. */
export interface CommandEntry {
  readonly name: string;
  readonly load: () => Promise<Register>;
}

/** Every command, in the order of `help`. */
// biome-ignore format: a table reads as a table
export const COMMANDS: readonly CommandEntry[] = [
  { name: 'init', load: async () => (await import('./init.ts')).init },
  { name: 'uninstall', load: async () => (await import('./uninstall.ts')).uninstall },
  { name: 'add', load: async () => (await import('./add.ts')).add },
  { name: 'next', load: async () => (await import('./next.ts')).next },
  { name: 'inbox', load: async () => (await import('./inbox.ts')).inbox },
  { name: 'list', load: async () => (await import('./list.ts')).list },
  { name: 'show', load: async () => (await import('./show.ts')).show },
  { name: 'dispatch', load: async () => (await import('./transition.ts')).dispatch },
  { name: 'release', load: async () => (await import('./transition.ts')).release },
  { name: 'start', load: async () => (await import('./start.ts')).start },
  { name: 'move', load: async () => (await import('./move.ts')).move },
  { name: 'claim', load: async () => (await import('./claim.ts')).claim },
  { name: 'sign-off', load: async () => (await import('./sign-off.ts')).signOff },
  { name: 'review', load: async () => (await import('./review.ts')).review },
  { name: 'approve', load: async () => (await import('./approve.ts')).approve },
  { name: 'verify', load: async () => (await import('./verify.ts')).verify },
  { name: 'report', load: async () => (await import('./report.ts')).report },
  { name: 'ack', load: async () => (await import('./ack.ts')).ack },
  { name: 'retry', load: async () => (await import('./transition.ts')).retry },
  { name: 'complete', load: async () => (await import('./complete.ts')).complete },
  { name: 'follow-up', load: async () => (await import('./follow-up.ts')).followUp },
  { name: 'goal', load: async () => (await import('./goal.ts')).goal },
  { name: 'task', load: async () => (await import('./task.ts')).task },
  { name: 'gate', load: async () => (await import('./gate.ts')).gate },
  { name: 'worktree', load: async () => (await import('./worktree.ts')).worktree },
  { name: 'gate-push', load: async () => (await import('./gate-push.ts')).gatePush },
  { name: 'ci', load: async () => (await import('./ci.ts')).ci },
  { name: 'lease', load: async () => (await import('./lease.ts')).lease },
  { name: 'phase', load: async () => (await import('./phase.ts')).phase },
  { name: 'agent', load: async () => (await import('./agent.ts')).agent },
  { name: 'log', load: async () => (await import('./log.ts')).log },
  { name: 'history', load: async () => (await import('./history.ts')).history },
  { name: 'tick', load: async () => (await import('./tick.ts')).tick },
  { name: 'proof', load: async () => (await import('./proof.ts')).proof },
  { name: 'metrics', load: async () => (await import('./metrics.ts')).metrics },
  { name: 'audit', load: async () => (await import('./audit.ts')).audit },
  { name: 'export', load: async () => (await import('./export.ts')).exportCommand },
  { name: 'store', load: async () => (await import('./store.ts')).store },
  { name: 'doctor', load: async () => (await import('./doctor.ts')).doctor },
  { name: 'actor', load: async () => (await import('./actor.ts')).actor },
  { name: 'token', load: async () => (await import('./token.ts')).token },
  { name: 'key', load: async () => (await import('./key.ts')).key },
  { name: 'import', load: async () => (await import('./import.ts')).importCommand },
  { name: 'criteria', load: async () => (await import('./criteria.ts')).criteria },
  { name: 'protocol', load: async () => (await import('./protocol.ts')).protocol },
  { name: 'config', load: async () => (await import('./config.ts')).config },
  { name: 'work', load: async () => (await import('./work.ts')).work },
  { name: 'serve', load: async () => (await import('./served.ts')).serve },
  { name: 'connect', load: async () => (await import('./served.ts')).connect },
  { name: 'disconnect', load: async () => (await import('./served.ts')).disconnect },
  { name: 'mcp', load: async () => (await import('./mcp.ts')).mcp },
  { name: 'completion', load: async () => (await import('./completion.ts')).completion },
];
