import type { Readable } from 'node:stream';
import type { FileToRead, NewFileKey } from '../../platform/file-cipher.ts';

/** Content to store: the bytes, or a finished file which the storage may move away. */
export type StorageSource = { path: string } | Uint8Array;

/**
 * Store of documents. A name is a relative path of segments made of `[A-Za-z0-9._-]`, separated by `/`, e.g.
 * `outbound/2024/job-1.tif`; other names are refused with {@link StorageNameError}.
 */
export interface Storage {
  /** Absolute folder of local files; null when they are kept elsewhere. */
  readonly root: string | null;
  /**
   * Keeps the content under the name, durably when it resolves, and replaces an older one. A source given by path
   * may be gone afterwards. Errors of the medium keep their code (`ENOSPC`).
   */
  write(name: string, from: StorageSource): Promise<void>;
  /** As `write`, sealed even where documents are kept as they are. Throws SealError where nothing may be sealed. */
  writeSealed(name: string, from: StorageSource): Promise<void>;
  /**
   * As `write`, of an owner-only file that stays where it is. Where it can be done the name is a second one of the same
   * file, so neither may be written to afterwards.
   */
  copy(name: string, path: string): Promise<void>;
  /** Gives the stored document `from` a second name. Throws as `open`. */
  duplicate(from: string, name: string): Promise<void>;
  /**
   * Stores a file that `make` writes completely at the path that it gets, and returns its result. After an error of `make`
   * nothing is stored.
   */
  create<T>(name: string, make: (place: StoragePlace) => Promise<T>): Promise<T>;
  /**
   * The content and its length; the reader consumes the stream. Throws {@link StorageMissingError} when there is none for
   * certain, StorageUnreadableError of `reading-port.ts` when it cannot be read at present, AlteredFileError when it is not
   * what was written, and SealError when its key cannot be had.
   */
  open(name: string): Promise<{ stream: Readable; sizeBytes: number }>;
  /** Returns a key for a file that another writer creates; null when it is to be written as it is. */
  newKey(): NewFileKey | null;
  /**
   * The file of a name for a reader of its own. Until `work` has ended it is neither sealed nor removed. Throws as `open`.
   */
  withFile<T>(name: string, work: (file: FileToRead) => Promise<T>): Promise<T>;
  /** Seals the files that are stored as they are, one after another, if that is wanted; resolves when it is done or was stopped. */
  sealStored(): Promise<void>;
  /** Ends that after the file at hand. */
  close(): Promise<void>;
  /** Absolute path to read from, whether or not it exists; null when the storage is not local. */
  localPath(name: string): string | null;
  exists(name: string): Promise<boolean>;
  /** Removes the content; a missing one is no error. */
  remove(name: string): Promise<void>;
  /** The name of every finished file that starts with `prefix` (`''` for all), in no particular order. */
  names(prefix: string): AsyncIterable<string>;
  /** True when `names` would list any; stops at the first. */
  hasNames(prefix: string): Promise<boolean>;
  /** Records every name that gets a document from now on, before its file is there, until `stop` is called. */
  recordNames(): { readonly names: Pick<ReadonlySet<string>, 'has'>; stop(): void };
  /** As `names`, with the size of each, which costs a look at every file. */
  list(prefix: string): AsyncIterable<{ name: string; sizeBytes: number }>;
  /**
   * Returns the time at which the file got its content or its name, whichever came later, in epoch ms; null when there
   * is none.
   */
  changedAt(name: string): Promise<number | null>;
  /** Documents that nothing names any more. They are in no list above, and cannot be opened. */
  readonly unclaimed: {
    /** Moves a document to them, with when (ISO time) and why. False when it is gone. */
    add(name: string, why: { since: string; reason: string }): Promise<boolean>;
    list(): AsyncIterable<UnclaimedDocument>;
    /** Gives one its name back. False when it is gone, or the name is taken meanwhile. */
    putBack(document: UnclaimedDocument): Promise<boolean>;
    remove(document: UnclaimedDocument): Promise<void>;
  };
  /** Moves documents for good to a place of their own, called `name`; answers it in words for a person. Null for none. */
  setAside(names: AsyncIterable<string> | Iterable<string>, name: string): Promise<string | null>;
  /** The places of those that were ever moved so, in words for a person. */
  listSetAside(): Promise<string[]>;
  /** Reads the mark of the installation that owns the documents; null when none was written. */
  readMark(): Promise<StorageMark | null>;
  /** Durably, when it resolves. */
  writeMark(mark: StorageMark): Promise<void>;
  /** Removes the drafts of killed processes that nobody has changed since `before`, epoch milliseconds. Returns their number. */
  removeTemporary(before: number): Promise<number>;
}

