import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createPendingWork } from '../../server/platform/pending-work.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('pending work is waited for, and what ended holds no memory', async () => {
  const pending = createPendingWork();
  const results: WeakRef<object>[] = [];
  const add = () => {
    const result = {};
    results.push(new WeakRef(result));
    pending.add(Promise.resolve(result));
  };
  for (let i = 0; i < 100; i += 1) add();
  const { promise, resolve } = Promise.withResolvers<void>();
  pending.add(promise);
  await expect.poll(() => pending.size).toBe(1);
  // A reference that was followed holds its object until the task has ended.
  await new Promise(setImmediate);
  collectGarbage();
  expect(results.filter((each) => each.deref() !== undefined)).toEqual([]);
  let isSettled = false;
  const settled = pending.settled().then(() => (isSettled = true));
  await new Promise(setImmediate);
  expect(isSettled).toBe(false);
  resolve();
  await settled;
  expect(pending.size).toBe(0);
});
