import { basename, extname } from 'node:path';
import { ENGINE_KINDS } from '../kernel/engine-evidence.ts';
import { readsOf } from '../kernel/leaves.ts';
import type { Protocol } from '../kernel/protocol.ts';
import { BUILT_IN, builtIn } from '../protocols/index.ts';
import { parseYaml } from './config.ts';
import { EngineError } from './engine-error.ts';
import { PROBE_NAMES } from './gather/names.ts';
import type { GitPort, Ports } from './ports.ts';

/** Where a project keeps protocols of its own, as committed on its default branch. */
export const PROTOCOL_FOLDER = '.countersign/protocols';

/** What a project keeps: its protocols by name, and what is wrong with the files that hold none. */
interface Kept {
  readonly protocols: ReadonlyMap<string, Protocol>;
  /** By the name that the protocol would have. */
  readonly broken: ReadonlyMap<string, EngineError>;
}

/** What was read last, by repository: protocols of one commit never change. */
const lastRead = new WeakMap<GitPort, Kept & { readonly commit: string }>();

async function kept(ports: Pick<Ports, 'git'>): Promise<Kept> {
  const { head, defaultHead } = ports.git.heads('');
  const commit = defaultHead || head;
  const known = lastRead.get(ports.git);
  if (known?.commit === commit) return known;
  const found: Kept =
    commit === '' ? { protocols: new Map(), broken: new Map() } : await readAll(ports, commit);
  lastRead.set(ports.git, { commit, ...found });
  return found;
}

/**
 * The protocols that a project wrote for itself, by name; those of the default branch, never of the working tree. A file that
 * holds none takes no other with it: see `brokenProtocols`.
 */
export const projectProtocols = async (ports: Pick<Ports, 'git'>): Promise<ReadonlyMap<string, Protocol>> =>
  (await kept(ports)).protocols;

/** What is wrong with the files that hold no protocol, by the name that it would have: BAD_CONFIG, naming the file. */
export const brokenProtocols = async (ports: Pick<Ports, 'git'>): Promise<ReadonlyMap<string, EngineError>> =>
  (await kept(ports)).broken;

async function readAll({ git }: Pick<Ports, 'git'>, commit: string): Promise<Kept> {
  const protocols = new Map<string, Protocol>();
  const broken = new Map<string, EngineError>();
  for (const path of git.listAt(commit, PROTOCOL_FOLDER)) {
    if (!['.yaml', '.yml', '.json'].includes(extname(path))) continue;
    const name = basename(path, extname(path));
    try {
      protocols.set(name, await namedAs(name, path, git.readAt(commit, path) ?? Buffer.alloc(0)));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      broken.set(name, error);
    }
  }
  // Of two files of one name the sound one is no answer: nobody would know which is meant.
  for (const name of broken.keys()) protocols.delete(name);
  return { protocols, broken };
}

async function namedAs(name: string, path: string, bytes: Buffer): Promise<Protocol> {
  const protocol = await parsed(path, bytes);
  if (protocol.name !== name) throw bad(path, `it is called ${protocol.name}, its file ${name}`);
  if (builtIn(name) !== undefined) throw bad(path, `${name} ships with the engine: take another name`);
  return protocol;
}

async function parsed(path: string, bytes: Buffer): Promise<Protocol> {
  // It is heavy, and most projects have none of their own.
  const { parseProtocol } = await import('../kernel/parse-protocol.ts');
  let value: unknown;
  try {
    value = await parseYaml(bytes.toString('utf8'));
  } catch (cause) {
    throw bad(path, `it is neither YAML nor JSON: ${String(cause)}`);
  }
  const found = parseProtocol(value);
  if (!found.ok) throw bad(path, found.problems.slice(0, 5).join('; '));
  const strange = strangeIn(found.protocol);
  if (strange !== '') throw bad(path, strange);
  return found.protocol;
}

/** What the engine cannot answer, or never records, would keep a gate closed for ever. */
export function strangeIn(protocol: Protocol): string {
  return [strangeProbes(protocol), strangeEvidence(protocol)].filter((what) => what !== '').join('; ');
}

function strangeEvidence({ evidence }: Protocol): string {
  const unknown = evidence
    .filter(({ kind, by }) => by.includes('engine') && !Object.hasOwn(ENGINE_KINDS, kind))
    .map(({ kind }) => kind);
  if (unknown.length === 0) return '';
  const known = Object.keys(ENGINE_KINDS).join(', ');
  return `the engine records no ${[...new Set(unknown)].join(', ')}; it records ${known}`;
}

function strangeProbes(protocol: Protocol): string {
  const asked = readsOf(protocol.rows.flatMap((row) => row.requires)).probes;
  const unknown = asked.filter((name) => !(PROBE_NAMES as readonly string[]).includes(name));
  if (unknown.length === 0) return '';
  return `the engine cannot look for ${unknown.join(', ')}; it can for ${PROBE_NAMES.join(', ')}`;
}

const bad = (path: string, what: string) =>
  new EngineError('BAD_CONFIG', `${path}: ${what}`, 'mend the file and commit it on the default branch');

/**
 * The protocol of a name: one that ships with the engine, or the project's own. Throws UNKNOWN_PROTOCOL, and BAD_CONFIG where
 * its file holds none.
 */
export async function protocolNamed(ports: Pick<Ports, 'git'>, name: string): Promise<Protocol> {
  const shipped = builtIn(name);
  if (shipped !== undefined) return shipped;
  const { protocols: own, broken } = await kept(ports);
  const protocol = own.get(name);
  if (protocol !== undefined) return protocol;
  const wrong = broken.get(name);
  if (wrong !== undefined) throw wrong;
  const known = [...Object.keys(BUILT_IN), ...own.keys()].join(', ');
  throw new EngineError('UNKNOWN_PROTOCOL', `there is no protocol ${name}`, `known: ${known}`);
}

/** Every protocol that an item could be opened with here. */
export const everyProtocol = async (ports: Pick<Ports, 'git'>): Promise<readonly Protocol[]> => [
  ...Object.values(BUILT_IN),
  ...(await projectProtocols(ports)).values(),
];

/** Most states that are looked at before a protocol is taken up: what is larger is checked by hand first. */
const MOST_STATES = 60_000;

/**
 * Refuses a table that does not keep what every protocol promises: it is explored whole before the first item is opened
 * under it. Throws BAD_CONFIG with the first broken promise and the way there.
 */
export async function assertProved(protocol: Protocol): Promise<void> {
  if (builtIn(protocol.name) === protocol) return;
  const { checkProtocol } = await import('../kernel/check/check.ts');
  const report = checkProtocol(protocol, { cap: MOST_STATES });
  const broken = report.findings.find((finding) => finding.severity === 'error');
  const hint = `countersign protocol check ${PROTOCOL_FOLDER}/${protocol.name}.yaml`;
  if (broken !== undefined) {
    const way = broken.path.length === 0 ? '' : ` (${broken.path.join(' > ')})`;
    throw new EngineError(
      'BAD_CONFIG',
      `the protocol ${protocol.name} breaks a promise: ${broken.what}${way}`,
      hint,
    );
  }
  if (report.cut)
    throw new EngineError(
      'BAD_CONFIG',
      `the protocol ${protocol.name} is too large to be looked at whole`,
      hint,
    );
}
