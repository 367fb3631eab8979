import type { Case, TestProgram } from './test-texts.ts';

/** Files by path. */
export type Files = Readonly<Record<string, string>>;

/** A call of the module: the name of an export ('default' = the module itself) and its arguments as JSON. */
export interface Call {
  readonly export: string;
  readonly args: readonly unknown[];
}

/** What a call came to. */
export type Answer = { readonly returns: unknown } | { readonly throws: true };

/** A repository with a defect, its mending, and what tells one from the other. */
export interface Material {
  readonly id: string;
  /** Words that scenarios choose by. */
  readonly words: readonly string[];
  readonly program: TestProgram;
  readonly base: Files;
  /** Sources of the mending. */
  readonly source: Files;
  /** Tests of the mending. */
  readonly tests: Files;
  /** The file that the mending is about, and its tests. */
  readonly main: string;
  readonly test: string;
  /** Another source, which the task is not about. */
  readonly other: string;
  readonly otherTest: string;
  /** What a consumer loads. */
  readonly entry: string;
  /** Inputs of the oracle; nobody else has them. */
  readonly calls: readonly Call[];
  readonly onBase: readonly Answer[];
  readonly onFixed: readonly Answer[];
  /** Inputs that the mending changes, with the right answers: for tests of an honest builder, and as acceptance. */
  readonly shown: readonly Example[];
  /** Inputs that the mending must leave alone; where a repository is generated no test has them. */
  readonly steady: readonly Example[];
}

export interface Example {
  readonly call: Call;
  readonly answer: Answer;
}

/** The examples that the builder gets to see, and those that come with the task: apart as soon as there are two. */
export const visible = ({ shown }: Material): readonly Example[] =>
  shown.slice(0, Math.min(3, Math.ceil(shown.length / 2)));
const given = ({ shown }: Material) =>
  (shown.length > 1 ? shown.slice(Math.ceil(shown.length / 2)) : shown).slice(0, 4);

/** Whether a scenario that asks for these words can happen here. */
export const fits = (material: Material, words: string): boolean =>
  words
    .split(' ')
    .filter((word) => word !== '')
    .every((word) =>
      word.startsWith('-') ? !material.words.includes(word.slice(1)) : material.words.includes(word),
    );

/** Examples as tests. */
export const exampleCases = (program: TestProgram, examples: readonly Example[]): readonly Case[] =>
  examples.map(({ call, answer }, n) => {
    const actual = callText(call);
    const name = `example ${n + 1}`;
    if ('returns' in answer) return { name, actual, expected: JSON.stringify(answer.returns) };
    return { name, body: THROWS[program](actual) };
  });

/** A call as code of a test. */
export const callText = ({ export: name, args }: Call): string =>
  `${name === 'default' ? 'unit' : `unit.${name}`}(${args.map((arg) => JSON.stringify(arg)).join(', ')})`;

const THROWS: { readonly [program in TestProgram]: (code: string) => string } = {
  node: (code) => `assert.throws(() => ${code});`,
  tape: (code) => `t['throws'](function () { ${code}; });`,
  vitest: (code) => `expect(() => ${code}).toThrow();`,
};

/** The examples as a file of schema countersign/acceptance/1; JSON is YAML. */
export function acceptanceText(material: Material): string {
  const examples = given(material).map(({ call, answer }, n) => ({
    id: `example-${n + 1}`,
    call,
    ...answer,
  }));
  const unchanged = material.steady.slice(0, 4).map(({ call }) => ({ call }));
  return `${JSON.stringify({ schema: 'countersign/acceptance/1', examples, unchanged }, null, 2)}
`;
}
