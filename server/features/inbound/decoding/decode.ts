import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '../../../../shared/limits.ts';
import type { DecodeState } from '../../../../shared/states/inbound.ts';
import { StorageMissingError } from '../../../adapters/storage/port.ts';
import type { WriteTx } from '../../../db/database.ts';
import { type DecodedPages, DocumentError } from '../../../documents/documents.ts';
import { DONE, defineJob, type JobDefinition, type JobResult } from '../../../jobs/define-job.ts';
import { AlteredFileError, SealError } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { transientErrorSentence } from '../../../platform/transient-errors.ts';
import { type ChangeParts, change, SYSTEM } from '../changes.ts';
import type { InboundParts } from '../parts.ts';
import { findFax } from '../store/fax-store.ts';
import { changeOriginal, findOriginal, type OriginalRow, removeOriginal } from '../store/original-store.ts';
import type { DecodedFax, FaxRow } from '../types.ts';
import { type DecodePayload, decodeJob } from './decode-queue.ts';
import { decodeSentence } from './decode-words.ts';
import { originalName } from './original-name.ts';

type DecodeParts = ChangeParts &
  Pick<InboundParts, 'storage' | 'documents' | 'contacts' | 'logger' | 'workDirectory' | 'filedHandlers'>;

type FoundPages = Exclude<DecodedPages, { state: 'none' }>;

/** Wait after a fault of our own, in ms. */
const RETRY_MS = 60_000;
/** Attempts after faults of our own; then the fax is taken for an ordinary one until a person tries again. */
const MAX_ATTEMPTS = 30;

/**
 * Looks for a document in the pages of a filed fax. A fax without one stays as it is; nothing here changes that it was
 * received. Safe to repeat: the same pages give the same file.
 */
export function defineDecode(parts: DecodeParts): JobDefinition<DecodePayload> {
  return defineJob<DecodePayload>({
    ...decodeJob,
    concurrency: 1,
    lost: 'repeat',
    maxWaitMs: RETRY_MS,
    async run({ fax_id }, { attempt, signal }) {
      const row = await findFax(parts.db.read, fax_id);
      const known = await findOriginal(parts.db.read, fax_id);
      if (!row || !known || row.document === null) return forget(parts, fax_id);
      if (known.state === 'decoded' && known.document !== null) return settle(parts, fax_id);
      const path = join(parts.workDirectory, newId());
      try {
        const found = await decodePages(parts, { row, known, document: row.document, path });
        if (signal.aborted) return { kind: 'retry', at: parts.clock.now(), reason: 'stopped' };
        if (found === null) return forget(parts, fax_id);
        return await keep(parts, row, found, path);
      } catch (error) {
        return await handleFault(parts, fax_id, error, attempt);
      } finally {
        await rm(path, { force: true });
      }
    },
  });
}

/** Returns the document that the pages carry; null for ordinary pages. A recovered file is at the path then. */
async function decodePages(
  parts: DecodeParts,
  { row, known, document, path }: { row: FaxRow; known: OriginalRow; document: string; path: string },
): Promise<FoundPages | null> {
  const keys = await keysFor(parts, row, known);
  const found = await parts.storage.withFile(document, (file) =>
    parts.documents.decodePages(file, path, { keys, maxBytes: LIMITS.originalBytes }),
  );
  return found.state === 'none' ? null : found;
}

/** Returns the keys to try: that of the chosen contact first, then that of the sender. */
async function keysFor(
  { contacts, logger }: Pick<DecodeParts, 'contacts' | 'logger'>,
  { id, from_number }: FaxRow,
  { contact_id }: OriginalRow,
): Promise<string[]> {
  try {
    const chosen = contact_id === null ? null : await contacts.sharedKeyOfContact(contact_id);
    const own = from_number === null ? null : await contacts.sharedKeyOf(from_number);
    return [...new Set([chosen, own].filter((key) => key !== null))];
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    logger.warn({ error, fax_id: id }, 'the shared key of a sender cannot be opened');
    return [];
  }
}

