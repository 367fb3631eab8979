/** Languages whose comments and texts can be told from code; `plain` is everything else. */
export type Language = 'js' | 'python' | 'go' | 'rust' | 'c' | 'shell' | 'plain';

const endings: Readonly<Record<string, Language>> = {
  ...endingsOf('js', 'js mjs cjs jsx ts mts cts tsx vue svelte astro'),
  ...endingsOf('python', 'py pyi pyw'),
  ...endingsOf('go', 'go'),
  ...endingsOf('rust', 'rs'),
  ...endingsOf('c', 'c h cc cpp cxx hpp hh cs java kt kts scala swift php dart m mm groovy'),
  ...endingsOf('shell', 'sh bash zsh ksh rb pl pm r ex exs yml yaml toml mk'),
};

function endingsOf(language: Language, names: string): Record<string, Language> {
  return Object.fromEntries(names.split(' ').map((name) => [name, language]));
}

/** By the ending of the name alone. */
export function languageOf(path: string): Language {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/^(GNU)?[Mm]akefile$|^Dockerfile|^Justfile$|^justfile$/.test(name)) return 'shell';
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return Object.hasOwn(endings, ending) ? (endings[ending] ?? 'plain') : 'plain';
}
