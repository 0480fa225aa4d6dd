import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openS3Bucket } from '../../server/adapters/storage/s3/bucket.ts';
import { type S3Server, startS3Server } from '../setup/s3-server.ts';

let folder: string;
let s3: S3Server;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-s3-'));
  s3 = await startS3Server();
});
afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true });
});

test.skipIf(process.platform === 'win32')(
  'a document that is read only after its upload was given up ends nothing but that upload',
  async () => {
    const place = { bucket: 'faxes', prefix: '', region: null, endpoint: s3.url, kmsKeyId: null };
    const credentials = { accessKeyId: 'test-key', secretAccessKey: 'test-secret' };
    const bucket = openS3Bucket({ ...place, isPathStyle: true, credentials }, { patienceMs: 500 });
    // Nothing can be read from it until something is written, as on a computer that was asleep.
    const path = join(folder, 'document');
    execFileSync('mkfifo', [path]);
    const writer = createWriteStream(path);
    try {
      await expect(bucket.put('document', path, { sha256: 'ab'.repeat(32), sizeBytes: 5 })).rejects.toThrow(
        'The bucket faxes is not responding. Faxdesk tries again.',
      );
      writer.end('whole');
      // The error of a stream without a listener would fail this run.
      await once(writer, 'close');
    } finally {
      writer.destroy();
      bucket.close();
    }
  },
);
