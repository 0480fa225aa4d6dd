import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { withTimeout } from '../../server/http/health.ts';

test('a part that answered while the process stood still is not taken for silent, and a silent one is', async () => {
  const answer = withTimeout(
    readFile(import.meta.filename, 'utf8').then(() => 'answered'),
    'silent',
  );
  const silent = withTimeout(new Promise<string>(() => {}), 'silent');
  // Stands still for longer than a part may take, as on a computer that slept.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_100);
  expect([await answer, await silent]).toEqual(['answered', 'silent']);
});
