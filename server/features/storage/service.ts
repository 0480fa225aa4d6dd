import type { z } from 'zod';
import type { StorageState, StorageStep } from '../../../shared/api/storage.ts';
import type { AuditOperation } from '../../../shared/audit-operations.ts';
import { bucketRefusal } from '../../adapters/storage/bucket-port.ts';
import type { BucketWork, DocumentBucket } from '../../adapters/storage/port.ts';
import type { Database } from '../../db/database.ts';
import { RefusalError } from '../../platform/errors.ts';
import { type Actor, recordedActor, type SecurityAudit } from '../audit/service.ts';

export interface StorageServiceParts {
  readonly bucket: DocumentBucket;
  readonly db: Database;
  readonly audit: SecurityAudit;
}

/** The state of the storage of documents, and work on all of them. A bucket that is not usable is a 503 refusal, and none at all a 409. */
export interface StorageService {
  state(): z.infer<typeof StorageState>;
  /** Verifies the next documents after a name; those from the first on without one. */
  check(after: string | undefined): Promise<z.infer<typeof StorageStep>>;
  /** Moves the next documents after a name; those from the first on without one, which is recorded. */
  move(actor: Actor, after: string | undefined): Promise<z.infer<typeof StorageStep>>;
  /** Takes over the documents in the bucket, which is recorded. */
  adopt(actor: Actor): Promise<z.infer<typeof StorageState>>;
}

export function createStorageService(parts: StorageServiceParts): StorageService {
  const { bucket } = parts;
  return {
    state: () => storageState(bucket),
    check: async (after = '') => stepOf(await refusing(bucket, () => bucket.check(after))),
    async move(actor, after) {
      const done = await refusing(bucket, () => bucket.move(after ?? ''));
      if (after === undefined) await record(parts, actor, 'storage.move');
      return stepOf(done);
    },
    async adopt(actor) {
      await refusing(bucket, () => bucket.adopt());
      await record(parts, actor, 'storage.adopt');
      return storageState(bucket);
    },
  };
}

async function refusing<T>(bucket: DocumentBucket, work: () => Promise<T>): Promise<T> {
  if (bucket.state().address === null) throw new RefusalError('no_bucket');
  try {
    return await work();
  } catch (error) {
    throw bucketRefusal(error);
  }
}

/** Returns the state of the storage as it is answered. */
export function storageState(bucket: Pick<DocumentBucket, 'state'>): z.infer<typeof StorageState> {
  const { backend, address, problem, removals } = bucket.state();
  return { backend, bucket: address, problem, waiting_removals: removals };
}

const stepOf = ({ to, done, failed, next }: BucketWork): z.infer<typeof StorageStep> => ({
  to,
  done,
  failed: [...failed],
  next,
});

async function record(
  { db, audit }: StorageServiceParts,
  actor: Actor,
  operation: AuditOperation,
): Promise<void> {
  const target = { kind: 'storage', id: null };
  await db.transaction((tx) =>
    audit.record(tx, { ...recordedActor(actor), operation, target, outcome: 'done' }),
  );
}
