import { rm, writeFile } from 'node:fs/promises';
import { fileDigest } from '../../platform/hash.ts';
import type { OpenBucket } from './bucket-claim.ts';
import { BucketError } from './bucket-port.ts';
import { UNCLAIMED_FOLDER } from './reserved-names.ts';

const OWNER_FILE = 0o600;

/** Stores, verifies and removes a small object, by way of a new file at `path`. Throws BucketError. */
export async function probeBucket({ bucket, place }: OpenBucket, path: string): Promise<void> {
  const key = `${place.prefix}${UNCLAIMED_FOLDER}/probe`;
  try {
    await writeFile(path, 'Faxdesk', { mode: OWNER_FILE });
    await bucket.put(key, path, await fileDigest(path));
    if (!(await bucket.verify(key))) throw new BucketError('The bucket lost a document.');
    await bucket.remove(key);
  } finally {
    await rm(path, { force: true });
  }
}
