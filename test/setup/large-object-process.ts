import { writeFile } from 'node:fs/promises';
import { openS3Bucket } from '../../server/adapters/storage/s3/bucket.ts';

/** Result of the process: what it held beside its start, in bytes, and how often that was read. */
export interface LargeObject {
  readonly most: number;
  readonly samples: number;
}

// Stores a file in the bucket of the emulator and fetches it, in a process of its own: there nothing else holds memory, and
// removing what nothing holds any more is quick.
const [url = '', path = '', sha256 = '', size = ''] = process.argv.slice(2);
const { gc } = globalThis;
if (gc === undefined) throw new Error('started without --expose-gc');
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
  { patienceMs: 60_000 },
);
const held = () => {
  // The second one ends the sweeping of the first, which a busy computer does late.
  gc();
  gc();
  return process.memoryUsage().arrayBuffers;
};
const before = held();
let [most, samples] = [0, 0];
const watch = setInterval(() => {
  most = Math.max(most, held() - before);
  samples += 1;
}, 50);
await bucket.put('large', path, { sha256, sizeBytes: Number(size) });
const isThere = await bucket.fetch('large', `${path}-back`);
clearInterval(watch);
bucket.close();
if (!isThere) throw new Error('the object is not there');
await writeFile(`${path}-result`, JSON.stringify({ most, samples } satisfies LargeObject));
