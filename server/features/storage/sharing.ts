import type { BucketPlace, BucketSettings } from '../../adapters/storage/bucket-port.ts';
import type { DocumentBucket, Storage } from '../../adapters/storage/port.ts';
import type { Database } from '../../db/database.ts';
import { advance, hasDocuments } from './join-store.ts';
import type { DocumentOwner } from './port.ts';
import { findInstallation } from './store.ts';

const ALONE = 'Start one gateway alone, without SEVERAL_GATEWAYS,';

/** Settings of the bucket in which documents have to stay while other gateways read them there. */
export interface KeptBucket extends BucketSettings {
  /** Lets documents stay where they are whatever the settings name from now on. */
  keep(): void;
  /** Returns a sentence when the settings name another place than the one that is kept; null when they do not. */
  warning(): string | null;
}

/** Creates them from the settings of the installation, whose credentials count in any case. */
export function createKeptBucket(settings: BucketSettings): KeptBucket {
  let kept: BucketPlace | null = null;
  const isKept = (place: BucketPlace | null) =>
    kept !== null && place !== null && identityOf(place) === identityOf(kept);
  return {
    isOn: () => kept !== null || settings.isOn(),
    place() {
      const place = settings.place();
      return kept === null || isKept(place) ? place : kept;
    },
    keep() {
      kept = settings.place();
    },
    warning: () =>
      kept === null || (settings.isOn() && isKept(settings.place()))
        ? null
        : 'New documents still go to the bucket that was named when this gateway was started, because other gateways read them there. Change the settings of the storage back.',
  };
}

const identityOf = ({ bucket, prefix, endpoint }: BucketPlace): string =>
  JSON.stringify([bucket, prefix, endpoint]);

/**
 * Makes sure that other gateways can read all documents, where this one may have a folder of its own: then they are all in the
 * bucket, and stay there. Returns a sentence when that is not so; null when it is, or the folder is shared.
 */
export async function shareDocuments(
  parts: {
    readonly db: Database;
    readonly storage: Storage & { readonly bucket: DocumentBucket };
    readonly owners: readonly DocumentOwner[];
  },
  kept: KeptBucket,
): Promise<string | null> {
  const { db, storage, owners } = parts;
  const installation = await findInstallation(db.read);
  if (storage.bucket.state().backend === 'local') {
    if ((installation?.bucket ?? null) === null) return null;
    return `Documents of this installation are in a bucket, and the settings name none for new ones. ${ALONE} and set STORAGE_BACKEND=s3, or move the documents back.`;
  }
  if (await hasDocuments(storage, owners))
    return `There are documents in ${storage.root ?? 'the data folder'}, where other gateways cannot read them. ${ALONE} and run faxdesk storage move.`;
  kept.keep();
  // Further gateways are admitted once the database notes the bucket.
  await storage.bucket.refresh().catch(() => undefined);
  await advance(db, storage);
  return null;
}
