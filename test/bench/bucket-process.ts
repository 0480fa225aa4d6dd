import { createHash } from 'node:crypto';
import { startS3Server } from '../setup/s3-server.ts';
import { serveCalls } from './child.ts';

/** Objects of one answer of a list, as Amazon S3 has it. */
const LISTED = 1_000;
const FORGOTTEN_MS = 1_000;

/** Facts of the bucket of this process. */
export interface BucketReady {
  readonly settings: Record<string, string>;
}

// An object storage in a process of its own, so that neither its memory nor its time is that of a gateway or a bench.
const server = await startS3Server();
server.pageSize = LISTED;
// It notes each request for tests.
setInterval(() => {
  server.requests.length = 0;
  server.headers.length = 0;
}, FORGOTTEN_MS);
serveCalls({ settings: server.settings() } satisfies BucketReady, {
  count: () => server.buckets.get('faxes')?.size ?? 0,
  keys: () => server.keys(),
  digests: () =>
    Object.fromEntries(
      server.keys().map((key) => [key, createHash('sha256').update(server.object(key)).digest('hex')]),
    ),
  stop: () => server.close(),
});
