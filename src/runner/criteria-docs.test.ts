import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkKinds } from './checks/index.ts';
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
