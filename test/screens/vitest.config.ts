import { defineConfig } from 'vitest/config';

/** `npm run screens`: takes pictures of every screen into out/screens, light and dark, in two sizes, and renews those of docs/screens. */
export default defineConfig({
  test: {
    root: '.',
    include: ['test/screens/screens.ts'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    globalSetup: ['test/setup/global.ts'],
  },
});
