import { sha256Hex } from '../../attestation/digest.ts';
import type { ItemEvent } from '../../kernel/event.ts';
import type { Protocol } from '../../kernel/protocol.ts';
import type { WorkItem } from '../../kernel/work-item.ts';
import type { Findings } from './findings.ts';

const RUNS: ReadonlySet<string> = new Set(['agent-run', 'reviewer']);
const STARTS: readonly string[] = ['started', 'spawned'];

/** Ends that others may record as well, where the watcher is gone or does not move. */
const BY_OTHERS: ReadonlySet<string> = new Set(['lost', 'killed', 'not-started']);

interface Told {
  readonly protocol: Protocol;
  /** As it stood before the event. */
  readonly item: WorkItem;
  readonly event: ItemEvent;
}

/**
 * An end of an agent's process is on record with what its watcher alone was told. Without it somebody else wrote the end: where
 * it says what only a watcher sees, that is a contradiction; else whoever killed the watcher is not known.
 */
export function judgeEnd(findings: Findings, where: string, { protocol, item, event }: Told): void {
  if (event.type !== 'moved' || !RUNS.has(protocol.name)) return;
  const { command, facts } = event;
  const process = facts.process as { readonly reason?: unknown; readonly seal_key?: unknown } | undefined;
  const seal = item.steps.findLast((step) => STARTS.includes(step.command))?.facts.seal;
  if (process === undefined || typeof process.reason !== 'string') return;
  // Where nothing had ended, or the store is older than seals, there is nothing to hold against it.
  if (typeof seal !== 'string' || seal === '' || process.reason === '') return;
  if (sha256Hex(String(process.seal_key ?? '')) === seal) return;
  const what = `${command}: the end of its process (${process.reason}) was not recorded by the watcher of the process`;
  if (BY_OTHERS.has(process.reason)) findings.remark(where, `${what}: it was gone, or did not move`);
  else findings.broken(where, `${what}: somebody else wrote it`);
}
