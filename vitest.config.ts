import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './test/setup/longest-first.ts';

/** Files that replace modules or globals for every later one in the same process. Each has a process of its own. */
const ALONE = 'test/**/*.alone.test.ts';
const IN_WINDOW = ['test/browser/**/*.test.ts', 'test/desktop/**/*.test.ts'];
/** Of a path with the slashes of Vite. */
const isProduct = new RegExp(
  `^${import.meta.dirname.replaceAll(/\W/gu, '.')}/(?:server|shared)/.*\\.ts$`,
  'u',
);

const COMMON = {
  // Awaited results arrive at once; on a busy machine no test fails for being late.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 40_000 } },
  // On shared machines alone: a second try hides a race, so the report names each with what went wrong at first.
  retry: process.env['CI'] ? 1 : 0,
  // Calls of a real telephone engine wait for each other's seconds.
  maxConcurrency: 16,
  pool: 'forks' as const,
  setupFiles: ['test/setup/error-codes.ts'],
  // Most of them wait for a disk, a call or another process, so one more than there are cores.
  maxWorkers: availableParallelism() + 1,
};

/** One process for the files of a worker: to load the product costs as much as many tests. Node loads it as it runs it. */
const SHARED = {
  ...COMMON,
  isolate: false,
  server: { deps: { external: [isProduct] } },
};

export default defineConfig({
  test: {
    globalSetup: ['test/setup/global.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...COMMON, name: 'alone', include: [ALONE] } },
      {
        test: {
          ...SHARED,
          name: 'many',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ALONE, ...IN_WINDOW],
        },
      },
      // They begin as soon as the others leave a worker idle, and not after the last of them.
      {
        test: {
          ...SHARED,
          name: 'windows',
          include: IN_WINDOW,
          exclude: [...configDefaults.exclude, ALONE],
        },
      },
    ],
  },
});
