import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DONE, defineJob, type JobDefinition, type JobResult } from '../../../jobs/define-job.ts';
import { epochOf, isoTime } from '../../../platform/clock.ts';
import { errorCode, RefusalError, SealError } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { transientErrorSentence } from '../../../platform/transient-errors.ts';
import { TransportError } from '../../outbound/transport-port.ts';
import { change, SYSTEM } from '../changes.ts';
import { accountGone, FULL_DISK_CODES } from '../errors.ts';
import { type FetchPayload, fetchJob } from '../fetch-queue.ts';
import type { InboundParts } from '../parts.ts';
import { findFax } from '../store/fax-store.ts';
import type { FaxRow } from '../types.ts';
import { createDiskFaults } from './disk-faults.ts';
import { receiverOf, takeDocument } from './document-source.ts';
import {
  type KeepingParts,
  keepDocument,
  MAX_DOCUMENT_BYTES,
  UnreadableDocumentError,
} from './keep-document.ts';
import { type SourceNames, sourceNameOf, sourceWords } from './source-name.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** 1, 2, 4, 8, 16 and 32 minutes, then hourly for a day. */
const RETRY_WAITS_MS: readonly number[] = [
  ...[1, 2, 4, 8, 16, 32].map((minutes) => minutes * MINUTE_MS),
  ...Array<number>(24).fill(HOUR_MS),
];
/** Wait after a fault of our own, which is not the provider's: it is retried soon, and costs no attempt. */
const OWN_FAULT_MS = 5 * MINUTE_MS;
/** Interval for checking whether the disk works again. */
const DISK_CHECK_MS = 4_000;

type FetchParts = KeepingParts & Pick<InboundParts, 'watch' | 'logger' | 'workDirectory'>;

/** Reason why a document was not filed. */
interface Failure {
  /** Sentence for a person. */
  readonly sentence: string;
  /** True for a fault of our own: disk, files, data key. */
  readonly isOwnFault: boolean;
  /** True for a fault of the disk, whose end a check of the disk shows. */
  readonly isDiskFault?: boolean;
}

/** Fetches the document of a waiting fax until it is filed or about a day has passed. Fetching twice costs nothing. */
export function defineFetch(parts: FetchParts): JobDefinition<FetchPayload> {
  const faults = createDiskFaults(parts.workDirectory);
  return defineJob<FetchPayload>({
    ...fetchJob,
    concurrency: 2,
    lost: 'repeat',
    maxWaitMs: HOUR_MS,
    async run({ fax_id }, { signal }) {
      const row = await findFax(parts.db.read, fax_id);
      if (!row || !isToFetch(row)) return DONE;
      if (isEarly(row, parts.clock.now()) && (await faults.persists(fax_id)))
        return retryAfterDiskCheck(parts, row);
      faults.forget(fax_id);
      const failure = await attempt(parts, row, signal);
      if (failure === null) return DONE;
      if (failure.isDiskFault) await faults.record(fax_id);
      // Stopped in the middle: the next start goes on.
      if (signal.aborted) return { kind: 'retry', at: parts.clock.now(), reason: 'stopped' };
      return recordFailure(parts, fax_id, failure);
    },
  });
}

/**
 * Returns true for a waiting fax, and for a filed one that still names its source: it was offered another document, or
 * the source has not cleared up yet.
 */
function isToFetch(row: FaxRow): boolean {
  return row.status === 'waiting' || (row.status === 'received' && row.captured !== null);
}

/** Returns true before the time of the retry. Only a fault of the disk is checked that early. */
function isEarly({ retry_at }: FaxRow, now: number): boolean {
  return retry_at !== null && now < epochOf(retry_at);
}

function retryAfterDiskCheck({ clock }: Pick<InboundParts, 'clock'>, { problem }: FaxRow): JobResult {
  return { kind: 'retry', at: clock.now() + DISK_CHECK_MS, reason: problem ?? 'the disk' };
}

