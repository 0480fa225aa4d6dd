import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isUniqueViolation } from '../../../db/database.ts';
import type { DocumentSource, PreparedDocument } from '../../../documents/documents.ts';
import { isoTime } from '../../../platform/clock.ts';
import { errorCode } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { toE164 } from '../../../platform/phone-number.ts';
import { searchTextOf } from '../../../platform/search-text.ts';
import { badNumber, inDoubt, keyOfAnotherRequest, noSuchFax, staleForm } from '../errors.ts';
import { recordChange } from '../events.ts';
import type { OutboundParts } from '../parts.ts';
import { findJob, insertJob } from '../store/job-store.ts';
import { noteUse } from '../store/number-store.ts';
import { findRequest, insertRequest } from '../store/request-store.ts';
import type { Actor, CapturedRoute, JobRow } from '../types.ts';
import { captureRoute, sealRoute } from './capture.ts';
import { refusingBadDocuments } from './document-refusal.ts';
import { fingerprintOf, KeyedMutex } from './idempotency.ts';
import { acceptedText, checkSendAt, planSending } from './send-later.ts';

export interface Flags {
  readonly queue_only: boolean;
  readonly send_now: boolean;
  readonly urgent: boolean;
  readonly send_by_call: boolean;
}

export interface SendRequest {
  readonly to: string;
  /** Uploaded files, on disk, with the digest of what was sent. */
  readonly sources: readonly (DocumentSource & { readonly digest: string })[];
  readonly flags: Flags;
  readonly idempotencyKey: string | null;
  readonly resendOf: string | null;
  /** For which it is sent; null for none. */
  readonly mailboxId: string | null;
  /** As it is stored; null for at once. */
  readonly sendAt: string | null;
  /** `done` when the document has been cleaned before. */
  readonly cleanGreys: boolean | 'done';
  /** One for each file, or none. */
  readonly titles: readonly string[];
  readonly actor: Actor;
  readonly requestId: string;
}

/**
 * Accepts a fax: number, idempotency, document, and then one transaction that holds the request's key, the job with what
 * it captured, its history and the job that will dispatch it. Nothing is recorded before that.
 */
export class Acceptance {
  readonly #parts: OutboundParts;
  readonly #mutex = new KeyedMutex();

  constructor(parts: OutboundParts) {
    this.#parts = parts;
  }

  async accept(request: SendRequest): Promise<JobRow> {
    const to = toE164(request.to, this.#parts.settings.country());
    if (!to) throw badNumber();
    const normal = { ...request, to };
    if (request.idempotencyKey === null) return this.#acceptNew(normal);
    return this.#mutex.run(`${request.actor.id} ${request.idempotencyKey}`, async () => {
      return (await this.#replay(normal)) ?? (await this.#acceptNew(normal));
    });
  }

