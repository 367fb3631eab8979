import { basename } from 'node:path';

/** A command by its words. */
interface Worded {
  readonly words: readonly string[];
}

/** Programs and words of the shell that start another program, and which of their options take a word. */
const STARTERS: { readonly [name: string]: readonly string[] } = {
  sudo: ['-u', '-g', '-C', '-h', '-p'],
  env: ['-u', '-C', '-S'],
  nice: ['-n'],
  ionice: ['-c', '-n'],
  timeout: ['-s', '-k'],
  xargs: ['-n', '-I', '-P', '-L', '-d', '-s', '-E', '-a'],
  watch: ['-n'],
  stdbuf: ['-i', '-o', '-e'],
  npx: ['-p'],
  ...Object.fromEntries(
    (
      'time nohup command exec export bunx node npm pnpm yarn bun run setsid builtin ' +
      'if then elif else do while until ! { }'
    )
      .split(' ')
      .map((name) => [name, []]),
  ),
};

/** The program of a command and its words: without assignments before it, and without what only starts it. */
export function programOf(words: readonly string[]): readonly string[] {
  let valued: readonly string[] | undefined;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    const starts = Object.hasOwn(STARTERS, basename(word)) ? STARTERS[basename(word)] : undefined;
    if (starts !== undefined) valued = starts;
    else if (/^[A-Za-z_]\w*=/.test(word)) continue;
    else if (valued === undefined) return words.slice(i);
    else if (valued.includes(word)) i += 1;
    // How long, how often, or in whose place.
    else if (!word.startsWith('-') && !/^(\d+(\.\d+)?[smhd]?|\{\})$/.test(word)) return words.slice(i);
  }
  return [];
}

/** Programs that change nothing of the files they are given. */
const READERS = new Set(
  (
    'cat ls head tail less more grep egrep fgrep rg ag wc file stat du diff cmp sha256sum sha1sum md5sum jq yq ' +
    'cd pushd popd pwd echo printf test [ true false which type basename dirname realpath readlink sort uniq cut tr ' +
    'tree bat gh glab'
  ).split(' '),
);
/** Of these, the ones that tell nothing of what stands in a file. */
const NAMES_ONLY = new Set(
  'ls stat du cd pushd popd pwd echo printf test [ true false which type basename dirname realpath readlink'.split(
    ' ',
  ),
);
const GIT_READERS = new Set(
  'add commit diff show log status ls-files ls-tree blame grep cat-file rev-parse branch push fetch tag'.split(
    ' ',
  ),
);

/** Options by which a program that else only reads writes a file. */
const OUTPUT = /^(-\w*o|--output)/;
const WRITING: { readonly [name: string]: (rest: readonly string[]) => boolean } = {
  yq: (rest) => rest.some((word) => /^(-\w*i|--in-?place)/.test(word)),
  sort: (rest) => rest.some((word) => OUTPUT.test(word)),
  tree: (rest) => rest.some((word) => OUTPUT.test(word)),
  less: (rest) => rest.some((word) => /^(-\w*[oO]|--log-file)/.test(word)),
  uniq: (rest) => rest.filter((word) => !word.startsWith('-')).length > 1,
  git: (rest) => rest.some((word) => word.startsWith('--output')),
};

/** False where the command could change a file that it names. */
export function onlyReads({ words }: Worded): boolean {
  const [program = '', ...rest] = programOf(words);
  const name = basename(program);
  if (Object.hasOwn(WRITING, name) && WRITING[name]?.(rest)) return false;
  if (name === 'git') return GIT_READERS.has(gitCommand(rest));
  return READERS.has(name) || name === '';
}

/** True where the command may show what stands in a file that it names. */
export const mayShow = ({ words }: Worded): boolean =>
  !NAMES_ONLY.has(basename(programOf(words)[0] ?? 'true'));

/** What a fetch writes to. */
const TARGET = /:refs\/countersign\//;
/** Options by which a push takes references away. */
const DROPS = /^(-\w*d|--delete)/;

/** True where git is told to move or drop a reference of ours, here or where it was pushed to. */
export function movesOurRefs({ words }: Worded): boolean {
  const [program = '', ...rest] = programOf(words);
  if (basename(program) !== 'git') return false;
  const ours = rest.filter((word) => word.includes('refs/countersign/'));
  if (ours.length === 0) return false;
  const command = gitCommand(rest);
  if (command === 'push') return ours.some(isOverwritten) || rest.some((word) => DROPS.test(word));
  if (command === 'fetch' || command === 'pull') return ours.some((word) => TARGET.test(word));
  return /^(update-ref|symbolic-ref)$/.test(command);
}

/** Brought to a reference of ours from anything but itself, or by force. */
function isOverwritten(word: string): boolean {
  const [from = '', to = from] = word.split(':');
  return from !== to ? to.startsWith('refs/countersign/') : word.startsWith('+');
}

function gitCommand(rest: readonly string[]): string {
  const at = rest.findIndex((word, i) => !word.startsWith('-') && !/^-[cC]$/.test(rest[i - 1] ?? ''));
  return rest[at] ?? '';
}
