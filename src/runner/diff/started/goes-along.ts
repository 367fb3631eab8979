import { isProgram } from '../listing.ts';
import { isRunnerConfig } from './configured.ts';

/** Folders of programs that are the product, or made from it. */
const PRODUCT = /(?:^|\/)(?:src|lib|app|source|dist|build|out|vendor|node_modules)\//;
const TOOLS = /^(?:scripts?|tools?|tooling|ci|dev|hack)\//;
const EXPECTED = /expect|golden|fixture|baseline|snapshot|oracle/i;

/**
 * Whether a file that a started program or runners' settings name takes part with it: what lies beside it below the
 * top, what settings load, and what is expected; the product that a program is about does not.
 */
export function goesAlong(path: string, other: string): boolean {
  if (PRODUCT.test(other)) return false;
  if (path.includes('/') && path.split('/')[0] === other.split('/')[0])
    return isProgram(other) || /\.[^/.]+$/.test(other);
  return isProgram(other) ? isRunnerConfig(path) || TOOLS.test(other) : EXPECTED.test(other);
}