/** Makes one attempt. Returns the reason why the document was not filed, or null when nothing is left to do. */
async function attempt(parts: FetchParts, row: FaxRow, signal: AbortSignal): Promise<Failure | null> {
  try {
    const source = parts.sources.get(row.backend);
    if (source) await takeDocument(parts, row, source);
    else await fetchDocument(parts, row, signal);
    return null;
  } catch (error) {
    return failureOf(parts, row, error);
  }
}

async function fetchDocument(parts: FetchParts, row: FaxRow, signal: AbortSignal): Promise<void> {
  const receiver = receiverOf(parts, row);
  if (!receiver) throw accountGone();
  const { provider, account } = receiver;
  const path = join(parts.workDirectory, newId());
  try {
    const limits = { maxBytes: MAX_DOCUMENT_BYTES, signal };
    await provider.fetchDocument(account, row.provider_fax_id, path, limits);
    parts.watch.recordResponse(row.backend);
    const text = `The document was fetched from ${sourceWords(parts, row).the}, checked and stored.`;
    await keepDocument(parts, row.id, path, { text, actor: SYSTEM });
  } finally {
    await rm(path, { force: true });
  }
}

function failureOf(
  parts: SourceNames & Pick<InboundParts, 'watch' | 'logger'>,
  row: FaxRow,
  error: unknown,
): Failure {
  const facts = { error, fax_id: row.id, failures: row.failures };
  if (error instanceof TransportError) {
    const isRefusal = error.accountProblem !== null;
    if (isRefusal || error.category === 'transport_ambiguous' || error.category === 'provider_unavailable')
      parts.watch.recordFailure(row.backend, { isRefusal });
    parts.logger.info(facts, 'the document of a received fax could not be fetched');
    return { sentence: error.publicMessage, isOwnFault: false };
  }
  if (error instanceof RefusalError) {
    parts.logger.info(facts, 'the document of a received fax could not be had');
    return { sentence: error.publicMessage, isOwnFault: error instanceof SealError };
  }
  if (error instanceof UnreadableDocumentError) {
    parts.logger.warn(facts, 'the document that was handed over is not a readable PDF');
    return {
      sentence: `The document from ${sourceWords(parts, row).the} is not a PDF whose pages can all be read.`,
      isOwnFault: false,
    };
  }
  const sentence = ownFault(error);
  if (sentence === null) throw error;
  parts.logger.error(facts, 'a received document could not be stored');
  return { sentence, isOwnFault: true, isDiskFault: true };
}

function ownFault(error: unknown): string | null {
  if (FULL_DISK_CODES.includes(errorCode(error))) return FULL_DISK;
  const sentence = transientErrorSentence(error);
  return sentence && `The document could not be stored. ${sentence} Faxdesk fetches it again automatically.`;
}

export const FULL_DISK =
  'The disk is full, so the document could not be stored. Free up space. Faxdesk then fetches it again automatically.';

/** Records a failed attempt. Leaves a fax unchanged that was filed or reported again meanwhile. */
async function recordFailure(parts: FetchParts, faxId: string, failure: Failure): Promise<JobResult> {
  return parts.db.transaction(async (tx) => {
    const row = await findFax(tx, faxId);
    if (row?.status !== 'waiting') return DONE;
    const failures = row.failures + (failure.isOwnFault ? 0 : 1);
    const wait = failure.isOwnFault ? OWN_FAULT_MS : RETRY_WAITS_MS[failures - 1];
    const { sentence } = failure;
    if (wait === undefined) {
      const changes = { status: 'failed', failures, retry_at: null, problem: sentence } as const;
      const text = `Not received. The last attempt failed: ${sentence}`;
      await change(parts, tx, row, changes, { kind: 'not_received', actor: SYSTEM, text });
      return DONE;
    }
    const at = parts.clock.now() + wait;
    const actor = parts.sources.has(row.backend) ? SYSTEM : sourceNameOf(parts, row);
    const recorded = { kind: 'attempt', actor, text: sentence } as const;
    const changes = { failures, retry_at: isoTime(at), problem: sentence };
    await change(parts, tx, row, changes, failure.isOwnFault && row.problem === sentence ? null : recorded);
    if (failure.isDiskFault) return retryAfterDiskCheck(parts, { ...row, problem: sentence });
    return { kind: 'retry', at, reason: sentence } as const;
  });
}
