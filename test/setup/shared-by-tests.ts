import { afterAll, beforeAll, beforeEach } from 'vitest';

/** What is in use at the moment; a test may put another one in its place. */
export interface Shared<T> {
  current: T;
}

/**
 * One of something for all tests of a file or group, furnished with what they all need. A test that fails may leave anything
 * behind: the next one, or its second try, gets another. Where `start` gives null, the tests are skipped by somebody else.
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
