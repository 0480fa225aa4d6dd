import { HEADER_BYTES } from '../../platform/file-cipher.ts';
import type { FileSealer } from '../../platform/sealed-file.ts';
import { newHeaderFor } from '../../platform/sealed-header.ts';
import { bucketAddress, documentNameOf, keyOf, type OpenBucket } from './bucket-claim.ts';
import { AlteredObjectError, BucketError } from './bucket-port.ts';
import { AHEAD, type NamesAhead } from './names-ahead.ts';
import type { BucketWork, ResealedObjects, Storage } from './port.ts';
import { MARK_FILE } from './reserved-names.ts';

/** Documents of one step, so that it ends soon. */
const STEP = 20;
/** Documents of a step that are on their way at once: most of the time of each is spent on waiting for the bucket and the disk. */
const AT_ONCE = 8;

/** Parts of the storage that work on many documents needs. */
export interface WorkParts {
  readonly local: Storage;
  readonly to: 'local' | 's3';
  readonly ahead: NamesAhead;
  claimed(): Promise<OpenBucket>;
  try<T>(work: () => Promise<T>): Promise<T>;
  change<T>(name: string, work: () => Promise<T>): Promise<T>;
  put(name: string, path: string): Promise<void>;
  bringHome(opened: OpenBucket, name: string): Promise<boolean>;
}

/**
 * Moves the next documents to where new ones go. Each is verified at its new place before it is removed from the old one, so a
 * kill at any moment leaves it at one of them or both. Throws BucketError when the bucket is not usable.
 */
export async function moveDocuments(parts: WorkParts, after: string): Promise<BucketWork> {
  const opened = await parts.claimed();
  const isToBucket = parts.to === 's3';
  const names = isToBucket ? await localNames(parts, after) : await objectNames(parts, opened, after);
  const moved = await eachOf(parts, names, (name) =>
    parts.change(name, async () => {
      if (!isToBucket) await parts.bringHome(opened, name);
      else await upload(parts, name);
    }),
  );
  if (!isToBucket && moved.next === null) await parts.change(MARK_FILE, () => release(parts, opened));
  return moved;
}

/** Reads the next documents in the bucket and compares them with their digests. Throws BucketError when it is not usable. */
export async function checkDocuments(parts: WorkParts, after: string): Promise<BucketWork> {
  const opened = await parts.claimed();
  return eachOf(parts, await objectNames(parts, opened, after), (name) =>
    parts.try(async () => {
      await opened.bucket.verify(keyOf(opened, name));
    }),
  );
}

/**
 * Seals the keys of the next documents in the bucket with the first data key. An object is replaced by one call, and verified, so
 * a kill at any moment leaves it with one key or the other. Throws BucketError.
 */
export async function resealDocuments(
  parts: WorkParts & {
    readonly sealer: FileSealer;
    /** Stores an object anew under its name. False when it is gone. */
    rewrite(opened: OpenBucket, name: string): Promise<boolean>;
  },
  after: string,
): Promise<ResealedObjects> {
  const opened = await parts.claimed();
  const names = await objectNames(parts, opened, after);
  const counts = { resealed: 0, unreadable: 0 };
  for (const name of names.slice(0, STEP))
    await parts.change(name, async () => {
      const start = await parts.try(() => opened.bucket.start(keyOf(opened, name), HEADER_BYTES));
      const header = start && newHeaderFor(start, parts.sealer);
      if (header === null) return;
      if (header === 'unreadable') counts.unreadable += 1;
      else
        try {
          if (await parts.rewrite(opened, name)) counts.resealed += 1;
        } catch (error) {
          if (!(error instanceof AlteredObjectError)) throw error;
          counts.unreadable += 1;
        }
    });
  return { ...counts, next: names.length > STEP ? (names[STEP - 1] ?? null) : null };
}

/** A document that is gone meanwhile needs nothing. */
async function upload({ local, put }: WorkParts, name: string): Promise<void> {
  const path = local.localPath(name);
  if (path === null || !(await local.exists(name))) return;
  await local.withFile(name, () => put(name, path));
  await local.remove(name);
}

/** One that fails is left out; when the first ones all fail the bucket is not usable. */
async function eachOf(
  { to }: WorkParts,
  names: readonly string[],
  work: (name: string) => Promise<void>,
): Promise<BucketWork> {
  const step = names.slice(0, STEP);
  const reasons = new Map<string, string>();
  const broken: unknown[] = [];
  let done = 0;
  const left = step.values();
  const takeNext = async () => {
    for (const name of left) {
      if (broken.length > 0) return;
      try {
        await work(name);
        done += 1;
      } catch (error) {
        if (error instanceof BucketError) reasons.set(name, error.sentence);
        if (!(error instanceof BucketError) || (done === 0 && reasons.size > 2)) broken.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, takeNext));
  if (broken.length > 0) throw broken[0];
  const failed = step.flatMap((name) => {
    const reason = reasons.get(name);
    return reason === undefined ? [] : { name, reason };
  });
  return { to, done, failed, next: names.length > STEP ? (step.at(-1) ?? null) : null };
}

/** Up to one more than a step, in order. */
function localNames({ local, ahead }: WorkParts, after: string): Promise<readonly string[]> {
  return ahead.next('folder', { after, count: STEP }, () => local.names(''));
}

function objectNames(
  { try: use, ahead }: WorkParts,
  opened: OpenBucket,
  after: string,
): Promise<readonly string[]> {
  return use(() =>
    ahead.next(bucketAddress(opened.place), { after, count: STEP }, () => namesIn(opened, after)),
  );
}

/** Reads no further than is kept: a bucket lists its objects in order. */
async function* namesIn(opened: OpenBucket, after: string): AsyncGenerator<string> {
  let left = AHEAD;
  for await (const { key } of opened.bucket.list(opened.place.prefix, after && keyOf(opened, after))) {
    const name = documentNameOf(opened, key);
    if (name === null) continue;
    yield name;
    left -= 1;
    if (left === 0) return;
  }
}

/** Gives up a bucket without documents, so that another one can be named. */
async function release(parts: WorkParts, opened: OpenBucket): Promise<void> {
  if ((await objectNames(parts, opened, '')).length > 0) return;
  const mark = await parts.local.readMark();
  if (mark === null) return;
  const { bucket: _, ...rest } = mark;
  await parts.local.writeMark(rest);
  await parts.try(() => opened.bucket.remove(keyOf(opened, MARK_FILE)));
}
