import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { type TrustedKey, trustedKeyFrom } from '../../attestation/key.ts';
import { parseYaml } from '../config.ts';
import { EngineError } from '../engine-error.ts';
import { type GateSection, gateSectionOf } from './policy.ts';

/** What whoever keeps a repository decides, in a folder beside its hooks that no push reaches. */
export interface GateFolder {
  readonly own: GateSection;
  readonly keys: readonly TrustedKey[];
  readonly people: readonly TrustedKey[];
  /** A folder with proof packs, '' for none. */
  readonly proofs: string;
}

/** Names inside the git folder. */
export const GATE_FOLDER = 'countersign-gate';
const SETTINGS = 'gate.yaml';
const KEYS = 'keys';
const PEOPLE = 'people';

/** Reads it. Throws NOT_FOUND where there is none, BAD_CONFIG, BAD_KEY. */
export async function readGateFolder(gitDir: string): Promise<GateFolder> {
  const folder = join(gitDir, GATE_FOLDER);
  const path = join(folder, SETTINGS);
  if (!existsSync(path))
    throw new EngineError('NOT_FOUND', `there is no ${path}`, 'run there: countersign gate-push --install');
  const { proofs = '', ...section } = await tableIn(path);
  if (typeof proofs !== 'string' || (proofs !== '' && !isAbsolute(proofs)))
    throw new EngineError('BAD_CONFIG', `${path}: proofs must be the whole path of a folder`, 'mend it');
  return {
    own: gateSectionOf(section, path),
    keys: keysIn(join(folder, KEYS)),
    people: keysIn(join(folder, PEOPLE)),
    proofs,
  };
}

async function tableIn(path: string): Promise<{ readonly [key: string]: unknown }> {
  const value = await yamlOf(path);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new EngineError('BAD_CONFIG', `${path} must be a table of keys`, 'mend it');
}

async function yamlOf(path: string): Promise<unknown> {
  try {
    return (await parseYaml(readFileSync(path, 'utf8'))) ?? {};
  } catch (cause) {
    throw new EngineError('BAD_CONFIG', `${path} is not YAML: ${String(cause)}`, 'mend it', { cause });
  }
}

function keysIn(folder: string): readonly TrustedKey[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.pem'));
  return names.sort().map((name) => {
    try {
      return trustedKeyFrom(readFileSync(join(folder, name), 'utf8'));
    } catch (cause) {
      const hint = 'put a public key there, or take the file away';
      throw new EngineError('BAD_CONFIG', `${join(folder, name)} is no public ed25519 key`, hint, { cause });
    }
  });
}

/** What is put in. Keys and settings that are there stay. */
export interface GateContent {
  /** Where there are no settings yet. */
  readonly branches: readonly string[];
  readonly keys: readonly TrustedKey[];
  readonly people: readonly TrustedKey[];
  readonly proofs: string;
}

/** The settings of a gate that is there already, undefined where there are none. */
export function gateSettingsAt(gitDir: string): string | undefined {
  const path = join(gitDir, GATE_FOLDER, SETTINGS);
  return existsSync(path) ? path : undefined;
}

/** The keys that may sign proof packs there, also before there are settings. Throws BAD_CONFIG. */
export const trustedKeysAt = (gitDir: string): readonly TrustedKey[] =>
  keysIn(join(gitDir, GATE_FOLDER, KEYS));

/** Makes the folder, or adds keys to it. */
export function writeGateFolder(gitDir: string, { branches, keys, people, proofs }: GateContent): void {
  const folder = join(gitDir, GATE_FOLDER);
  const put = (name: string, added: readonly TrustedKey[]) => {
    mkdirSync(join(folder, name), { recursive: true, mode: 0o755 });
    for (const { keyid, publicPem } of added)
      writeFileSync(join(folder, name, `${keyid.slice(0, 16)}.pem`), publicPem, { mode: 0o644 });
  };
  put(KEYS, keys);
  put(PEOPLE, people);
  const path = join(folder, SETTINGS);
  if (existsSync(path)) return;
  const lines = [
    '# What this repository demands of a push, beside what the base of the push says (docs/gated.md).',
    `branches: ${JSON.stringify(branches)}`,
    ...(proofs === '' ? [] : [`proofs: ${JSON.stringify(proofs)}`]),
  ];
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o644 });
}
