import type { Command } from 'commander';
import { EngineError } from '../../engine/engine-error.ts';
import { EXIT } from '../exit-code.ts';
import { printAnswer } from '../print.ts';
import type { Register } from '../register.ts';

export const completion: Register = (program, run) => {
  program
    .command('completion <shell>')
    .description('a completion script for bash, zsh or fish')
    .addHelpText(
      'after',
      '\nbash: source <(countersign completion bash)\nfish: countersign completion fish | source',
    )
    .action((shell: string) =>
      run(async (cli) => {
        const write = SHELLS[shell];
        if (write === undefined) {
          const known = Object.keys(SHELLS).join(', ');
          throw new EngineError('BAD_INPUT', `there is no completion for ${shell}`, `known: ${known}`);
        }
        const script = write(wordsOf(program, ''));
        printAnswer(cli.output, { data: { shell, script }, text: script });
        return EXIT.ok;
      }),
    );
};

/** What may follow each command, `''` being the program itself. */
type Words = ReadonlyMap<string, readonly string[]>;

function wordsOf(command: Command, path: string): Words {
  const own = [
    ...command.commands.map((c) => c.name()),
    ...command.options.flatMap((o) => (o.long === null || o.long === undefined ? [] : [o.long])),
    '--help',
  ];
  const below = command.commands.flatMap((c) => [
    ...wordsOf(c, path === '' ? c.name() : `${path} ${c.name()}`),
  ]);
  return new Map([[path, own], ...below]);
}

/** Names of commands hold letters, digits and hyphens only, so nothing here needs to be quoted twice. */
const SHELLS: { readonly [shell: string]: (words: Words) => string } = {
  bash: (words) => `_countersign() {
  local path="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && continue
    case "\${path:+$path }$word" in
${pathsOf(words, (path) => `      '${path}') path='${path}' ;;`)}
    esac
  done
  case "$path" in
${[...words].map(([path, list]) => `    '${path}') words='${list.join(' ')}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _countersign countersign
`,
  zsh: (words) => `#compdef countersign
_countersign() {
  local path_="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] && continue
    case "\${path_:+$path_ }$word" in
${pathsOf(words, (path) => `      '${path}') path_='${path}' ;;`)}
    esac
  done
  case "$path_" in
${[...words].map(([path, list]) => `    '${path}') compadd -- ${list.join(' ')} ;;`).join('\n')}
  esac
  _files
}
compdef _countersign countersign
`,
  fish: (words) => `function __countersign_path
  set -l path ''
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; and continue
    set -l next (string trim -- "$path $word")
    contains -- $next ${pathsOf(words, (path) => `'${path}'`, ' ')}; and set path $next
  end
  echo $path
end
${[...words]
  .map(
    ([path, list]) =>
      `complete -c countersign -n 'test (__countersign_path) = "${path}"' -a '${list.join(' ')}'`,
  )
  .join('\n')}
`,
};

const pathsOf = (words: Words, phrase: (path: string) => string, between = '\n') =>
  [...words.keys()]
    .filter((path) => path !== '')
    .map(phrase)
    .join(between);
