import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PutObjectCommandInput, S3Client } from '@aws-sdk/client-s3';
import { sha256Hex } from '../../../platform/hash.ts';
import { createOutgoingAgents } from '../../../platform/outgoing-agents.ts';
import {
  AlteredObjectError,
  type Bucket,
  BucketError,
  type BucketPlace,
  type FoundObject,
  type ObjectDigest,
} from '../bucket-port.ts';
import { bucketFailure, isEmptyRange, isNoSuchKey, isNotFound, isTaken } from './failure.ts';

/** Name of the digest among the facts that an object carries. */
const DIGEST = 'sha256';
const OWNER_FILE = 0o600;
const CONNECTING_MS = 5_000;
/** A bucket may return another content for a moment, as a broken proxy does. */
const FETCHES = 2;

/** The vendor's client is large: it is loaded at the first use of a bucket. */
const library = () => import('@aws-sdk/client-s3');
type Library = Awaited<ReturnType<typeof library>>;

/** Opens a bucket of Amazon S3 or a service that speaks its protocol. `patienceMs` is the time without any progress. */
export function openS3Bucket(place: BucketPlace, { patienceMs }: { patienceMs: number }): Bucket {
  return new S3Bucket(place, patienceMs);
}

class S3Bucket implements Bucket {
  readonly #place: BucketPlace;
  readonly #patienceMs: number;
  #opened: Promise<{ s3: Library; client: S3Client }> | null = null;

  constructor(place: BucketPlace, patienceMs: number) {
    this.#place = place;
    this.#patienceMs = patienceMs;
  }

  async put(key: string, path: string, digest: ObjectDigest): Promise<void> {
    await this.#run(async ({ s3, client }, patience) => {
      const body = Readable.from(patience.watch(createReadStream(path)), { objectMode: false });
      // A client that gave up listens no longer, and an error without a listener ends the process.
      body.on('error', ignore);
      try {
        const command = new s3.PutObjectCommand({ ...this.#objectOf(key, digest), Body: body });
        await client.send(withContentDigest(command, digest.sha256), patience.options);
      } finally {
        body.destroy();
      }
    });
    await this.#confirm(key, digest);
  }

  async putIfNone(key: string, text: string): Promise<boolean> {
    try {
      await this.#putText(key, text, { IfNoneMatch: '*' });
      return true;
    } catch (error) {
      if (isTaken(error instanceof BucketError ? error.cause : error)) return false;
      throw error;
    }
  }

  putText(key: string, text: string): Promise<void> {
    return this.#putText(key, text, {});
  }

  text(key: string): Promise<string | null> {
    return this.#run(async ({ s3, client }, patience) => {
      try {
        const found = await client.send(new s3.GetObjectCommand(this.#at(key)), patience.options);
        const text = found.Body === undefined ? '' : await found.Body.transformToString();
        const digest = found.Metadata?.[DIGEST];
        if (digest !== undefined && digest !== sha256Hex(text)) throw this.#altered();
        return text;
      } catch (error) {
        if (isNoSuchKey(error)) return null;
        throw error;
      }
    });
  }

