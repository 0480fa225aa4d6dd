import { isUniqueViolation, type WriteTx } from '../../../db/database.ts';
import type { FaxRequestTable } from '../../../db/schema/outbound.ts';
import { isoTime } from '../../../platform/clock.ts';
import { errorCode } from '../../../platform/errors.ts';
import { withAboutText } from '../../../platform/fax-about.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { newId } from '../../../platform/ids.ts';
import { requestedNumber } from '../../../platform/phone-number.ts';
import { searchTextOf } from '../../../platform/search-text.ts';
import type { SendingPreferences } from '../../contacts/service.ts';
import type { PlacedSignature } from '../../desk/service.ts';
import {
  acceptanceUnknown,
  badNumber,
  keyOfAnotherRequest,
  noSuchFax,
  numberBlocked,
  staleForm,
  titlesOfFiles,
} from '../errors.ts';
import { guardFax, isBlockInForce } from '../guard/guard.ts';
import { editsNote, originalArtifact } from '../kept-original.ts';
import type { OutboundParts } from '../parts.ts';
import { capturePlan, routeOf, sealPlan } from '../plan/plan.ts';
import { NO_HOURS_WAIT } from '../queue/hours.ts';
import { acceptedText, planDeadline, planSending } from '../queue/send-later.ts';
import { isCall } from '../queue/together.ts';
import type { FaxNotifier } from '../record/events.ts';
import { heldByLimit } from '../record/spending.ts';
import { startHistory } from '../store/history-store.ts';
import { findJob, insertJob } from '../store/job-store.ts';
import { recordUse } from '../store/number-store.ts';
import { findRequest, insertRequest } from '../store/request-store.ts';
import { encodedArtifact } from '../transmitted-pages.ts';
import type { Actor, JobRow, Plan } from '../types.ts';
import { mayRepeat } from '../visibility.ts';
import { checkTimes, timedRow } from './accepted-times.ts';
import { type ChosenPages, choosePages, type EncodedDocument, makeEncodedPages } from './encoded-pages.ts';
import { actorFor, makerOf, senderOf } from './fax-sender.ts';
import { createKeyedMutex, documentFingerprintOf, fingerprintOf, keyRequesterOf } from './idempotency.ts';
import type { FaxSender, SendRequest } from './send-request.ts';
import { type ComposeCover, type DocumentFacts, documentNameOf, type SentDocument } from './sent-document.ts';

type Parts = Pick<
  OutboundParts,
  | 'db'
  | 'queue'
  | 'clock'
  | 'seal'
  | 'storage'
  | 'documents'
  | 'transports'
  | 'settings'
  | 'contacts'
  | 'covers'
  | 'desk'
  | 'spending'
  | 'answers'
  | 'printed'
  | 'workDirectory'
> & { readonly notifier: FaxNotifier };

/** A fax that is ready to be recorded, and how long it waits for others to its number. */
interface AcceptedFax {
  readonly row: JobRow;
  readonly plan: Plan;
  readonly minutes: number | null;
  /** Sentences of the history about answers to the guard and the form of its pages; null for none. */
  readonly note: string | null;
  /** Signatures and stamps that the sender put on its pages. */
  readonly placed: readonly PlacedSignature[];
}

/** Initial values of the columns that are filled after acceptance. */
const INITIAL_OUTCOME = {
  reconciliation_reason: null,
  error: null,
  provider_sid: null,
  pages: null,
  tried_again_as: null,
  delivered_by: null,
  decided_by_name: null,
  decided_note: null,
  ask_again_at: null,
  waits_for: null,
  held_reason: null,
  arrival_warning: null,
  arrival_proved: 0,
  over_limit: 0,
  together_at: null,
  described_at: null,
} as const;

/**
 * Accepts a fax: number, idempotency, document, and then one transaction that holds the request's key, the job with what
 * it captured, its history and the job that will dispatch it. Nothing is recorded before that.
 */
export function createAcceptance(parts: Parts): Acceptance {
  return new Acceptance(parts);
}

