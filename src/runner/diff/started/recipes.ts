/** The commands of a Makefile's targets and of what these need; of its first target when none is named. */
export function recipes(makefile: string, targets: readonly string[]): readonly string[] {
  const { rules, values, first } = read(makefile);
  const done = new Set<string>();
  const wanted = targets.filter((target) => rules.has(target));
  const lines: string[] = [];
  for (const queue = wanted.length > 0 ? [...wanted] : [first]; queue.length > 0; ) {
    const target = queue.shift() ?? '';
    if (done.has(target)) continue;
    done.add(target);
    for (const { needs, commands } of rules.get(target) ?? []) {
      queue.push(...needs);
      lines.push(...commands);
    }
  }
  return lines.map((line) => withValues(line, values).replace(/^[@\-+\s]+/, ''));
}

interface Rule {
  readonly needs: readonly string[];
  readonly commands: string[];
}

function read(makefile: string) {
  const rules = new Map<string, Rule[]>();
  const values = new Map<string, string>();
  let open: Rule | undefined;
  for (const line of makefile.replaceAll('\\\n', ' ').split('\n')) {
    const [, key, value] = /^(\w+)\s*[:?+]?=\s*(.*)$/.exec(line) ?? [];
    if (line.startsWith('\t')) open?.commands.push(line);
    else if (key !== undefined) values.set(key, value ?? '');
    else open = opened(line, rules) ?? open;
  }
  return { rules, values, first: [...rules.keys()].find((name) => !name.startsWith('.')) ?? '' };
}

/** The rule that a line begins, filed under its targets. */
function opened(line: string, rules: Map<string, Rule[]>): Rule | undefined {
  const [, targets, needs = '', command] = /^([^\s:=#][^:=#]*):(?!=)([^=#;]*)(?:;(.*))?$/.exec(line) ?? [];
  if (targets === undefined) return undefined;
  const rule = { needs: wordsOf(needs), commands: command === undefined ? [] : [command] };
  for (const name of wordsOf(targets)) rules.set(name, [...(rules.get(name) ?? []), rule]);
  return rule;
}

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '');

function withValues(line: string, values: ReadonlyMap<string, string>): string {
  const once = (text: string) =>
    text.replaceAll(/\$[({](\w+)[)}]/g, (whole, name: string) => values.get(name) ?? whole);
  return once(once(line));
}
