import { createHash } from 'node:crypto';
import { StorageMissingError } from '../../../adapters/storage/port.ts';
import { readingError, StorageUnreadableError } from '../../../adapters/storage/reading-port.ts';
import { AlteredFileError, SealError } from '../../../platform/errors.ts';
import { documentGone } from '../errors.ts';
import type { OutboundParts } from '../parts.ts';
import { HELD_FOR_KEY } from '../record/unusable-key.ts';
import { newestAttempt } from '../store/attempt-store.ts';
import { findCall } from '../store/call-store.ts';
import type { Fact } from '../transition/fact.ts';
import { encodedArtifact, transmittedPages } from '../transmitted-pages.ts';
import type { AttemptRow, JobRow } from '../types.ts';
import type { BegunFax } from './attempt.ts';

/**
 * The prepared PDF of a fax. Throws a 404 refusal when it is no longer kept, and a 503 one when it cannot be read at
 * present.
 */
export async function openArtifact(parts: Pick<OutboundParts, 'storage'>, job: JobRow) {
  if (job.artifact === null) throw documentGone();
  try {
    return await parts.storage.open(job.artifact);
  } catch (error) {
    if (error instanceof StorageMissingError) throw documentGone();
    throw error;
  }
}

/** Stored PDF that an attempt sends: the document of the fax, or the encoded pages that carry it. */
export function sentPdf(
  job: JobRow,
  attempt: Pick<AttemptRow, 'encoded_pages'> | null,
): { artifact: string; sha256: string; sizeBytes: number; pages: number } {
  const pages = transmittedPages(job, attempt);
  if (attempt === null || attempt.encoded_pages === null)
    return {
      artifact: job.artifact ?? '',
      sha256: job.document_sha256,
      sizeBytes: job.document_size,
      pages,
    };
  const { encoded_sha256: sha256, encoded_size: sizeBytes } = job;
  return { artifact: encodedArtifact(job.id), sha256: sha256 ?? '', sizeBytes: sizeBytes ?? 0, pages };
}

/**
 * Opens the document that a fax is sent as: its own, or that of the call it shares with others. Throws as
 * `openArtifact`.
 */
export async function openForTransport(parts: Pick<OutboundParts, 'db' | 'storage'>, job: JobRow) {
  const attempt = await newestAttempt(parts.db.read, job.id);
  if (!attempt?.call_id || attempt.call_first_page === null) {
    const isEncoded = job.artifact !== null && attempt && attempt.encoded_pages !== null;
    return openArtifact(parts, isEncoded ? { ...job, artifact: encodedArtifact(job.id) } : job);
  }
  const call = await findCall(parts.db.read, attempt.call_id);
  return openArtifact(parts, { ...job, artifact: call?.artifact ?? null });
}

/** Returns the reason why the stored document cannot be sent, or not now. Null when it can. */
export async function artifactProblem(
  parts: Pick<OutboundParts, 'logger' | 'storage'>,
  { job, attempt }: Pick<BegunFax, 'job' | 'attempt'>,
): Promise<Fact | null> {
  const sent = sentPdf(job, attempt);
  const hash = createHash('sha256');
  try {
    const { stream } = await parts.storage.open(sent.artifact);
    for await (const chunk of stream) hash.update(chunk as Uint8Array);
  } catch (error) {
    return readingProblem(parts, job, error);
  }
  if (hash.digest('hex') === sent.sha256) return null;
  parts.logger.error({ job_id: job.id }, 'the document of a fax was changed on disk');
  return { kind: 'unsendable', sentence: 'The stored document is not the one that was accepted.' };
}

/** Converts an error raised while the document was read into a fact. Rethrows errors that have another cause. */
export function readingProblem(
  { logger }: Pick<OutboundParts, 'logger'>,
  job: JobRow,
  thrown: unknown,
): Fact {
  const error = readingError(thrown);
  logger.warn({ error, job_id: job.id }, 'the document of a fax cannot be read');
  if (error instanceof StorageUnreadableError) return { kind: 'unreadable', sentence: error.publicMessage };
  if (error instanceof StorageMissingError)
    return { kind: 'unsendable', sentence: 'The stored document is no longer in its folder.' };
  if (error instanceof AlteredFileError)
    return { kind: 'unsendable', sentence: 'The stored document is damaged.' };
  if (error instanceof SealError) return { kind: 'held', text: HELD_FOR_KEY };
  throw error;
}
