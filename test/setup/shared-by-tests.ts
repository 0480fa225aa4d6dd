import { afterAll, beforeAll, beforeEach } from 'vitest';

/** Holder of the current instance; a test may replace it. */
export interface Shared<T> {
  current: T;
}

/**
 * Shares one instance among all tests of a file or group, prepared with `furnish`. A test that fails may leave anything
 * behind: the next one, or its retry, gets another. When `start` returns null, the caller skips the tests.
 */
export function sharedByTests<T extends { close(): Promise<unknown> }>(
  start: () => Promise<T | null>,
  furnish: () => Promise<unknown> = async () => undefined,
): Shared<T> {
  let present: T | null = null;
  let isSpoiled = false;
  const begin = async () => {
    present = await start();
    if (present !== null) await furnish();
  };
  beforeAll(begin);
  beforeEach(async ({ onTestFailed }) => {
    onTestFailed(() => {
      isSpoiled = true;
    });
    if (!isSpoiled) return;
    await present?.close();
    await begin();
    isSpoiled = false;
  });
  afterAll(() => present?.close());
  return {
    get current() {
      if (present === null) throw new Error('it was not started');
      return present;
    },
    set current(another) {
      present = another;
    },
  };
}
