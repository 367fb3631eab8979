import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { acceptanceProblems } from './artifact/examples.ts';
import { checkKinds } from './checks/index.ts';
import { controls } from './controls/suite.ts';
import { itemKinds, parseCriteria } from './criteria.ts';
import { reportFormats } from './parsers/index.ts';

const read = (name: string) => readFileSync(new URL(`../../docs/formats/${name}`, import.meta.url), 'utf8');

describe('the documentation of criteria', () => {
  it('shows an example that is valid', async () => {
    const example = /```yaml\n([\s\S]*?)```/.exec(read('criteria.md'))?.[1] ?? '';
    expect((await parseCriteria(new TextEncoder().encode(example), 'example')).checks).toHaveLength(2);
  });

  it('has a schema that knows the kinds and formats of the code', () => {
    const schema = JSON.parse(read('criteria.schema.json'));
    expect(schema.properties.applies_to.items.enum).toEqual([...itemKinds]);
    expect(schema.$defs.command.properties.report.properties.format.enum).toEqual(['exit', ...reportFormats]);
    const kinds = schema.properties.checks.items.oneOf.map(({ $ref }: { $ref: string }) =>
      $ref.split('/').at(-1),
    );
    expect(kinds).toEqual([...checkKinds]);
  });
});

describe('the page about verification', () => {
  const page = readFileSync(new URL('../../docs/verification.md', import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  const problemsOf = async (text: string): Promise<readonly string[]> => {
    if (text.startsWith('schema: countersign/acceptance/1'))
      return acceptanceProblems(new TextEncoder().encode(text));
    const none: readonly string[] = [];
    return parseCriteria(new TextEncoder().encode(text), 'example').then(
      () => none,
      ({ problems }) => problems,
    );
  };

  it('shows examples that are valid, criteria as well as acceptance examples', async () => {
    expect(blocks.length).toBeGreaterThan(2);
    for (const block of blocks) expect(await problemsOf(block)).toEqual([]);
  });

  it('names every kind of check, of item and of control', () => {
    const names = [...checkKinds, ...itemKinds, ...controls];
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});
