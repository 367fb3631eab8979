import { matchesGlob } from '../../glob.ts';
import { programIn } from './words.ts';

/** Which scripts of a manifest a command runs, as patterns of their names. */
export interface AskedScripts {
  readonly names: readonly string[];
  /** In manifests of other folders as well. */
  readonly everywhere: boolean;
}

const SHORT: Readonly<Record<string, string>> = { t: 'test', tst: 'test' };
const ELSEWHERE =
  /^(?:-w|-ws|-r|-C|-F|--workspaces?(?:=.*)?|--recursive|--filter(?:=.*)?|--prefix(?:=.*)?|--cwd(?:=.*)?|--dir(?:=.*)?|workspaces?|foreach)$/;
const RUN = /^(?:run|run-script|rum|urn|exec)$/;

/** What the words of one command run of package.json's scripts; a name that no manifest has runs nothing. */
export function scriptsOf(words: readonly string[]): AskedScripts {
  const at = words.findIndex((word) => MANAGERS.test(programIn(word)));
  const plain = words.flatMap((word) => /^npm:(.+)$/.exec(word)?.[1] ?? []);
  const ofNode = words.flatMap((word, i) =>
    word === '--run' ? [words[i + 1] ?? ''] : (/^--run=(.+)$/.exec(word)?.[1] ?? []),
  );
  if (at < 0) return { names: [...plain, ...ofNode], everywhere: false };
  const manager = programIn(words[at] ?? '');
  const rest = words.slice(at + 1);
  const everywhere =
    rest.some((word) => ELSEWHERE.test(word)) || /^(?:turbo|lerna|nx|wsrun|ultra)$/.test(manager);
  const own = rest
    .filter((word) => !word.startsWith('-') && !RUN.test(word))
    .map((word) => word.replace(/^.*#/, ''));
  // A manager with options of unknown length: any word may be the name.
  const many = everywhere || /^(?:run-[sp]|npm-run-all2?|wireit)$/.test(manager);
  const names = many ? own : own.slice(0, 1);
  return { names: [...plain, ...ofNode, ...names.map((name) => SHORT[name] ?? name)], everywhere };
}

const MANAGERS = /^(?:npm|pnpm|yarn|bun|run-[sp]|npm-run-all2?|turbo|lerna|nx|wsrun|ultra)$/;

/** The scripts of a manifest of these names, with what runs before and after each. */
export function scriptLines(
  scripts: Readonly<Record<string, unknown>>,
  names: readonly string[],
): readonly { readonly name: string; readonly line: string }[] {
  const asked = Object.keys(scripts).filter((own) => names.some((name) => fits(own, name)));
  const all = new Set(asked.flatMap((name) => [`pre${name}`, name, `post${name}`]));
  return [...all].flatMap((name) => {
    const line = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
    return typeof line === 'string' ? [{ name, line }] : [];
  });
}

/** In the patterns of npm-run-all a colon parts names as a slash parts folders. */
const fits = (name: string, pattern: string) =>
  name === pattern || matchesGlob(name.replaceAll(':', '/'), pattern.replaceAll(':', '/'));
