import { RefusalError } from '../../platform/errors.ts';
import { StorageUnreadableError } from './reading-port.ts';

/** Place of documents in an object storage, and how to get to it. */
export interface BucketPlace {
  readonly bucket: string;
  /** Begin of every key; empty, or ends with a slash. */
  readonly prefix: string;
  /** Null: that of the environment, else `us-east-1`. */
  readonly region: string | null;
  /** Null: that of Amazon S3. */
  readonly endpoint: string | null;
  /** Key with which the service encrypts; null for its own. */
  readonly kmsKeyId: string | null;
  /** True where the bucket is part of the path instead of the host. */
  readonly isPathStyle: boolean;
  /** Null: those of the environment, of a profile or of the machine's role. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
}

/** Settings of the documents' storage: values in force now. */
export interface BucketSettings {
  /** Returns true when new documents go to the bucket. */
  isOn(): boolean;
  /** Null when no bucket is named. */
  place(): BucketPlace | null;
}

/** SHA-256 in lowercase hex, and length. */
export interface ObjectDigest {
  readonly sha256: string;
  readonly sizeBytes: number;
}

export interface FoundObject {
  readonly key: string;
  readonly sizeBytes: number;
  /** Epoch milliseconds. */
  readonly changedAt: number;
}

/** Objects of one bucket. Every method throws BucketError when the bucket does not do it. */
export interface Bucket {
  /** Stores a file and verifies by its digest that the object is there. */
  put(key: string, path: string, digest: ObjectDigest): Promise<void>;
  /** Stores a short text, unless there is an object. False when there is one. */
  putIfNone(key: string, text: string): Promise<boolean>;
  /** Replaces a short text. */
  putText(key: string, text: string): Promise<void>;
  /** Returns a short text; null when there is no such object. */
  text(key: string): Promise<string | null>;
  /** Writes an object to a new owner-only file, verified by its digest. False, and no file, when there is no such object. */
  fetch(key: string, path: string): Promise<boolean>;
  /** Returns the first bytes of an object, all of a shorter one; null when there is no such object. They are not verified. */
  start(key: string, bytes: number): Promise<Buffer | null>;
  /** Reads an object and compares it with its digest. False when there is no such object. */
  verify(key: string): Promise<boolean>;
  /** Returns the digest under which an object was stored; null when there is none, or it was stored without. */
  digest(key: string): Promise<ObjectDigest | null>;
  /** A missing object is no error. */
  remove(key: string): Promise<void>;
  /** The objects whose key starts with `prefix` and comes after `after`, in the order of their keys. */
  list(prefix: string, after?: string): AsyncIterable<FoundObject>;
  close(): void;
}

/** Thrown when a bucket does not do what it should. `sentence` is for a person. */
export class BucketError extends Error {
  override name = 'BucketError';
  readonly sentence: string;
  constructor(sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.sentence = sentence;
  }
}

/** Thrown for an object that does not have the content that was stored. */
export class AlteredObjectError extends BucketError {}

const RETRY_S = 30;

/** Thrown when a document cannot be stored at present. */
class StorageUnavailableError extends RefusalError {
  override name = 'StorageUnavailableError';
  constructor({ sentence }: BucketError, cause: unknown) {
    super('storage_unavailable', {
      sentence: `The document cannot be stored. ${sentence}`,
      cause,
      headers: { 'Retry-After': String(RETRY_S) },
    });
  }
}

/** Returns the refusal for an error of work on many documents; other errors as they are. */
export const bucketRefusal = (error: unknown): unknown =>
  error instanceof BucketError
    ? new RefusalError('storage_unavailable', { sentence: error.sentence, cause: error })
    : error;

/** Returns the refusal for an error that came while a document was read from a bucket; other errors as they are. */
export const bucketReadingError = (error: unknown): unknown =>
  error instanceof BucketError
    ? new StorageUnreadableError(`The document cannot be read. ${error.sentence}`, error)
    : error;

/** Returns the refusal for an error that came while a document was stored in a bucket; other errors as they are. */
export const bucketWritingError = (error: unknown): unknown =>
  error instanceof BucketError ? new StorageUnavailableError(error, error) : error;
