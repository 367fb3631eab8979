/** A call that loads another module, up to the name of what it loads. */
const LOADS =
  /\b(?:require(?:\.resolve)?|import|getBuiltinModule|import_module|__import__)\s*\(\s*(?:'[^'\n]*'|"[^"\n]*"|`[^`\n]*`)/g;
const NAME = /['"`].*$/;
const FIRST = 0xe000;

/**
 * A line in which the names of loaded modules are signs that nothing looks for, as long as they were: a module that
 * cannot find another one is noticed by whoever loads it, and says nothing of any test. `named` puts the names back.
 */
export function withoutLoaded(line: string): {
  readonly masked: string;
  readonly named: (text: string | undefined) => string;
} {
  const names: string[] = [];
  const masked = line.replace(LOADS, (call) =>
    call.replace(NAME, (name) => {
      names.push(name);
      return String.fromCharCode(FIRST + names.length - 1).repeat(name.length);
    }),
  );
  const named = (text = '') =>
    text.replace(/([\ue000-\ue0ff])\1*/g, (signs) => names[signs.charCodeAt(0) - FIRST] ?? signs);
  return { masked, named };
}

const ONLY =
  /^\s*(?:export\s+)?(?:[^=()]+=\s*)?(?:await\s+)?(?:[\w$]+\.)*(?:require|import|getBuiltinModule|import_module|__import__)\s*\(\s*(?:'[^'\n]*'|"[^"\n]*"|`[^`\n]*`)\s*\)(?:\.[\w$]+)*\s*[;,]?\s*$/;

/** Whether a line does nothing but load another module: without it nothing can be tried. */
export const onlyLoads = (line: string): boolean => ONLY.test(line);
