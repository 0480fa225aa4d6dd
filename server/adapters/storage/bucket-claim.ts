import { type Bucket, BucketError, type BucketPlace } from './bucket-port.ts';
import { type Storage, storageSegments } from './port.ts';
import { isReserved, MARK_FILE } from './reserved-names.ts';

/** Returns the address of the documents in words for a person, such as `s3://faxes/office/`. */
export function bucketAddress({ bucket, prefix, endpoint }: BucketPlace): string {
  return endpoint === null
    ? `s3://${bucket}/${prefix}`
    : `${endpoint.replace(/\/+$/u, '')}/${bucket}/${prefix}`;
}

/** A bucket that is open, with its place. */
export interface OpenBucket {
  readonly place: BucketPlace;
  readonly bucket: Bucket;
}

/** Returns the key of a document. */
export const keyOf = ({ place }: Pick<OpenBucket, 'place'>, name: string): string => `${place.prefix}${name}`;

/** Returns the name of the document of a key; null for an object that is none. */
export function documentNameOf({ place }: Pick<OpenBucket, 'place'>, key: string): string | null {
  const name = key.slice(place.prefix.length);
  try {
    return isReserved(storageSegments(name)[0] ?? '') ? null : name;
  } catch {
    return null;
  }
}

/**
 * Makes sure that the documents below the prefix of a bucket are those of this installation: a new place gets its mark, and a
 * place of another one is refused. The folder of documents notes the place, so that changed settings do not hide documents.
 * Throws BucketError.
 */
export async function claimBucket(
  local: Pick<Storage, 'readMark' | 'writeMark'>,
  opened: OpenBucket,
): Promise<void> {
  const { place, bucket } = opened;
  const own = await local.readMark();
  if (own === null) throw new BucketError('The folder of documents belongs to no installation.');
  const address = bucketAddress(place);
  if (own.bucket !== undefined && own.bucket !== address)
    throw new BucketError(
      `Documents are in ${own.bucket}, and the settings name ${address}. Change the settings back, or first move the documents to this computer.`,
    );
  const key = `${place.prefix}${MARK_FILE}`;
  const text = JSON.stringify({ product: 'faxdesk', installation: own.installation });
  const found = await bucket.text(key);
  if (found === null) {
    await refuseOtherObjects(opened);
    if (!(await bucket.putIfNone(key, text))) return claimBucket(local, opened);
  } else if (installationIn(found) !== own.installation)
    throw new BucketError(
      `The documents in ${address} belong to another installation. Choose another prefix, or run faxdesk storage adopt if this installation replaces it.`,
    );
  if (own.bucket !== address) await local.writeMark({ ...own, bucket: address });
}

/** Makes the documents below the prefix those of this installation. Throws BucketError. */
export async function adoptBucket(
  local: Pick<Storage, 'readMark' | 'writeMark'>,
  { place, bucket }: OpenBucket,
): Promise<void> {
  const own = await local.readMark();
  if (own === null) throw new BucketError('The folder of documents belongs to no installation.');
  const text = JSON.stringify({ product: 'faxdesk', installation: own.installation });
  await bucket.putText(`${place.prefix}${MARK_FILE}`, text);
  await local.writeMark({ ...own, bucket: bucketAddress(place) });
}

/** Objects that no mark of an installation covers belong to something else and must never be swept. */
async function refuseOtherObjects({ place, bucket }: OpenBucket): Promise<void> {
  for await (const _ of bucket.list(place.prefix))
    throw new BucketError(
      `${bucketAddress(place)} has other files and no mark of Faxdesk. Choose an empty prefix.`,
    );
}

function installationIn(text: string): string | null {
  try {
    const mark = JSON.parse(text) as { installation?: unknown } | null;
    return typeof mark?.installation === 'string' ? mark.installation : null;
  } catch {
    return null;
  }
}