/** Documents in a bucket of an object storage, beside those in the folder. */
export interface DocumentBucket {
  state(): BucketState;
  /** Tries again what failed, and checks that the documents in the bucket are those of this installation. */
  refresh(): Promise<void>;
  /** Makes the documents in the bucket those of this installation. Throws BucketError. */
  adopt(): Promise<void>;
  /** Verifies the next documents after a name (`''` for the first) in the bucket. Throws BucketError. */
  check(after: string): Promise<BucketWork>;
  /** Moves the next documents after a name (`''` for the first) to where new ones go. Throws BucketError. */
  move(after: string): Promise<BucketWork>;
  /**
   * Seals the keys of the next documents after a name (`''` for the first) in the bucket with the first data key; their content
   * stays. Throws BucketError where one cannot be read or stored now, and for documents in a bucket that no setting names.
   */
  reseal(after: string): Promise<ResealedObjects>;
}

/** Result of a step that seals the keys of documents in a bucket anew. */
export interface ResealedObjects {
  readonly resealed: number;
  /** Documents that open with none of the data keys, or whose content was altered in the bucket. */
  readonly unreadable: number;
  /** Name after which the next step begins; null when all is done. */
  readonly next: string | null;
}

export interface BucketState {
  /** Place of new documents. */
  readonly backend: 'local' | 's3';
  /** Such as `s3://faxes/office/`; null when no bucket is named. */
  readonly address: string | null;
  /** Reason why the bucket was last not usable, as a sentence; null when it was, or was not tried. */
  readonly problem: string | null;
  /** Documents that are still to be removed from the bucket. */
  readonly removals: number;
}

/** Result of a step of work on many documents. */
export interface BucketWork {
  readonly to: 'local' | 's3';
  readonly done: number;
  readonly failed: readonly { readonly name: string; readonly reason: string }[];
  /** Name after which the next step begins; null when all is done. */
  readonly next: string | null;
}

/** Place for a file that another writer creates. */
export interface StoragePlace {
  /** Absolute; its folder exists. */
  readonly path: string;
  /** Key to seal it with; null when it is to be written as it is. */
  readonly seal: NewFileKey | null;
  /** True when the writer has to flush it. */
  readonly durable: boolean;
}

/** Installation that owns the documents, and the generation of its store when the mark was last written. */
export interface StorageMark {
  readonly installation: string;
  readonly generation: number;
  readonly database: 'sqlite' | 'postgres';
  /** Address of the bucket that has documents of the installation; left out for none. */
  readonly bucket?: string;
}

/** A document that nothing names, since an ISO time. */
export interface UnclaimedDocument {
  readonly id: string;
  /** The name that it had. */
  readonly name: string;
  readonly since: string;
  readonly reason: string;
  readonly sizeBytes: number;
}

export class StorageNameError extends Error {
  override name = 'StorageNameError';
}

export class StorageMissingError extends Error {
  override name = 'StorageMissingError';
}

const SEGMENT = /^[A-Za-z0-9._-]{1,200}$/;

/** The segments of a storage name; throws {@link StorageNameError} on anything that is not a plain relative path. */
export function storageSegments(name: string): string[] {
  const segments = name.split('/');
  const plain = segments.every((part) => SEGMENT.test(part) && part !== '.' && part !== '..');
  if (!plain || name.length > 900) throw new StorageNameError(`not a storage name: ${JSON.stringify(name)}`);
  return segments;
}
