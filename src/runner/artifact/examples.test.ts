import { describe, expect, it } from 'vitest';
import { acceptanceProblems, parseAcceptance } from './examples.ts';

const parse = (text: string) => parseAcceptance(Buffer.from(text));
const problems = (text: string) => acceptanceProblems(Buffer.from(text));
const head = 'schema: countersign/acceptance/1\n';

describe('acceptance examples', () => {
  it('are read from YAML', async () => {
    const text = `${head}examples:
  - id: parses
    call: {export: a.parse, from: ./sub, args: ["x", {$date: "2026-01-02"}, .nan, {$ref: "#"}, {$$date: 1}]}
    returns: {a: [b], $schema: c}
  - {id: refuses, call: {args: []}, throws: true}
  - {id: tool, bin: tool, args: [-v], stdout: {matches: "^1"}}
unchanged:
  - {call: {export: parse, args: []}}
  - {id: named, call: {export: parse}}
`;
    expect(await parse(text)).toEqual({
      examples: [
        {
          id: 'parses',
          kind: 'call',
          call: {
            entry: '/sub',
            path: ['a', 'parse'],
            args: [
              'x',
              { $date: '2026-01-02T00:00:00.000Z' },
              { $number: 'NaN' },
              { $$ref: '#' },
              { $$date: 1 },
            ],
          },
          expected: { returns: { a: ['b'], $$schema: 'c' } },
        },
        {
          id: 'refuses',
          kind: 'call',
          call: { entry: '', path: ['default'], args: [] },
          expected: { throws: '' },
        },
        {
          id: 'tool',
          kind: 'bin',
          bin: 'tool',
          args: ['-v'],
          stdin: '',
          exit: 0,
          stdout: { how: 'matches', text: '^1' },
        },
      ],
      unchanged: [
        { id: 'unchanged[0]', call: { entry: '', path: ['parse'], args: [] } },
        { id: 'named', call: { entry: '', path: ['parse'], args: undefined } },
      ],
    });
  });

  it('name every problem with its place', async () => {
    const text = `${head}strange: 1
examples:
  - {id: "", call: {args: 1}, returns: 1}
  - {id: a, call: {args: [{$bigint: x}], from: sub}, returns: 1, throws: ""}
  - {id: a, returns: {$regexp: "/(/"}}
  - {id: b, bin: t}
  - {id: c, bin: t, args: [1], exit: -1, stdout: {equals: a, contains: b}}
  - {id: d, bin: t, stdout: {matches: "("}}
  - {id: e, call: {args: [{$error: x}]}, returns: 1}
`;
    expect((await problems(text)).map((line) => line.split(': ')[0])).toEqual([
      'examples[0].id',
      'examples[0].id',
      'examples[0].call.args',
      'examples[1].call.from',
      'examples[1].call.args',
      'examples[1].returns',
      'examples[1].throws',
      'examples[2].call',
      'examples[2].returns',
      'examples[3].exit',
      'examples[4].args',
      'examples[4].exit',
      'examples[4].stdout.equals',
      'examples[5].stdout.matches',
      'examples[6].call.args',
      'strange',
    ]);
  });

  it.each([
    [
      'an id that is used twice',
      `${head}examples: [{id: a, bin: t, exit: 0}, {id: a, bin: t, exit: 0}]`,
      'a is used twice',
    ],
    ['nothing', head, 'must hold at least one'],
    ['more than 200', `${head}unchanged: [${'{call: {}},'.repeat(201)}]`, 'are 201'],
    ['another schema', 'schema: countersign/acceptance/2', 'schema: must be one of countersign/acceptance/1'],
    ['broken YAML', '{', 'document:'],
    ['no mapping', '[]', 'document: must be a mapping'],
    ['a megabyte', `# ${'x'.repeat(1024 * 1024)}`, 'at most 1048576'],
  ])('are refused with %s', async (_, text, problem) => {
    expect((await problems(text)).join('\n')).toContain(problem);
  });
});