export type { Acceptance };

class Acceptance {
  readonly #parts: Parts;
  readonly #mutex = createKeyedMutex();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async accept(request: SendRequest): Promise<JobRow> {
    const { caller } = request;
    if (request.idempotencyKey === null || caller === null) return this.#acceptNew(request);
    return this.#mutex.run(`${keyRequesterOf(request, caller)} ${request.idempotencyKey}`, async () => {
      return (await this.#replay(request)) ?? (await this.#acceptNew(request));
    });
  }

  /** The fax that an earlier request with this key made. Throws a 409 refusal when that request was another. */
  async #replay(request: SendRequest): Promise<JobRow | null> {
    const { caller } = request;
    if (request.idempotencyKey === null || caller === null) return null;
    const { db, seal } = this.#parts;
    const before = await findRequest(db.read, seal, {
      callerId: keyRequesterOf(request, caller),
      key: request.idempotencyKey,
    });
    if (!before) return null;
    if (before.fingerprint !== fingerprint(request)) throw keyOfAnotherRequest();
    const job = await findJob(db.read, before.job_id);
    if (!job) throw noSuchFax();
    // A caller's key must not reveal what was sent beyond its reach.
    if (!request.isGatewayKey && !mayRepeat(caller, job)) throw keyOfAnotherRequest();
    const isSame =
      this.#isSameNumber(request, before, job) &&
      (await isSameDocument(request, before)) &&
      (await isSameMailbox(request, before, job));
    if (!isSame) throw keyOfAnotherRequest();
    request.onReplay?.();
    return job;
  }

  /**
   * Written in the same way it is the same, whatever the country of the installation is by now. For a fax of an earlier
   * release nothing else is, as it was.
   */
  #isSameNumber(request: SendRequest, before: FaxRequestTable, job: JobRow): boolean {
    if (request.to === before.to_text) return true;
    return job.dispatch_mode !== 'legacy' && this.#numberOf(request) === job.to_number;
  }

  #numberOf(request: SendRequest): string | null {
    return requestedNumber(request.to, this.#parts.settings.country());
  }

  async #acceptNew(request: SendRequest): Promise<JobRow> {
    const to = this.#numberOf(request);
    if (!to) throw badNumber();
    const preferences = await this.#parts.contacts.preferencesFor(to);
    if (preferences.blocked && isBlockInForce(this.#parts, request.guard)) throw numberBlocked();
    const mailboxId = await request.mailbox.resolve();
    return request.lendDocument((document) => {
      const accept = () => this.#acceptDocument(request, document, { to, mailboxId, preferences });
      if (request.guard?.mode !== 'refuse') return accept();
      // Two requests with the same document at the same moment: the second one finds the fax of the first.
      return this.#mutex.run(`guard ${to} ${document.identity.sourceDigest}`, accept);
    });
  }

  async #acceptDocument(
    request: SendRequest,
    document: SentDocument,
    fax: { to: string; mailboxId: string | null; preferences: SendingPreferences },
  ): Promise<JobRow> {
    const { titles, isTitleCountFree } = request;
    const isTitledWrongly = titles.length > 0 && titles.length !== document.fileNames.length;
    if (isTitledWrongly && !isTitleCountFree) throw titlesOfFiles();
    const { settings } = this.#parts;
    const held = settings.sendingDisabled();
    const { to, mailboxId, preferences } = fax;
    const sender = await senderOf(this.#parts, request);
    const wanted = {
      to,
      // A code proves the number only if it goes over the phone network.
      byCall: request.flags.send_by_call || request.kind === 'code',
      preferredRoute: preferences.preferredRoute,
      isTest: request.isTest,
    };
    // Planned first: without a provider no other choice in the form helps.
    const plan = await capturePlan(this.#parts, wanted, sender.header_name);
    if (request.flags.queue_only && !held) throw staleForm();
    const times = { send_at: request.sendAt, send_by: request.sendBy, send_when: request.sendWhen };
    await checkTimes(this.#parts, { to_number: to, ...times });
    const answered = await this.#guard(request, document, to);
    const cover = await this.#cover(request, { to, mailboxId, preferences });
    const id = newId();
    const { pageForm: form, isFormCopied, resendOf } = request;
    const chosen = await choosePages(this.#parts, {
      to,
      mode: preferences.encodedPages,
      plan,
      form,
      resendOf,
      isCopy: isFormCopied,
      isCode: request.kind === 'code',
    });
    const artifact = `fax/${id}.pdf`;
    const stored = await document.store(artifact, cover?.compose ?? null);
    const callSeconds = cover === null ? document.callSeconds : null;
    const encoded = await this.#encode(chosen, { id, artifact, document, stored, request, callSeconds });
    const printed = cover?.printed() ?? request.printedCover ?? null;
    const of = { document, stored, encoded, artifact, mailboxId, cover: printed };
    const facts = { id, to, held, plan, sender, ...of };
    const row = this.#rowOf(request, facts);
    const minutes = waitsForOthers(row, plan) ? preferences.togetherMinutes : null;
    const edited = editsNote(stored.edits);
    const note = [answered, edited, encoded.note].filter(Boolean).join(' ') || null;
    return this.#commit(request, document, { row, plan, minutes, note, placed: stored.placed ?? [] });
  }

  /** Chooses the cover page; null for none. What it says is known once it is composed. */
  async #cover(
    { cover: wanted, caller, about, broadcast }: SendRequest,
    fax: { to: string; mailboxId: string | null; preferences: SendingPreferences },
  ): Promise<{ compose: ComposeCover; printed: () => string | null } | null> {
    if (wanted === null || (caller === null && !broadcast)) return null;
    const sender = caller ?? broadcast?.caller ?? null;
    const { to, mailboxId, preferences } = fax;
    const { covers } = this.#parts;
    const template = await covers.choose(caller, wanted, { contactCover: preferences.coverId, mailboxId });
    if (template === null) return null;
    let printed: string | null = null;
    const compose: ComposeCover = async (pages) => {
      const composed = await covers.compose(
        sender,
        template,
        { to, mailboxId, pages, ...about },
        wanted.fields,
      );
      printed = JSON.stringify(composed.printed);
      return {
        bytes: composed.pdf,
        fileName: 'cover.pdf',
        declaredType: 'application/pdf',
        digest: sha256Hex(composed.pdf),
      };
    };
    return { compose, printed: () => printed };
  }

  /** Returns the sentence of the history on answered questions. Throws a refusal. */
  async #guard(
    { guard, caller, resendOf }: SendRequest,
    { identity }: SentDocument,
    to: string,
  ): Promise<string | null> {
    if (!guard || caller === null) return null;
    return guardFax(this.#parts, caller, { to, document: identity, resendOf, guard });
  }

  /** Removes the stored document when its encoded pages cannot be made. */
  async #encode(
    chosen: ChosenPages,
    fax: {
      id: string;
      artifact: string;
      document: SentDocument;
      stored: DocumentFacts;
      request: SendRequest;
      callSeconds: number | null;
    },
  ): Promise<EncodedDocument> {
    const { id, artifact, document, stored, request, callSeconds } = fax;
    try {
      return await makeEncodedPages(this.#parts, chosen, {
        id,
        artifact,
        fileName: documentNameOf(document.fileNames),
        pages: stored.pages,
        callSeconds,
        by: makerOf(request).created_by,
      });
    } catch (error) {
      await this.#parts.storage.remove(artifact);
      if (stored.edits) await this.#parts.storage.remove(originalArtifact(id));
      throw error;
    }
  }

  async #commit(request: SendRequest, document: SentDocument, accepted: AcceptedFax): Promise<JobRow> {
    const { row } = accepted;
    try {
      return await this.#record(request, document, accepted);
    } catch (error) {
      if (isUniqueViolation(error)) {
        await this.#removeStored(row);
        const first = await this.#replay(request);
        if (first) return first;
        throw error;
      }
      return this.#afterFailedCommit(row, error);
    }
  }

  /**
   * Checks whether a failed commit reached the disk all the same. Throws an in-doubt error when this check fails too.
   */
  async #afterFailedCommit(row: JobRow, cause: unknown): Promise<JobRow> {
    const found = await findJob(this.#parts.db.read, row.id).catch(() => null);
    if (found) return found;
    if (found === null || mayStillCommit(cause)) throw acceptanceUnknown(row.id, cause);
    await this.#removeStored(row);
    throw cause;
  }

  async #removeStored({ id, artifact, encoded_pages, page_edits }: JobRow): Promise<void> {
    await this.#parts.storage.remove(artifact ?? '');
    if (encoded_pages !== null) await this.#parts.storage.remove(encodedArtifact(id));
    if (page_edits !== null) await this.#parts.storage.remove(originalArtifact(id));
  }

  async #record(
    request: SendRequest,
    document: SentDocument,
    { row: prepared, plan, minutes, note, placed }: AcceptedFax,
  ): Promise<JobRow> {
    const { tryAgainDetails } = request;
    const { db, clock } = this.#parts;
    return db.transaction(async (tx) => {
      const timed = await timedRow(this.#parts, tx, prepared, { minutes, now: clock.now() });
      const row = await heldByLimit(this.#parts, tx, timed, plan);
      await tryAgainDetails?.linkNewFax(tx, row.id);
      await insertJob(tx, row);
      await request.broadcast?.linkNewFax(tx, row.id);
      if (request.idempotencyKey !== null)
        await insertRequest(tx, this.#parts.seal, {
          caller_id: request.caller === null ? row.created_by : keyRequesterOf(request, request.caller),
          idempotency_key: request.idempotencyKey,
          to_text: request.to,
          fingerprint: fingerprint(request),
          document_fingerprint: documentFingerprintOf(document.digests),
          preview_id: request.previewId,
          mailbox: request.mailbox.named,
          job_id: row.id,
          created_at: row.created_at,
        });
      if (row.delivery_state === 'ready') await planSending(this.#parts, tx, row, null);
      if (row.send_by !== null) await planDeadline(this.#parts, tx, row);
      const actor = actorFor(request);
      const kind = row.delivery_state === 'held' ? 'held' : 'accepted';
      const sentences = [acceptedText(this.#parts, row, actor), note, tryAgainDetails?.reason];
      const text = sentences.filter(Boolean).join(' ');
      await startHistory(tx, row.id, { kind, occurred_at: row.created_at, actor: actor.name, text });
      this.#parts.notifier.notifyChange(tx, row, { event: 'job_created', kind, actor });
      await this.#recordAnswer(tx, row, actor);
      if (request.caller !== null && request.printed !== undefined)
        await this.#parts.printed.sent(tx, request.caller, { id: row.id, printed: request.printed });
      if (request.caller !== null)
        await this.#parts.desk.signatures.recordPlaced(tx, request.caller, {
          placed,
          target: { kind: 'fax', id: row.id },
        });
      if (!request.isTest) await recordUse(tx, row.to_number, row.created_at);
      return row;
    });
  }

  async #recordAnswer(tx: WriteTx, { id, answers, delivery_state }: JobRow, by: Actor): Promise<void> {
    if (answers !== null) await this.#parts.answers.accepted(tx, { id, answers, state: delivery_state, by });
  }

  #rowOf(
    request: SendRequest,
    facts: {
      id: string;
      to: string;
      held: boolean;
      plan: Plan;
      sender: FaxSender;
      document: SentDocument;
      stored: DocumentFacts;
      encoded: EncodedDocument;
      artifact: string;
      mailboxId: string | null;
      /** JSON of the cover page; null for none. */
      cover: string | null;
    },
  ): JobRow {
    const at = isoTime(this.#parts.clock.now());
    const [first] = facts.plan.steps;
    if (!first) throw new Error('a plan has at least one step');
    return {
      id: facts.id,
      kind: request.kind,
      to_number: facts.to,
      delivery_state: facts.held ? 'held' : 'ready',
      dispatch_mode: facts.held ? 'held' : 'normal',
      delivery_version: 1,
      backend: facts.plan.backend,
      ...INITIAL_OUTCOME,
      created_at: at,
      updated_at: at,
      document_name: documentNameOf(facts.document.fileNames),
      document_media_type: facts.stored.sourceMediaType,
      document_sha256: facts.stored.sha256,
      document_size: facts.stored.sizeBytes,
      document_pages: facts.stored.pages,
      source_digest: facts.document.identity.sourceDigest,
      // A cover page was not part of the preview that was measured.
      call_seconds: request.cover !== null && facts.cover !== null ? null : facts.document.callSeconds,
      artifact: facts.artifact,
      plan: sealPlan(this.#parts.seal, facts.id, facts.plan),
      plan_steps: facts.plan.steps.length,
      account_id: first.account.id,
      ...routeOf(first),
      queue_only: request.flags.queue_only ? 1 : 0,
      send_now: request.flags.send_now ? 1 : 0,
      urgent: request.flags.urgent ? 1 : 0,
      send_by_call: request.flags.send_by_call ? 1 : 0,
      resend_of: request.resendOf,
      answers: request.answers,
      case_id: request.caseId,
      broadcast_id: request.broadcast?.id ?? null,
      packet: facts.stored.packet ? JSON.stringify(facts.stored.packet) : null,
      cover: facts.cover,
      page_edits: facts.stored.edits ? JSON.stringify(facts.stored.edits) : null,
      automatic_tries: request.tryAgainDetails?.automaticTries ?? 0,
      mailbox_id: facts.mailboxId,
      ...facts.sender,
      send_at: request.sendAt,
      send_by: request.sendBy,
      send_when: request.sendWhen,
      ...NO_HOURS_WAIT,
      clean_greys: request.cleanGreys ? 1 : 0,
      page_form: request.pageForm,
      ...facts.encoded.facts,
      titles: JSON.stringify(request.titles),
      ...request.about,
      test: request.isTest ? 1 : 0,
      search_text: withAboutText(
        searchTextOf([facts.to, ...facts.document.fileNames, ...request.titles, request.caseId ?? '']),
        request.about,
      ),
    };
  }
}

function fingerprint(request: SendRequest): string {
  return fingerprintOf({
    queueOnly: request.flags.queue_only,
    sendAt: request.sendAt,
    cleanGreys: request.cleanGreys,
    pageForm: request.pageForm,
    cover: request.cover,
    sendBy: request.sendBy,
    sendWhen: request.sendWhen,
  });
}

/**
 * Compares by preview ID first: a preview never changes its files, so the ID suffices even after the preview is gone.
 */
async function isSameDocument(request: SendRequest, before: FaxRequestTable): Promise<boolean> {
  if (request.previewId !== null && request.previewId === before.preview_id) return true;
  const digests = await request.lendDocument(async (document) => document.digests);
  return documentFingerprintOf(digests) === before.document_fingerprint;
}

/** Named in the same way it is the same, whatever the caller may send for by now. */
async function isSameMailbox(request: SendRequest, before: FaxRequestTable, job: JobRow): Promise<boolean> {
  const { named, resolve } = request.mailbox;
  return named === before.mailbox || (await resolve()) === job.mailbox_id;
}

/** Returns true when the connection to the database broke: its COMMIT may take effect after the check. */
function mayStillCommit(error: unknown): boolean {
  const code = errorCode(error);
  if (['ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code) || /^(?:08|57P)/u.test(code)) return true;
  return error instanceof Error && error.message.startsWith('Connection terminated');
}

/** Returns true for a fax that may wait for others to its number. */
function waitsForOthers(job: JobRow, { steps: [first] }: Plan): boolean {
  const isFree = job.send_now === 0 && job.urgent === 0 && job.encoded_pages === null;
  return job.delivery_state === 'ready' && isFree && first !== undefined && isCall(first);
}
