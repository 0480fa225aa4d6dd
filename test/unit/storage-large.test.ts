import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileDigest } from '../../server/platform/hash.ts';
import type { LargeObject } from '../setup/large-object-process.ts';

const run = promisify(execFile);
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

test('rule (storage): a document of 50 MB holds less than a tenth of its size in memory on its way to a bucket and back', async () => {
  const path = join(folder, 'large');
  await writeFile(path, '');
  await truncate(path, 50 * MB);
  const digest = await fileDigest(path);
  const script = fileURLToPath(new URL('../setup/large-object-process.ts', import.meta.url));
  const { sha256, sizeBytes } = digest;
  await run(process.execPath, ['--expose-gc', script, url, path, sha256, String(sizeBytes)]);
  expect(await fileDigest(`${path}-back`)).toEqual(digest);
  const { most, samples } = JSON.parse(await readFile(`${path}-result`, 'utf8')) as LargeObject;
  expect(samples).toBeGreaterThan(3);
  expect(most).toBeLessThan(5 * MB);
});
