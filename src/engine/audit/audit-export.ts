import { canonicalize } from '../../attestation/canonical.ts';
import { openCheckpoint } from '../../attestation/checkpoint.ts';
import { type ExportVerification, verifyExport } from '../../attestation/export-verify.ts';
import type { TrustedKey } from '../../attestation/key.ts';
import type { PlacedNote } from './checkpoints.ts';
import { collectFindings } from './findings.ts';

/** What an offline look at an export found, and at the checkpoints that left the machine earlier. */
export interface ExportAudit extends Pick<ExportVerification, 'status' | 'events' | 'streams'> {
  readonly findings: readonly { readonly where: string; readonly what: string }[];
}

/** Judges an export with nothing but the file, keys and older checkpoints (docs/formats/export.md). Throws BAD_KEY. */
export function auditExport(
  bytes: Uint8Array,
  trusted: readonly TrustedKey[],
  given: readonly PlacedNote[],
): ExportAudit {
  const { status, findings, events, streams } = verifyExport(bytes, trusted);
  const named = findings.map(({ line, where, what }) => ({ where: `line ${line}, ${where}`, what }));
  const outside = collectFindings();
  for (const placed of given) {
    const result = openCheckpoint(placed.note, trusted);
    const line = `${canonicalize({ checkpoint: placed.note })}\n`;
    if (!result.ok) outside[result.code === 'unknown-key' ? 'doubt' : 'broken'](placed.where, result.because);
    else if (!Buffer.from(bytes).includes(`\n${line}`))
      outside.broken(placed.where, 'this checkpoint was signed and is not in the export');
  }
  const worse = status === 'broken' || outside.status() === 'clean' ? status : outside.status();
  return { status: worse, findings: [...named, ...outside.list()], events, streams };
}
