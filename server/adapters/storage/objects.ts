import { createReadStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { finished } from 'node:stream';
import { type FileToRead, type NewFileKey, sealBytes, sealStream } from '../../platform/file-cipher.ts';
import { fileDigest } from '../../platform/hash.ts';
import type { Logger } from '../../platform/logger.ts';
import type { FileSealer } from '../../platform/sealed-file.ts';
import {
  adoptBucket,
  bucketAddress,
  claimBucket,
  documentNameOf,
  keyOf,
  type OpenBucket,
} from './bucket-claim.ts';
import {
  type Bucket,
  BucketError,
  type BucketPlace,
  type BucketSettings,
  bucketReadingError,
  bucketWritingError,
} from './bucket-port.ts';
import { checkDocuments, moveDocuments, resealDocuments, type WorkParts } from './bucket-work.ts';
import { createNameLocks } from './name-locks.ts';
import { createNamesAhead } from './names-ahead.ts';
import { openForReader, openStored } from './open-stored.ts';
import {
  type BucketState,
  type BucketWork,
  type DocumentBucket,
  type ResealedObjects,
  type Storage,
  StorageMissingError,
  type StoragePlace,
  type StorageSource,
} from './port.ts';
import { probeBucket } from './probe-bucket.ts';
import { MARK_FILE } from './reserved-names.ts';
import { createWorkingCopies } from './working-copies.ts';

const OWNER_FILE = 0o600;

interface ObjectStorageParts {
  readonly local: Storage;
  readonly settings: BucketSettings;
  /** Opens a bucket, without any request. */
  readonly open: (place: BucketPlace) => Bucket;
  /** Absolute folder of working copies. */
  readonly folder: string;
  readonly sealer: FileSealer;
  /** Seals the key in the header of a file with the first data key, where a former one sealed it; true then. */
  readonly renewHeader: (path: string) => Promise<boolean>;
  readonly logger: Logger;
}

/**
 * Documents that lie in a bucket or in the local storage. A document is looked for in the local storage first: where it is in
 * both, as after a kill, the local one counts. New ones go to the bucket while the settings say so; they are sealed before they
 * leave, as in the folder. While no bucket is named everything is done by the local storage alone.
 */
export function createObjectStorage(
  parts: ObjectStorageParts,
): Storage & { readonly bucket: DocumentBucket } {
  const objects = new ObjectStorage(parts);
  const { local } = parts;
  const onlyLocal = () => parts.settings.place() === null;
  return {
    ...local,
    write: (name, from) =>
      objects.isOn ? objects.write(name, from, local.newKey()) : local.write(name, from),
    writeSealed: (name, from) =>
      objects.isOn ? objects.write(name, from, parts.sealer.newKey()) : local.writeSealed(name, from),
    copy: (name, path) => (objects.isOn ? objects.upload(name, path) : local.copy(name, path)),
    duplicate: (from, name) => (onlyLocal() ? local.duplicate(from, name) : objects.duplicate(from, name)),
    create: (name, make) => (objects.isOn ? objects.create(name, make) : local.create(name, make)),
    open: (name) => (onlyLocal() ? local.open(name) : objects.openDocument(name)),
    withFile: (name, work) => (onlyLocal() ? local.withFile(name, work) : objects.withFile(name, work)),
    exists: async (name) => (await local.exists(name)) || (await objects.has(name)),
    remove: async (name) => {
      await local.remove(name);
      await objects.remove(name);
    },
    names: (prefix) => objects.names(prefix),
    list: (prefix) => objects.list(prefix),
    changedAt: async (name) => (await local.changedAt(name)) ?? (await objects.changedAt(name)),
    recordNames: () => {
      const recorded = local.recordNames();
      const names = objects.recordNames();
      return {
        names: { has: (name) => recorded.names.has(name) || names.has(name) },
        stop: () => {
          recorded.stop();
          objects.stopRecording(names);
        },
      };
    },
    unclaimed: {
      ...local.unclaimed,
      add: async (name, why) =>
        (await objects.fetchUnclaimed(name)) && (await local.unclaimed.add(name, why)),
    },
    close: async () => {
      objects.close();
      await local.close();
    },
    bucket: objects,
  };
}

class ObjectStorage implements DocumentBucket {
  readonly #parts: ObjectStorageParts;
  readonly #locks = createNameLocks();
  readonly #copies: ReturnType<typeof createWorkingCopies>;
  readonly #recorded = new Set<Set<string>>();
  readonly #ahead = createNamesAhead();
  /** Documents whose removal failed. What a stop forgets is swept like any document that nothing names. */
  readonly #removals = new Set<string>();
  #opened: (OpenBucket & { readonly identity: string; isClaimed: boolean }) | null = null;
  /** Reasons of the last failures by the kind of work, until the same kind succeeds. */
  readonly #problems = new Map<BucketUse, string>();

  constructor(parts: ObjectStorageParts) {
    this.#parts = parts;
    this.#copies = createWorkingCopies(parts.folder);
  }

  get isOn(): boolean {
    return this.#parts.settings.isOn() && this.#parts.settings.place() !== null;
  }

  state(): BucketState {
    const place = this.#parts.settings.place();
    return {
      backend: this.isOn ? 's3' : 'local',
      address: place && bucketAddress(place),
      problem: place && ([...this.#problems.values()][0] ?? null),
      removals: this.#removals.size,
    };
  }

  async write(name: string, from: StorageSource, key: NewFileKey | null): Promise<void> {
    const path = await this.#copies.newPath();
    try {
      if (from instanceof Uint8Array)
        await writeFile(path, key === null ? from : sealBytes(key, from), { mode: OWNER_FILE });
      else if (key !== null)
        await writeFile(path, sealStream(key, createReadStream(from.path)), { mode: OWNER_FILE });
      await this.upload(name, key === null && !(from instanceof Uint8Array) ? from.path : path);
      if (!(from instanceof Uint8Array)) await rm(from.path, { force: true });
    } finally {
      await rm(path, { force: true });
    }
  }

  async create<T>(name: string, make: (place: StoragePlace) => Promise<T>): Promise<T> {
    const path = await this.#copies.newPath();
    try {
      const made = await make({ path, seal: this.#parts.local.newKey(), durable: false });
      await this.upload(name, path);
      return made;
    } finally {
      await rm(path, { force: true });
    }
  }

  /** Stores the bytes of a file, verified, and removes an older local document of that name. */
  async upload(name: string, path: string): Promise<void> {
    for (const names of this.#recorded) names.add(name);
    try {
      await this.#locks.change(name, async () => {
        await this.#put(name, path);
        this.#copies.forget(name);
        this.#removals.delete(name);
        await this.#parts.local.remove(name);
      });
    } catch (error) {
      throw bucketWritingError(error);
    }
  }

  async duplicate(from: string, name: string): Promise<void> {
    const { local } = this.#parts;
    if (await local.exists(from)) {
      const path = local.localPath(from);
      if (path !== null) return this.isOn ? this.upload(name, path) : local.duplicate(from, name);
    }
    const copy = await this.#borrow(from);
    try {
      await (this.isOn ? this.upload(name, copy.path) : local.copy(name, copy.path));
    } finally {
      copy.release();
    }
  }

  async openDocument(name: string): ReturnType<Storage['open']> {
    const found = await this.#locally(name, () => this.#parts.local.open(name));
    if (found !== null) return found;
    const copy = await this.#borrow(name);
    try {
      const opened = await openStored(copy.path, this.#parts.sealer);
      finished(opened.stream, copy.release);
      return opened;
    } catch (error) {
      copy.release();
      throw error;
    }
  }

  async withFile<T>(name: string, work: (file: FileToRead) => Promise<T>): Promise<T> {
    const { local, sealer } = this.#parts;
    let isLent = false;
    const lend = async (file: FileToRead) => {
      isLent = true;
      return { result: await work(file) };
    };
    const found = await this.#locally(
      name,
      () => local.withFile(name, lend),
      () => isLent,
    );
    if (found !== null) return found.result;
    const copy = await this.#borrow(name);
    try {
      return await work(await openForReader(copy.path, sealer));
    } finally {
      copy.release();
    }
  }

  async has(name: string): Promise<boolean> {
    const opened = await this.#used();
    return (
      opened !== null && (await this.#try('use', () => opened.bucket.digest(keyOf(opened, name)))) !== null
    );
  }

  /** A removal that fails is tried again later. Documents of another installation stay. */
  async remove(name: string): Promise<void> {
    if ((await this.#used()) === null) return;
    this.#copies.forget(name);
    try {
      await this.#locks.change(name, () => this.#removeObject(name));
      this.#removals.delete(name);
    } catch (error) {
      if (!(error instanceof BucketError)) throw error;
      this.#removals.add(name);
      this.#parts.logger.warn(
        { error, name },
        'a document could not be removed from the bucket; it is tried again',
      );
    }
  }

  async *names(prefix: string): ReturnType<Storage['names']> {
    yield* this.#parts.local.names(prefix);
    for await (const { name } of this.#objects(prefix)) yield name;
  }

  async *list(prefix: string): ReturnType<Storage['list']> {
    yield* this.#parts.local.list(prefix);
    for await (const { name, sizeBytes } of this.#objects(prefix)) yield { name, sizeBytes };
  }

  async changedAt(name: string): Promise<number | null> {
    const opened = await this.#used();
    if (opened === null) return null;
    const key = keyOf(opened, name);
    return this.#try('use', async () => {
      for await (const found of opened.bucket.list(key)) return found.key === key ? found.changedAt : null;
      return null;
    });
  }

  /** Brings a document that nothing names to the folder, from where it goes to the unclaimed ones. False when it is gone. */
  async fetchUnclaimed(name: string): Promise<boolean> {
    if (await this.#parts.local.exists(name)) return true;
    const opened = await this.#used();
    return opened !== null && this.#locks.change(name, () => this.#bringHome(opened, name));
  }

  recordNames(): Set<string> {
    const names = new Set<string>();
    this.#recorded.add(names);
    return names;
  }

  stopRecording(names: Set<string>): void {
    this.#recorded.delete(names);
  }

  async refresh(): Promise<void> {
    const opened = await this.#claimedAnew(this.isOn);
    if (opened === null) return;
    if (this.#problems.size > 0) {
      await this.#try('use', async () => probeBucket(opened, await this.#copies.newPath()));
      this.#problems.clear();
    }
    for (const name of this.#removals) await this.remove(name);
  }

  async adopt(): Promise<void> {
    const opened = this.#open();
    if (opened === null) throw new BucketError('No bucket is named in the settings.');
    await this.#try('use', () => adoptBucket(this.#parts.local, opened));
    opened.isClaimed = true;
  }

  check(after: string): Promise<BucketWork> {
    return checkDocuments(this.#workParts(), after);
  }

  move(after: string): Promise<BucketWork> {
    return moveDocuments(this.#workParts(), after);
  }

  async reseal(after: string): Promise<ResealedObjects> {
    if ((await this.#used()) === null) {
      const { bucket } = (await this.#parts.local.readMark()) ?? {};
      if (bucket === undefined) return { resealed: 0, unreadable: 0, next: null };
      throw new BucketError(`Documents are in ${bucket}, and the settings name no bucket.`);
    }
    const rewrite = (opened: OpenBucket, name: string) => this.#rewrite(opened, name);
    return resealDocuments({ ...this.#workParts(), sealer: this.#parts.sealer, rewrite }, after);
  }

  close(): void {
    this.#copies.close();
    this.#opened?.bucket.close();
    this.#opened = null;
  }

  #workParts(): WorkParts {
    const { local } = this.#parts;
    return {
      local,
      to: this.isOn ? 's3' : 'local',
      ahead: this.#ahead,
      claimed: () => this.#claimed(),
      try: (work) => this.#try('fetch', work),
      change: (name, work) => this.#locks.change(name, work),
      put: (name, path) => this.#put(name, path),
      bringHome: (opened, name) => this.#bringHome(opened, name),
    };
  }

  /** A file whose key a former data key sealed gets its new header before it is stored, also where that key is replaced meanwhile. */
  async #put(name: string, path: string): Promise<void> {
    const opened = await this.#claimed();
    await this.#parts.renewHeader(path);
    do {
      const digest = await fileDigest(path);
      await this.#try('store', () => opened.bucket.put(keyOf(opened, name), path, digest));
    } while (await this.#parts.renewHeader(path));
  }

  /** Fetches an object and stores it with a new header. False when it is gone. */
  async #rewrite({ bucket, ...opened }: OpenBucket, name: string): Promise<boolean> {
    const path = await this.#copies.newPath();
    try {
      const key = keyOf(opened, name);
      if (!(await this.#try('fetch', () => bucket.fetch(key, path)))) return false;
      await this.#put(name, path);
      this.#copies.forget(name);
      return true;
    } finally {
      await rm(path, { force: true });
    }
  }

  async #removeObject(name: string): Promise<void> {
    const opened = await this.#claimed();
    await this.#try('use', () => opened.bucket.remove(keyOf(opened, name)));
  }

  /** Moves a document to the folder. The one of the folder counts where both are there. False when it is gone. */
  async #bringHome(opened: OpenBucket, name: string): Promise<boolean> {
    const { local } = this.#parts;
    const key = keyOf(opened, name);
    if (!(await local.exists(name))) {
      const path = await this.#copies.newPath();
      try {
        if (!(await this.#try('fetch', () => opened.bucket.fetch(key, path)))) return false;
        await local.copy(name, path);
      } finally {
        await rm(path, { force: true });
      }
    }
    await this.#try('use', () => opened.bucket.remove(key));
    this.#copies.forget(name);
    return true;
  }

  /** Runs work on a local document; null when there is none. */
  async #locally<T>(name: string, work: () => Promise<T>, hasBegun = () => false): Promise<T | null> {
    if (!(await this.#parts.local.exists(name))) return null;
    try {
      return await work();
    } catch (error) {
      // It was moved to the bucket meanwhile.
      if (error instanceof StorageMissingError && !hasBegun()) return null;
      throw error;
    }
  }

  /** Lends a verified copy of an object. Throws StorageMissingError only where the bucket is that of this installation. */
  async #borrow(name: string): Promise<{ path: string; release: () => void }> {
    try {
      const opened = this.#open();
      if (opened === null) throw new StorageMissingError(`nothing is stored as ${name}`);
      const key = keyOf(opened, name);
      const copy = await this.#copies.borrow(name, (path) =>
        this.#try('fetch', () => opened.bucket.fetch(key, path)),
      );
      if (copy !== null) return copy;
      if (this.isOn || (await this.#used()) !== null) await this.#claimed();
      if (await this.#parts.local.exists(name)) throw new BucketError('It is being moved. Try again.');
      throw new StorageMissingError(`nothing is stored as ${name}, in the folder or in the bucket`);
    } catch (error) {
      throw bucketReadingError(error);
    }
  }

  /** Lists documents of this installation in the bucket; none while it is not usable. */
  async *#objects(prefix: string): AsyncGenerator<{ name: string; sizeBytes: number }> {
    try {
      const opened = await this.#claimedAnew(false);
      if (opened === null) return;
      for await (const { key, sizeBytes } of opened.bucket.list(keyOf(opened, prefix))) {
        const name = documentNameOf(opened, key);
        if (name !== null) yield { name, sizeBytes };
      }
    } catch (error) {
      if (!(error instanceof BucketError)) throw error;
      this.#problems.set('use', error.sentence);
      this.#parts.logger.warn({ error }, 'the documents in the bucket could not be listed');
    }
  }

  /** The bucket, where documents of this installation were stored in one. */
  async #used() {
    const opened = this.#open();
    if (opened === null) return null;
    return (await this.#parts.local.readMark())?.bucket === undefined ? null : opened;
  }

  /** The bucket, once it is certain that its documents are those of this installation. Throws BucketError. */
  async #claimed() {
    const opened = this.#open();
    if (opened === null) throw new BucketError('No bucket is named in the settings.');
    if (!opened.isClaimed) await this.#try('use', () => claimBucket(this.#parts.local, opened));
    opened.isClaimed = true;
    return opened;
  }

  /** The bucket, where it is in use or has documents; not in the moment in which a move gives it up, or it would be kept for good. */
  #claimedAnew(isInUse: boolean) {
    return this.#locks.change(MARK_FILE, async () => {
      const opened = isInUse ? this.#open() : await this.#used();
      if (opened === null) return null;
      opened.isClaimed = false;
      return this.#claimed();
    });
  }

  /** The bucket of the present settings; null when none is named. */
  #open() {
    const place = this.#parts.settings.place();
    const identity = JSON.stringify(place);
    if (this.#opened?.identity !== identity) {
      this.#opened?.bucket.close();
      this.#problems.clear();
      this.#opened = place && { place, identity, bucket: this.#parts.open(place), isClaimed: false };
    }
    return this.#opened;
  }

  /** Keeps the reason of a failure for people, until work of the same kind succeeds. */
  async #try<T>(use: BucketUse, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      this.#problems.delete(use);
      return result;
    } catch (error) {
      if (error instanceof BucketError) this.#problems.set(use, error.sentence);
      throw error;
    }
  }
}

type BucketUse = 'store' | 'fetch' | 'use';
