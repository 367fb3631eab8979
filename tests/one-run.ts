import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for what the files of one run share; it is gone when the run is over. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-run-'));
  process.env.COUNTERSIGN_TEST_RUN = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
