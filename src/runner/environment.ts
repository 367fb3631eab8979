import { dirname } from 'node:path';
import { toolchainNames, toolchains } from './toolchains.ts';

const systemFolders = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/local/go/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
];

/** Where programs are looked for: the folder of the running node, then the system's own. Never the caller's PATH. */
export const searchPath = [dirname(process.execPath), ...systemFolders].join(':');

/** What the environment is made from. Folders are fresh for each use. */
export interface EnvironmentRequest {
  readonly home: string;
  readonly tmp: string;
  /** Above this folder git does not look for a repository: the one around the run is not the checkout's. */
  readonly ceiling: string;
  /** Names that the criteria let through from the caller. */
  readonly allow: readonly string[];
}

/**
 * A complete environment from an allow-list; whatever is not named here does not reach the checks. Programs of a tool
 * chain that the criteria let through are looked for after all others.
 */
export function scrubbedEnvironment(
  request: EnvironmentRequest,
  caller: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const fromCaller = request.allow.filter((name) => isAllowableName(name) && !toolchainNames.includes(name));
  const { variables, programs } = toolchains(request.allow);
  return {
    ...picked(caller, fromCaller),
    ...variables,
    PATH: [searchPath, ...programs].join(':'),
    HOME: request.home,
    TMPDIR: request.tmp,
    CI: '1',
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
    GIT_CEILING_DIRECTORIES: request.ceiling,
  };
}

const forNetwork = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];

/**
 * What the installer gets on top: the way to the registry and a download cache. What comes over it is compared with
 * the lockfile's digests, so a wrong proxy can make the set-up fail and nothing else.
 */
export function installerEnvironment(
  base: Record<string, string>,
  downloads: string,
): Record<string, string> {
  return { ...base, ...picked(process.env, forNetwork), npm_config_cache: downloads };
}

/**
 * False for names that choose which code runs or where it is read from; criteria cannot let these through. The places
 * of tool chains can be: their values are not the caller's.
 */
export function isAllowableName(name: string): boolean {
  if (toolchainNames.includes(name)) return true;
  const fixed = /^(PATH|HOME|TMPDIR|CI|TZ|LANG|NO_COLOR|IFS|ENV|BASH_ENV|SHELLOPTS|BASHOPTS|CDPATH)$/;
  const loads = /^(LD|DYLD|GIT|NPM|NODE|PYTHON|RUBY|PERL|JAVA|JDK|_JAVA|GO|CARGO|RUST|LUA|COUNTERSIGN)/i;
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !fixed.test(name) && !loads.test(name);
}

const picked = (from: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
