import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts', 'examples/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    // `npm run check` looks at the types of all the rest.
    typecheck: { include: ['src/**/*.test-d.ts'], tsconfig: './tsconfig.types.json' },
    globalSetup: ['tests/one-run.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // One is kept free otherwise: of two processors that is half.
    maxWorkers: availableParallelism(),
  },
});
