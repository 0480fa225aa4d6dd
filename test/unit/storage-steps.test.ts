import { expect, test } from 'vitest';
import { BucketError } from '../../server/adapters/storage/bucket-port.ts';
import { checkDocuments, type WorkParts } from '../../server/adapters/storage/bucket-work.ts';
import { createNamesAhead } from '../../server/adapters/storage/names-ahead.ts';

const nameOf = (n: number) => `fax/${String(n).padStart(2, '0')}.pdf`;

/** Parts of a storage with documents in a bucket, each of which is verified by `verify`. */
function partsOf(count: number, verify: (name: string) => Promise<void>): WorkParts {
  const place = { bucket: 'faxes', prefix: '', endpoint: null };
  const bucket = {
    async *list() {
      for (let n = 0; n < count; n += 1) yield { key: nameOf(n) };
    },
    verify,
  };
  return {
    to: 's3',
    ahead: createNamesAhead(),
    claimed: async () => ({ place, bucket }),
    try: (work: () => Promise<unknown>) => work(),
  } as unknown as WorkParts;
}

test('a step reads eight documents at once', async () => {
  const waiting: (() => void)[] = [];
  let most = 0;
  const done = checkDocuments(
    partsOf(20, () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      most = Math.max(most, waiting.push(resolve));
      // All that are on their way come to an end together.
      if (waiting.length === 8 || most === 8) setImmediate(() => waiting.splice(0).forEach((end) => end()));
      return promise;
    }),
    '',
  );
  expect(await done).toEqual({ to: 's3', done: 20, failed: [], next: null });
  expect(most).toBe(8);
});

test('names those that failed in their order, however soon each failed', async () => {
  const failing = [nameOf(3), nameOf(1)];
  const parts = partsOf(20, async (name) => {
    if (!failing.includes(name)) return;
    if (name === nameOf(1)) await new Promise(setImmediate);
    throw new BucketError('It is altered.');
  });
  expect((await checkDocuments(parts, '')).failed).toEqual([
    { name: nameOf(1), reason: 'It is altered.' },
    { name: nameOf(3), reason: 'It is altered.' },
  ]);
});

test('gives up when the first documents all fail, and begins none after that', async () => {
  let begun = 0;
  const parts = partsOf(20, async () => {
    begun += 1;
    throw new BucketError('The bucket is away.');
  });
  await expect(checkDocuments(parts, '')).rejects.toThrow('The bucket is away.');
  // Two begin before the third has failed.
  expect(begun).toBeLessThanOrEqual(10);
});

test('an error that is not of the bucket ends the step once what had begun has ended', async () => {
  let open = 0;
  const parts = partsOf(20, async (name) => {
    open += 1;
    if (name === nameOf(0)) {
      open -= 1;
      throw new Error('The disk is full.');
    }
    await new Promise(setImmediate);
    open -= 1;
  });
  await expect(checkDocuments(parts, '')).rejects.toThrow('The disk is full.');
  expect(open).toBe(0);
});
