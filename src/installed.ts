import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// In a bundle in CommonJS format there is no import.meta, in an ES module no __filename.
const here = () => (typeof __filename === 'string' ? __filename : fileURLToPath(import.meta.url));

/** The folder of the start files that this program belongs to. */
export function startFiles(): string {
  const folder = dirname(here());
  return folder.endsWith('/dist/bin') ? folder : join(folder, '../dist/bin');
}
