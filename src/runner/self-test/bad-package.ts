import { join } from 'node:path';
import { isMapping, type Manifest, readManifest } from '../artifact/manifest.ts';
import type { ArtifactCheck } from '../checks/artifact.ts';
import { insideCheckout } from '../checks/inside.ts';
import { type KnownBad, plain, putFile } from './bad-work.ts';

/** For an artefact: a package that answers nothing, where examples ask it, and one that cannot be loaded. */
export function badPackages({ directory, examples }: ArtifactCheck): readonly KnownBad[] {
  const inFolder = (name: string) => (directory === '' ? name : `${directory}/${name}`);
  const ledTo = (what: string, entry: string, text: string): KnownBad => ({
    ...plain,
    what,
    async edit(checkout) {
      if (insideCheckout(checkout, inFolder('package.json')) === undefined) return undefined;
      const manifest = await readManifest(join(checkout, directory));
      if (typeof manifest === 'string') return undefined;
      const put =
        (await putFile(checkout, inFolder('package.json'), withEntry(manifest, `./${entry}`))) &&
        (await putFile(checkout, inFolder(entry), text));
      return put ? [] : undefined;
    },
  });
  const mute = ledTo('a package that answers nothing', 'countersign-mute.cjs', MUTE);
  const broken = ledTo('a package that cannot be loaded', 'countersign-broken.cjs', BROKEN);
  return examples === '' ? [broken] : [mute, broken];
}

/** Everything that it exports is a function without an answer; as a program it ends at once. */
const MUTE = `#!/usr/bin/env node
const nothing = new Proxy(function () {}, {
  get: (target, key) => (typeof key === 'symbol' || key === 'then' ? undefined : key in target ? target[key] : nothing),
  apply: () => undefined,
  construct: () => ({}),
});
module.exports = nothing;
`;

const BROKEN = `#!/usr/bin/env node
process.exitCode = 86;
throw new Error('broken on purpose');
`;

/** The text of a manifest of which every entry and every program is one file. */
function withEntry({ raw }: Manifest, entry: string): string {
  const { exports, bin, module: _, browser: __, ...rest } = raw;
  const all = (value: unknown, fits: (key: string) => boolean) => {
    const keys = isMapping(value) ? Object.keys(value).filter(fits) : [];
    return keys.length > 0 ? Object.fromEntries(keys.map((key) => [key, entry])) : entry;
  };
  return JSON.stringify({
    ...rest,
    main: entry,
    ...(exports === undefined ? {} : { exports: all(exports, (key) => key.startsWith('.')) }),
    ...(bin === undefined ? {} : { bin: all(bin, () => true) }),
  });
}
