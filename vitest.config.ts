import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/setup/longest-first.ts';

const FILES = globSync('test/**/*.test.ts', { cwd: import.meta.dirname }).map((path) =>
  path.replaceAll('\\', '/'),
);

/** Calls that replace something for every later file in the same process. */
const REPLACES = /\bvi\.(mock|doMock|resetModules|stubGlobal)\(/u;
const IN_WINDOW = /^test\/(browser|desktop)\//u;

/** Those have a process of their own. The others share one for each worker: to load the product costs as much as many tests. */
const alone = FILES.filter((path) => REPLACES.test(readFileSync(new URL(path, import.meta.url), 'utf8')));
const shared = FILES.filter((path) => !alone.includes(path));

const COMMON = {
  // Awaited results arrive at once; on a busy machine no test fails for being late.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 40_000 } },
  // One of thousands may be late on a busy machine: `npm test` tries it again, and names it with what went wrong at first.
  retry: process.env['FAXDESK_TEST_TRY_AGAIN'] === '1' ? 1 : 0,
  // Calls of a real telephone engine wait for each other's seconds.
  maxConcurrency: 16,
  pool: 'forks' as const,
  setupFiles: ['test/setup/error-codes.ts'],
};

/** Most of them wait for a disk, a call or another process, so one more than there are cores at the least. */
const MANY = { ...COMMON, maxWorkers: availableParallelism() + 1 };

export default defineConfig({
  test: {
    globalSetup: ['test/setup/global.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...MANY, name: 'alone', include: alone } },
      {
        test: { ...MANY, name: 'many', include: shared.filter((it) => !IN_WINDOW.test(it)), isolate: false },
      },
      // They begin as soon as the others leave a worker idle, and not after the last of them.
      {
        test: {
          ...MANY,
          name: 'windows',
          include: shared.filter((it) => IN_WINDOW.test(it)),
          isolate: false,
        },
      },
    ],
  },
});