/** Removes the records of a fax that is ordinary, or has lost its document. */
function forget(parts: DecodeParts, faxId: string): JobResult {
  return {
    kind: 'decide',
    async decide(tx) {
      const known = await findOriginal(tx, faxId);
      const row = await findFax(tx, faxId);
      if (known?.state === null) await removeOriginal(tx, faxId);
      else if (known && row) {
        await changeOriginal(tx, faxId, { awaited_until: null });
        // People who tried again see that it has ended.
        await change(parts, tx, row, {}, null);
      }
      await notifyHandlers(parts, tx, { id: faxId, originalSha256: null });
      return DONE;
    },
  };
}

/** Ends the wait for a fax that is decoded already. */
function settle(parts: DecodeParts, faxId: string): JobResult {
  return {
    kind: 'decide',
    async decide(tx) {
      await changeOriginal(tx, faxId, { awaited_until: null });
      await notifyHandlers(parts, tx, { id: faxId, originalSha256: null });
      return DONE;
    },
  };
}

async function notifyHandlers({ filedHandlers }: DecodeParts, tx: WriteTx, fax: DecodedFax): Promise<void> {
  for (const handler of filedHandlers) await handler.onDecoded?.(tx, fax);
}

/** Stores the recovered file before anything names it: what a crash leaves behind is the same file next time. */
async function keep(parts: DecodeParts, row: FaxRow, found: FoundPages, path: string): Promise<JobResult> {
  const file = found.state === 'decoded' ? found.document : null;
  const count = found.state === 'incomplete' ? found : null;
  const facts = {
    state: found.state,
    awaited_until: null,
    pages_found: count?.have ?? null,
    pages_needed: count?.need ?? null,
    document_name: file?.name ?? null,
    media_type: file?.mediaType ?? null,
    sha256: file?.sha256 ?? null,
    size_bytes: file?.sizeBytes ?? null,
    document: file && originalName(row.id, file.sha256),
  };
  if (facts.document !== null) await parts.storage.write(facts.document, { path });
  return { kind: 'decide', decide: (tx) => record(parts, tx, row.id, facts) };
}

async function record(
  parts: DecodeParts,
  tx: WriteTx,
  faxId: string,
  facts: Omit<OriginalRow, 'fax_id' | 'contact_id' | 'state'> & { readonly state: DecodeState },
): Promise<typeof DONE> {
  const row = await findFax(tx, faxId);
  // The retention removed the document meanwhile, and the original with it.
  if (!row || row.document === null) {
    await removeOriginal(tx, faxId);
    const { document } = facts;
    if (document !== null) parts.db.onCommit(tx, () => void parts.storage.remove(document));
    return DONE;
  }
  await changeOriginal(tx, faxId, facts);
  const { state, sha256, size_bytes: sizeBytes } = facts;
  const kind = state === 'decoded' ? 'decoded' : 'not_decoded';
  const text = decodeSentence(facts, state);
  await change(parts, tx, row, {}, { kind, actor: SYSTEM, text, sha256, sizeBytes });
  await notifyHandlers(parts, tx, { id: faxId, originalSha256: sha256 });
  return DONE;
}

/** Retries after a fault of the disk or the store. Anything else is a document without readable pages. */
async function handleFault(
  parts: DecodeParts,
  faxId: string,
  error: unknown,
  attempt: number,
): Promise<JobResult> {
  const facts = { error, fax_id: faxId };
  if (
    error instanceof DocumentError ||
    error instanceof AlteredFileError ||
    error instanceof StorageMissingError
  ) {
    parts.logger.warn(facts, 'the pages of a received fax could not be looked at for a document');
    return forget(parts, faxId);
  }
  const reason = transientErrorSentence(error);
  if (reason === null && !(error instanceof SealError)) throw error;
  parts.logger.error(facts, 'an original could not be recovered; it is tried again');
  if (attempt >= MAX_ATTEMPTS) return forget(parts, faxId);
  return { kind: 'retry', at: parts.clock.now() + RETRY_MS, reason: reason ?? 'the data key' };
}
