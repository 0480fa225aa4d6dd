import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ProviderError } from '../../adapters/providers/port.ts';
import { DONE, defineJob, type JobDefinition, type JobResult } from '../../jobs/define-job.ts';
import { isoTime } from '../../platform/clock.ts';
import { errorCode, RefusalError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { receiverOf } from './captured-source.ts';
import { change, PROVIDER, SYSTEM, sourceNameOf } from './changes.ts';
import { accountGone, FULL_DISK_CODES } from './errors.ts';
import { keepDocument, MOST_DOCUMENT_BYTES, UnreadableDocumentError } from './keep-document.ts';
import type { InboundParts } from './parts.ts';
import { type FetchPayload, fetchJob } from './queued.ts';
import { findFax } from './store/fax-store.ts';
import { takeDocument } from './take-document.ts';
import type { FaxRow } from './types.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** 1, 2, 4, 8, 16 and 32 minutes, then hourly for a day. */
const LADDER_MS: readonly number[] = [
  ...[1, 2, 4, 8, 16, 32].map((minutes) => minutes * MINUTE_MS),
  ...Array<number>(24).fill(HOUR_MS),
];
/** A full disk is not the provider's doing: it is looked at again soon, and costs no attempt. */
const FULL_DISK_MS = 5 * MINUTE_MS;

/** What kept a document from being filed. */
interface Failure {
  /** For a person. */
  readonly sentence: string;
  readonly isFullDisk: boolean;
}

/** Fetches the document of a waiting fax until it is filed or about a day has passed. Fetching twice costs nothing. */
export function defineFetch(parts: InboundParts): JobDefinition<FetchPayload> {
  return defineJob<FetchPayload>({
    ...fetchJob,
    concurrency: 2,
    lost: 'repeat',
    longestWaitMs: HOUR_MS,
    async run({ fax_id }, { signal }) {
      const row = await findFax(parts.db.read, fax_id);
      if (!row || !isToFetch(row)) return DONE;
      const failure = await attempt(parts, row, signal);
      if (failure === null) return DONE;
      // Stopped in the middle: the next start goes on.
      if (signal.aborted) return { kind: 'retry', at: parts.clock.now(), reason: 'stopped' };
      return recordFailure(parts, fax_id, failure);
    },
  });
}

/** A filed fax that still names its source was offered another document, or the source has not cleared up yet. */
function isToFetch(row: FaxRow): boolean {
  return row.status === 'waiting' || (row.status === 'received' && row.captured !== null);
}

/** Null when nothing is left to do. */
async function attempt(parts: InboundParts, row: FaxRow, signal: AbortSignal): Promise<Failure | null> {
  try {
    const source = parts.sources.get(row.backend);
    if (source) await takeDocument(parts, row, source);
    else await fetchDocument(parts, row, signal);
    return null;
  } catch (error) {
    return failureOf(parts, row, error);
  }
}

async function fetchDocument(parts: InboundParts, row: FaxRow, signal: AbortSignal): Promise<void> {
  const receiver = receiverOf(parts, row);
  if (!receiver) throw accountGone();
  const { provider, account } = receiver;
  const path = join(parts.workDirectory, newId());
  try {
    const limits = { maxBytes: MOST_DOCUMENT_BYTES, signal };
    await provider.fetchDocument(account, row.provider_fax_id, path, limits);
    parts.watch.answered(row.backend);
    const text = 'The document was fetched from the provider, checked and stored.';
    await keepDocument(parts, row.id, path, { text, actor: SYSTEM });
  } finally {
    await rm(path, { force: true });
  }
}

function failureOf(parts: InboundParts, row: FaxRow, error: unknown): Failure {
  const facts = { error, fax_id: row.id, failures: row.failures };
  if (error instanceof ProviderError) {
    if (error.category === 'transport_ambiguous' || error.category === 'provider_unavailable')
      parts.watch.failed(row.backend);
    parts.logger.info(facts, 'the document of a received fax could not be fetched');
    return { sentence: error.publicMessage, isFullDisk: false };
  }
  if (error instanceof RefusalError) {
    parts.logger.info(facts, 'the document of a received fax could not be had');
    return { sentence: error.publicMessage, isFullDisk: false };
  }
  if (error instanceof UnreadableDocumentError) {
    parts.logger.warn(facts, 'what was handed over is no readable PDF');
    const source = sourceNameOf(parts, row).toLowerCase();
    return {
      sentence: `The document from the ${source} is not a PDF whose pages can all be read.`,
      isFullDisk: false,
    };
  }
  if (!FULL_DISK_CODES.includes(errorCode(error))) throw error;
  parts.logger.error(facts, 'the disk is full; a received document could not be stored');
  return { sentence: FULL_DISK, isFullDisk: true };
}

export const FULL_DISK =
  'The disk is full, so the document could not be stored. Free up space, and it is fetched again automatically.';

/** A fax that was filed or told anew meanwhile is left as it is. */
async function recordFailure(parts: InboundParts, faxId: string, failure: Failure): Promise<JobResult> {
  return parts.db.transaction(async (tx) => {
    const row = await findFax(tx, faxId);
    if (row?.status !== 'waiting') return DONE;
    const failures = row.failures + (failure.isFullDisk ? 0 : 1);
    const wait = failure.isFullDisk ? FULL_DISK_MS : LADDER_MS[failures - 1];
    const { sentence } = failure;
    if (wait === undefined) {
      const changes = { status: 'failed', failures, retry_at: null, problem: sentence } as const;
      const text = `Not received. The last attempt failed: ${sentence}`;
      await change(parts, tx, row, changes, { kind: 'not_received', actor: SYSTEM, text });
      return DONE;
    }
    const at = parts.clock.now() + wait;
    const actor = parts.sources.has(row.backend) ? SYSTEM : PROVIDER;
    const recorded = { kind: 'attempt', actor, text: sentence } as const;
    const changes = { failures, retry_at: isoTime(at), problem: sentence };
    await change(parts, tx, row, changes, failure.isFullDisk && row.problem === sentence ? null : recorded);
    return { kind: 'retry', at, reason: sentence } as const;
  });
}
