/** Options before a command that take the next word with them. */
const WITH_VALUE = new Set(['--actor']);

/** Commands whose place is a machine: their own files, keys and processes. No server runs them for a client. */
export const OF_THE_MACHINE: ReadonlySet<string> = new Set([
  'init',
  'uninstall',
  'key',
  'store',
  'serve',
  'work',
  'connect',
  'disconnect',
  'mcp',
  'completion',
  'gate-push',
  'ci',
  'help',
]);

/** What hands a secret of this machine to the program: it goes to no server. */
const SECRET: readonly (readonly [string, string])[] = [
  ['actor', 'passphrase'],
  ['proof', 'override'],
];

/** Whether a line is for the machine that it is typed at. */
export function isOfTheMachine(words: readonly string[]): boolean {
  const command = meant(words);
  return (
    OF_THE_MACHINE.has(command) || SECRET.some(([group, word]) => command === group && words.includes(word))
  );
}

/** The command that a line means, '' where it names none: for help, and for the version. */
export function meant(words: readonly string[]): string {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (WITH_VALUE.has(word)) at += 1;
    else if (!word.startsWith('-')) return word;
  }
  return '';
}

/** What looks at the log alone: no commit matters to it. */
const LOOKS: ReadonlySet<string> = new Set([
  ...[
    'next',
    'inbox',
    'list',
    'show',
    'log',
    'history',
    'metrics',
    'export',
    'audit',
    'doctor',
    'actor',
    'token',
  ],
  ...['goal status', 'task list', 'task show', 'phase status', 'phase list', 'agent list', 'agent output'],
]);

/** Whether a line is about no commit. */
export function onlyLooks(words: readonly string[]): boolean {
  const command = meant(words);
  return LOOKS.has(command) || LOOKS.has(`${command} ${words[words.indexOf(command) + 1] ?? ''}`);
}

/** The actor that a line names, undefined where it names none. */
export function namedActor(words: readonly string[]): string | undefined {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') return undefined;
    if (word === '--actor') return words[at + 1];
    if (word.startsWith('--actor=')) return word.slice('--actor='.length);
  }
  return undefined;
}
