import { once } from 'node:events';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openS3Bucket } from '../../server/adapters/storage/s3/bucket.ts';
import { fileDigest } from '../../server/platform/hash.ts';

const MB = 1024 * 1024;

let folder: string;
let service: Worker;
let url: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-large-'));
  service = new Worker(new URL('../setup/s3-thread.ts', import.meta.url));
  url = String((await once(service, 'message'))[0]);
});
afterAll(async () => {
  await service.terminate();
  await rm(folder, { recursive: true, force: true });
});

test('rule (storage): a document of 50 MB costs no 50 MB of memory on its way to a bucket and back', async () => {
  const path = join(folder, 'large');
  await writeFile(path, '');
  await truncate(path, 50 * MB);
  const digest = await fileDigest(path);
  const bucket = openS3Bucket(
    {
      bucket: 'faxes',
      prefix: '',
      region: null,
      endpoint: url,
      kmsKeyId: null,
      isPathStyle: true,
      credentials: { accessKeyId: 'test-key', secretAccessKey: 'test-secret' },
    },
    { patienceMs: 10_000 },
  );
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }, 1);
  await bucket.put('large', path, digest);
  expect(await bucket.fetch('large', `${path}-back`)).toBe(true);
  clearInterval(watch);
  bucket.close();
  expect(await fileDigest(`${path}-back`)).toEqual(digest);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(30 * MB);
});