  /** The fax that an earlier request with this key made. Throws a 409 refusal when that request was another. */
  async #replay(request: SendRequest): Promise<JobRow | null> {
    if (request.idempotencyKey === null) return null;
    const { db } = this.#parts;
    const before = await findRequest(db.read, { callerId: request.actor.id, key: request.idempotencyKey });
    if (!before) return null;
    if (before.fingerprint !== fingerprint(request)) throw keyOfAnotherRequest();
    const job = await findJob(db.read, before.job_id);
    if (!job) throw noSuchFax();
    return job;
  }

  async #acceptNew(request: SendRequest): Promise<JobRow> {
    const { settings, transports } = this.#parts;
    const held = settings.sendingDisabled();
    if (request.flags.queue_only && !held) throw staleForm();
    checkSendAt(request.sendAt, this.#parts.clock.now());
    const route = captureRoute(settings, transports);
    const id = newId();
    const artifact = `fax/${id}.pdf`;
    const prepared = await this.#prepare(request, id, artifact);
    return this.#commit(request, this.#rowOf(request, { id, held, route, prepared, artifact }));
  }

  /** Prepares the document in its place, flushed; what fails leaves nothing there. */
  async #prepare(request: SendRequest, id: string, artifact: string): Promise<PreparedDocument> {
    const { documents, settings, storage, workDirectory } = this.#parts;
    const place = await storage.place(artifact);
    const path = place ?? join(workDirectory, `${id}.pdf`);
    const cleanGreys = request.cleanGreys === true;
    const options = { maxBytes: settings.mostFileBytes(), durable: place !== null, cleanGreys };
    try {
      const prepared = await refusingBadDocuments(documents.prepare([...request.sources], path, options));
      if (place === null) await storage.write(artifact, { path });
      return prepared;
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  async #commit(request: SendRequest, row: JobRow): Promise<JobRow> {
    try {
      await this.#record(request, row);
      return row;
    } catch (error) {
      if (isUniqueViolation(error)) {
        await this.#parts.storage.remove(row.artifact ?? '');
        const first = await this.#replay(request);
        if (first) return first;
        throw error;
      }
      return this.#afterFailedCommit(row, error);
    }
  }

  /** A commit that failed may have reached the disk all the same: look, and say so when looking fails too. */
  async #afterFailedCommit(row: JobRow, cause: unknown): Promise<JobRow> {
    const found = await findJob(this.#parts.db.read, row.id).catch(() => null);
    if (found) return found;
    if (found === null || mayStillCommit(cause)) throw inDoubt(row.id, cause);
    await this.#parts.storage.remove(row.artifact ?? '');
    throw cause;
  }

  async #record(request: SendRequest, row: JobRow): Promise<void> {
    await this.#parts.db.transaction(async (tx) => {
      await insertJob(tx, row);
      if (request.idempotencyKey !== null)
        await insertRequest(tx, {
          caller_id: request.actor.id,
          idempotency_key: request.idempotencyKey,
          fingerprint: fingerprint(request),
          job_id: row.id,
          created_at: row.created_at,
        });
      if (row.delivery_state === 'ready') await planSending(this.#parts, tx, row);
      await recordChange(this.#parts, tx, row, {
        event: 'job_created',
        kind: row.delivery_state === 'held' ? 'held' : 'accepted',
        text: acceptedText(this.#parts, row),
        actor: request.actor,
        requestId: request.requestId,
      });
      await noteUse(tx, row.to_number, row.created_at);
    });
  }

  #rowOf(
    request: SendRequest,
    facts: { id: string; held: boolean; route: CapturedRoute; prepared: PreparedDocument; artifact: string },
  ): JobRow {
    const at = isoTime(this.#parts.clock.now());
    const { account } = facts.route;
    return {
      id: facts.id,
      to_number: request.to,
      delivery_state: facts.held ? 'held' : 'ready',
      dispatch_mode: facts.held ? 'held' : 'normal',
      delivery_version: 1,
      reconciliation_reason: null,
      error: null,
      backend: account.backend as JobRow['backend'],
      provider_sid: null,
      pages: null,
      created_at: at,
      updated_at: at,
      document_name: nameOf(request.sources),
      document_media_type: facts.prepared.sourceMediaType,
      document_sha256: facts.prepared.sha256,
      document_size: facts.prepared.sizeBytes,
      document_pages: facts.prepared.pages,
      artifact: facts.artifact,
      captured: sealRoute(this.#parts.seal, facts.id, facts.route),
      account_id: account.accountId,
      queue_only: request.flags.queue_only ? 1 : 0,
      send_now: request.flags.send_now ? 1 : 0,
      urgent: request.flags.urgent ? 1 : 0,
      send_by_call: request.flags.send_by_call ? 1 : 0,
      resend_of: request.resendOf,
      case_id: null,
      mailbox_id: request.mailboxId,
      created_by: request.actor.id,
      created_by_name: request.actor.name,
      delivered_by: null,
      cost_minor: null,
      cost_currency: null,
      send_at: request.sendAt,
      clean_greys: request.cleanGreys ? 1 : 0,
      titles: JSON.stringify(request.titles),
      search_text: searchTextOf([
        request.to,
        ...request.sources.map((source) => source.fileName),
        ...request.titles,
      ]),
    };
  }
}

function fingerprint(request: SendRequest): string {
  return fingerprintOf({
    to: request.to,
    digests: request.sources.map((source) => source.digest),
    queueOnly: request.flags.queue_only,
    sendAt: request.sendAt,
    cleanGreys: request.cleanGreys !== false,
    mailboxId: request.mailboxId,
  });
}

/** The first file's name without control characters; how many more there are is said. */
function nameOf(sources: readonly DocumentSource[]): string {
  const first = (sources[0]?.fileName ?? '').replaceAll(/\p{Cc}/gu, '').slice(0, 200) || 'document';
  return sources.length > 1 ? `${first} and ${sources.length - 1} more` : first;
}

/** The connection to the database broke: its COMMIT may take effect after we have looked. */
function mayStillCommit(error: unknown): boolean {
  const code = errorCode(error);
  if (['ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code) || /^(?:08|57P)/u.test(code)) return true;
  return error instanceof Error && error.message.startsWith('Connection terminated');
}
