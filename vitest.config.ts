import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is waited for comes at once; the second that is usual is short on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    maxWorkers: 2,
    globalSetup: ['test/setup/global.ts'],
    setupFiles: ['test/setup/error-codes.ts'],
  },
});
