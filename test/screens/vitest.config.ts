import { defineConfig } from 'vitest/config';

/** `npm run screens`: makes the pictures of docs/screens, light and dark, in two sizes. */
export default defineConfig({
  test: {
    root: '.',
    include: ['test/screens/screens.ts'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    globalSetup: ['test/setup/global.ts'],
  },
});
