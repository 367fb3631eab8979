import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../attestation/digest.ts';
import { putPaper } from '../../workspace/paper-ref.ts';
import type { Repository } from '../../workspace/repository.ts';
import { repositoryKeys } from '../audit/repository-keys.ts';
import { EngineError } from '../engine-error.ts';
import { loadById, loadItem } from '../handle.ts';
import type { Ports } from '../ports.ts';
import { judgePack, latestPack, packsOf } from '../proof-verify.ts';
import { FILE_OF, OVERRIDES, PROOFS } from './papers.ts';

/** The proof pack of an item that passed, as it goes to a gate. */
export interface SentPack {
  readonly item: string;
  readonly ref: string;
  readonly commit: string;
  readonly tree: string;
  readonly bytes: Buffer;
  readonly at: string;
}

/**
 * The latest packs of these items, or of all that passed last where none is named. Throws NOT_FOUND for an item without
 * one, BAD_INPUT for one that did not pass, DAMAGED.
 */
export async function packsToSend(
  ports: Pick<Ports, 'store' | 'files'>,
  items: readonly string[],
): Promise<readonly SentPack[]> {
  const trusted = await repositoryKeys(ports);
  const sent: SentPack[] = [];
  for (const handle of await handlesOf(ports, items)) {
    const { record, bytes } = latestPack(ports, handle, undefined);
    const { status, verdict, subject } = judgePack(bytes, trusted);
    if (status !== 'clean' || verdict === undefined)
      throw new EngineError(
        'DAMAGED',
        `${record.signed} is ${status}`,
        `see: countersign proof show ${handle.display}`,
      );
    if (verdict.verdict !== 'PASSED')
      throw new EngineError(
        'BAD_INPUT',
        `the last verdict on ${handle.display} is ${verdict.verdict}`,
        `see: countersign proof show ${handle.display}`,
      );
    const { gitTree: tree = '', gitCommit: commit = '' } = subject;
    const ref = `${PROOFS}/${tree}/${sha256Hex(bytes)}`;
    sent.push({ item: handle.display, ref, commit, tree, bytes, at: verdict.endedAt });
  }
  return sent;
}

async function handlesOf(ports: Pick<Ports, 'store'>, items: readonly string[]) {
  if (items.length > 0) return Promise.all(items.map((ref) => loadItem(ports, ref)));
  const passed = [];
  const asked = { list: undefined, states: [], categories: ['CONFIRMED', 'CLOSED'], assignee: undefined };
  for (let after = 0, more = true; more; ) {
    const rows = await ports.store.items({ ...asked, after, limit: 200 });
    for (const { id } of rows) {
      const handle = await loadById(ports, id);
      if (packsOf(handle).at(-1)?.outcome === 'PASSED') passed.push(handle);
    }
    after = rows.at(-1)?.number ?? after;
    more = rows.length === 200;
  }
  return passed;
}

/** Puts a pack under its ref here; the commit that passed comes along, so that the gate can look at it. */
export function keepPack(repo: Repository, { ref, bytes, item, at, commit }: SentPack): void {
  const message = `The proof pack of ${item}`;
  putPaper(repo, { ref, name: FILE_OF[PROOFS], bytes, message, at, about: commit });
}

/** Puts an override under its ref, and answers that. */
export function keepOverride(repo: Repository, commit: string, text: string, at: string): string {
  const bytes = Buffer.from(text);
  const ref = `${OVERRIDES}/${commit}/${sha256Hex(bytes)}`;
  const message = 'What a person lets go';
  putPaper(repo, { ref, name: FILE_OF[OVERRIDES], bytes, message, at, about: '' });
  return ref;
}

/** Writes a pack into a folder that a gate reads; one that lies there stays. Answers its path. */
export function layPack(folder: string, { tree, bytes }: SentPack): string {
  const path = join(folder, `${tree}-${sha256Hex(bytes).slice(0, 16)}.${FILE_OF[PROOFS]}`);
  if (!existsSync(folder))
    throw new EngineError('NOT_FOUND', `there is no folder ${folder}`, `run: mkdir ${folder}`);
  if (!existsSync(path)) writeFileSync(path, bytes, { mode: 0o644 });
  return path;
}
