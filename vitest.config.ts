import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const LIMIT_MS = process.env.COUNTERSIGN_THOROUGH === '1' ? 3_600_000 : 600_000;

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts', 'examples/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    // `npm run check` looks at the types of all the rest.
    typecheck: { include: ['src/**/*.test-d.ts'], tsconfig: './tsconfig.types.json' },
    globalSetup: ['tests/one-run.ts'],
    // They end what hangs, on whatever machine it is; nothing is measured by them.
    testTimeout: LIMIT_MS,
    hookTimeout: LIMIT_MS,
    expect: { poll: { timeout: 120_000 } },
    pool: 'forks',
    // One is kept free otherwise: of two processors that is half.
    maxWorkers: availableParallelism(),
  },
});
