import { once } from 'node:events';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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
  const collect = collector();
  const held = () => {
    collect();
    return process.memoryUsage().arrayBuffers;
  };
  const before = held();
  const samples: number[] = [];
  const watch = setInterval(() => samples.push(held() - before), 5);
  await bucket.put('large', path, digest);
  expect(await bucket.fetch('large', `${path}-back`)).toBe(true);
  clearInterval(watch);
  bucket.close();
  expect(await fileDigest(`${path}-back`)).toEqual(digest);
  expect(samples.length).toBeGreaterThan(3);
  expect(Math.max(...samples)).toBeLessThan(10 * MB);
});

/** Returns a function that removes what nothing holds any more from memory. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
