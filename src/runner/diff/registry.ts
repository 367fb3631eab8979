const usual = ['https://registry.npmjs.org', 'https://registry.yarnpkg.com'];

/** The registries of the public, and those from which base fetched packages as registries hand them out. */
export function knownOrigins(
  packages: readonly { readonly name: string; readonly url: string }[],
): ReadonlySet<string> {
  const found = packages.flatMap(({ name, url }) => (isArchiveOf(url, name) ? [originOf(url)] : []));
  return new Set([...usual, ...found]);
}

/** Whether an address is that of a package of this name in one of these registries. */
export const isRegistryUrl = (url: string, name: string, origins: ReadonlySet<string>): boolean =>
  origins.has(originOf(url)) && isArchiveOf(url, name);

/** As registries lay out their addresses: `/name/-/name-1.0.0.tgz`, or `/download/name/1.0.0/digest`. */
function isArchiveOf(url: string, name: string): boolean {
  if (!/^https?:\/\//.test(url) || name === '') return false;
  const path = pathOf(url);
  const own = name.slice(name.indexOf('/') + 1);
  return (
    path.includes(`/${name}/-/${own}-`) ||
    path.includes(`/download/${name}/`) ||
    path.includes(`/${name}/-/${name}-`)
  );
}

function pathOf(url: string): string {
  try {
    const { pathname } = new URL(url);
    // An address that is not in its shortest form names another package than it seems to.
    return url.includes('..') ? '' : decodeURIComponent(pathname);
  } catch {
    return '';
  }
}

function originOf(url: string): string {
  try {
    const { origin, username } = new URL(url);
    return username === '' ? origin : '';
  } catch {
    return '';
  }
}