  async fetch(key: string, path: string): Promise<boolean> {
    return this.#reading(key, async (pieces) => {
      try {
        await pipeline(pieces, createWriteStream(path, { mode: OWNER_FILE }));
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
    });
  }

  start(key: string, bytes: number): Promise<Buffer | null> {
    return this.#run(async ({ s3, client }, patience) => {
      try {
        const command = new s3.GetObjectCommand({ ...this.#at(key), Range: `bytes=0-${bytes - 1}` });
        const { Body } = await client.send(command, patience.options);
        return await firstBytes(Body as Readable | undefined, bytes, patience);
      } catch (error) {
        if (isNoSuchKey(error)) return null;
        if (isEmptyRange(error)) return Buffer.alloc(0);
        throw error;
      }
    });
  }

  verify(key: string): Promise<boolean> {
    return this.#reading(key, async (pieces) => {
      for await (const _ of pieces);
    });
  }

  async digest(key: string): Promise<ObjectDigest | null> {
    return (await this.#head(key))?.digest ?? null;
  }

  async remove(key: string): Promise<void> {
    await this.#run(async ({ s3, client }, patience) => {
      await client.send(new s3.DeleteObjectCommand(this.#at(key)), patience.options);
    });
  }

  async *list(prefix: string, after?: string): AsyncGenerator<FoundObject> {
    for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
      const page = await this.#run(({ s3, client }, patience) =>
        client.send(
          new s3.ListObjectsV2Command({
            Bucket: this.#place.bucket,
            Prefix: prefix,
            StartAfter: isFirst ? after : undefined,
            ContinuationToken: token,
          }),
          patience.options,
        ),
      );
      for (const { Key, Size, LastModified } of page.Contents ?? [])
        if (Key !== undefined)
          yield { key: Key, sizeBytes: Size ?? 0, changedAt: LastModified?.getTime() ?? 0 };
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
    }
  }

  close(): void {
    void this.#opened?.then(
      ({ client }) => client.destroy(),
      () => undefined,
    );
    this.#opened = null;
  }

  #altered(): AlteredObjectError {
    return new AlteredObjectError(
      `The bucket ${this.#place.bucket} returns another content than was stored.`,
    );
  }

  #at(key: string) {
    return { Bucket: this.#place.bucket, Key: key };
  }

  #objectOf(key: string, { sha256, sizeBytes }: ObjectDigest): Omit<PutObjectCommandInput, 'Body'> {
    const { kmsKeyId } = this.#place;
    return {
      ...this.#at(key),
      ContentLength: sizeBytes,
      ContentType: 'application/octet-stream',
      ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64'),
      Metadata: { [DIGEST]: sha256 },
      ...(kmsKeyId === null ? {} : { ServerSideEncryption: 'aws:kms', SSEKMSKeyId: kmsKeyId }),
    };
  }

  async #putText(
    key: string,
    text: string,
    condition: Pick<PutObjectCommandInput, 'IfNoneMatch'>,
  ): Promise<void> {
    const body = Buffer.from(text);
    const digest = { sha256: sha256Hex(body), sizeBytes: body.length };
    await this.#run(async ({ s3, client }, patience) => {
      const command = new s3.PutObjectCommand({ ...this.#objectOf(key, digest), ...condition, Body: body });
      await client.send(command, patience.options);
    });
  }

  /** Throws when the bucket did not keep what it confirmed. Services that know no checksums are read. */
  async #confirm(key: string, { sha256, sizeBytes }: ObjectDigest): Promise<void> {
    const found = await this.#head(key);
    const isThere = found?.digest?.sha256 === sha256 && found.digest.sizeBytes === sizeBytes;
    if (!isThere)
      throw new BucketError(`The bucket ${this.#place.bucket} confirmed a document and does not have it.`);
    if (found.checksum === sha256) return;
    if (found.checksum !== null || !(await this.verify(key)))
      throw new BucketError(`The bucket ${this.#place.bucket} has another content than was stored.`);
  }

  #head(key: string): Promise<{ digest: ObjectDigest | null; checksum: string | null } | null> {
    return this.#run(async ({ s3, client }, patience) => {
      try {
        const found = await client.send(
          new s3.HeadObjectCommand({ ...this.#at(key), ChecksumMode: 'ENABLED' }),
          patience.options,
        );
        const sha256 = found.Metadata?.[DIGEST];
        const checksum = found.ChecksumSHA256;
        return {
          digest: sha256 === undefined ? null : { sha256, sizeBytes: found.ContentLength ?? 0 },
          checksum: checksum === undefined ? null : Buffer.from(checksum, 'base64').toString('hex'),
        };
      } catch (error) {
        if (isNotFound(error)) return null;
        throw error;
      }
    });
  }

  /** Hands the pieces of an object to `take` and compares them with its digest at the end. False when there is no such object. */
  async #reading(key: string, take: (pieces: AsyncGenerator<Uint8Array>) => Promise<void>): Promise<boolean> {
    for (let left = FETCHES - 1; ; left -= 1) {
      try {
        return await this.#readOnce(key, take);
      } catch (error) {
        if (left === 0 || !(error instanceof AlteredObjectError)) throw error;
      }
    }
  }

  #readOnce(key: string, take: (pieces: AsyncGenerator<Uint8Array>) => Promise<void>): Promise<boolean> {
    return this.#run(async ({ s3, client }, patience) => {
      const found = await client
        .send(new s3.GetObjectCommand(this.#at(key)), patience.options)
        .catch((error: unknown) => {
          if (isNoSuchKey(error)) return null;
          throw error;
        });
      if (found === null) return false;
      const digest = found.Metadata?.[DIGEST];
      const body = found.Body as Readable | undefined;
      const altered = this.#altered();
      if (digest === undefined || body === undefined) throw altered;
      addAbortSignal(patience.options.abortSignal, body);
      await take(compared(patience.watch(body), digest, altered));
      return true;
    });
  }

  /** Runs work that ends when nothing happens for a while. Throws BucketError. */
  async #run<T>(
    work: (opened: { s3: Library; client: S3Client }, patience: Patience) => Promise<T>,
  ): Promise<T> {
    this.#opened ??= this.#open();
    const patience = createPatience(this.#patienceMs);
    try {
      return await work(await this.#opened, patience);
    } catch (error) {
      throw bucketFailure(this.#place, patience.isOver ? { name: 'TimeoutError' } : error);
    } finally {
      patience.end();
    }
  }

  async #open(): Promise<{ s3: Library; client: S3Client }> {
    const s3 = await library();
    const { region, endpoint, isPathStyle, credentials } = this.#place;
    const client = new s3.S3Client({
      // Other services than Amazon's take any.
      region: region ?? (endpoint === null ? undefined : 'us-east-1'),
      forcePathStyle: isPathStyle,
      ...(endpoint === null ? {} : { endpoint }),
      ...(credentials === null ? {} : { credentials }),
      // Its remarks would go to the console.
      logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      requestHandler: { connectionTimeout: CONNECTING_MS, ...createOutgoingAgents() },
      // Its own digest goes with each object, and is compared here.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
    return { s3, client };
  }
}

const ignore = () => undefined;

/** Reads no further than needed, also where a service returns all of an object. */
async function firstBytes(body: Readable | undefined, bytes: number, patience: Patience): Promise<Buffer> {
  if (body === undefined) return Buffer.alloc(0);
  addAbortSignal(patience.options.abortSignal, body);
  const found: Uint8Array[] = [];
  let length = 0;
  for await (const piece of patience.watch(body)) {
    found.push(piece);
    length += piece.length;
    if (length >= bytes) break;
  }
  body.destroy();
  return Buffer.concat(found).subarray(0, bytes);
}

/** Throws `altered` at the end of pieces that are not those of the digest. */
async function* compared(
  pieces: AsyncIterable<Uint8Array>,
  sha256: string,
  altered: Error,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
  if (hash.digest('hex') !== sha256) throw altered;
}

interface Patience {
  readonly options: { readonly abortSignal: AbortSignal };
  readonly isOver: boolean;
  /** Passes the pieces on; each is progress. */
  watch(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>;
  end(): void;
}

function createPatience(patienceMs: number): Patience {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), patienceMs);
  return {
    options: { abortSignal: abort.signal },
    get isOver() {
      return abort.signal.aborted;
    },
    async *watch(pieces) {
      for await (const piece of pieces) {
        timer.refresh();
        abort.signal.throwIfAborted();
        yield piece;
      }
    },
    end: () => clearTimeout(timer),
  };
}

/** Signs the digest that is known already, so that the client does not read the file a second time. */
function withContentDigest<C extends { middlewareStack: { add(...parts: never[]): void } }>(
  command: C,
  sha256: string,
): C {
  const add = command.middlewareStack.add as unknown as (
    middleware: (
      next: (args: unknown) => unknown,
    ) => (args: { request: { headers: Record<string, string> } }) => unknown,
    options: object,
  ) => void;
  add.call(
    command.middlewareStack,
    (next) => (args) => {
      args.request.headers['x-amz-content-sha256'] = sha256;
      return next(args);
    },
    { step: 'build', name: 'contentDigest' },
  );
  return command;
}
