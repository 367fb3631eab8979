import { expect, it } from 'vitest';
import { generateKeyPair, signerFrom } from './key.ts';
import { sealBy } from './seal.ts';

it('knows its own mark again, and no other', () => {
  const [mine, other] = [generateKeyPair(), generateKeyPair()].map(({ privatePem }) =>
    sealBy(signerFrom(privatePem)),
  );
  const mark = mine?.mark('told') ?? '';
  expect(mine?.holds('told', mark)).toBe(true);
  expect(mine?.holds('Told', mark)).toBe(false);
  expect(mine?.holds('told', 'AAAA')).toBe(false);
  expect(other?.holds('told', mark)).toBe(false);
});
