import { rm } from 'node:fs/promises';
import type { ProviderAccount } from '../../../adapters/providers/provider-port.ts';
import { errorCode, RefusalError } from '../../../platform/errors.ts';
import { TransportError } from '../../outbound/transport-port.ts';
import { change, SYSTEM } from '../changes.ts';
import { cannotLookUp, diskFull, FULL_DISK_CODES, forged, unreadable } from '../errors.ts';
import { fetchNow } from '../fetch-queue.ts';
import type { InboundParts } from '../parts.ts';
import type { Receiver } from '../port.ts';
import type {
  NotificationReading,
  NotificationRequest,
  ReceivedReport,
  RefusedNotification,
} from '../receiving-port.ts';
import { findFax } from '../store/fax-store.ts';
import type { CheckedReport, FaxRow } from '../types.ts';
import { FULL_DISK } from './fetch.ts';
import { type KeepingParts, keepDocument, UnreadableDocumentError } from './keep-document.ts';
import { notificationCopy } from './notification-copy.ts';
import { providerReport } from './provider-report.ts';
import { type RecordParts, record } from './record.ts';
import { sourceNameOf } from './source-name.ts';

type Received = Extract<NotificationReading, { kind: 'received' }>;
type Attachment = NonNullable<Received['attachment']>;

type NotificationParts = RecordParts & KeepingParts & Pick<InboundParts, 'watch' | 'logger'>;

/** Dependencies of reading the head of a notification. */
type HeadParts = Pick<InboundParts, 'receivers' | 'reportProblems'>;

/** A notification with its files; small files stay in memory until they are needed. */
export interface Notification {
  readonly backend: string;
  readonly request: NotificationRequest;
  /** Makes sure that the file at a path of the request lies on the disk. */
  writeToDisk(path: string): Promise<void>;
}

/**
 * Checks the head of a notification before its body is read. `hint`: nothing can prove it, and the fax will be looked
 * up. `genuine`: it is proven already. `open`: the whole request decides. Throws a 401 refusal when no body could prove
 * it.
 */
export function checkHead(
  parts: HeadParts,
  backend: string,
  headers: NotificationRequest['headers'],
): 'hint' | 'open' | 'genuine' {
  const { receiver, account } = receiverOf(parts, backend);
  const verified = receiver.provider.verifyHead(account, headers);
  if (verified.kind === 'refused') throw refusal(parts, backend, verified);
  return verified.kind;
}

/** Returns the provider with the account that the settings name. Throws a 401 refusal where there is none. */
function receiverOf(parts: HeadParts, backend: string): { receiver: Receiver; account: ProviderAccount } {
  const receiver = parts.receivers[backend];
  const account = receiver?.account();
  if (!receiver || account === undefined) throw forged('there is no such provider');
  if (typeof account === 'string')
    throw refusal(parts, backend, { problem: 'no_account', reason: account, challenge: null });
  return { receiver, account };
}

/**
 * Verifies a notification and records it; nothing is recorded before. Ignores one that concerns no received fax of the
 * account. Throws refusals: 401 not genuine, 400 unreadable, 503 when it should be sent again.
 */
export async function receiveNotification(
  parts: NotificationParts,
  notification: Notification,
): Promise<void> {
  const { backend, request } = notification;
  const { receiver, account } = receiverOf(parts, backend);
  const verified = receiver.provider.verifyNotification(account, request);
  if (verified.kind === 'refused') throw refusal(parts, backend, verified);
  const reading = receiver.provider.readNotification(request);
  if (reading.kind === 'malformed') throw unreadable(reading.reason);
  if (reading.kind === 'other') return;
  const copy = notificationCopy(request);
  if (verified.kind === 'hint') {
    const report = await lookUp(parts, receiver, account, reading.report);
    if (report === null) return;
    const reported = {
      report,
      account,
      checkedBy: 'look_up',
      notification: copy,
      hasDocument: false,
    } as const;
    await recordUnlessRemoved(parts, providerReport({ ...reported, vendor: receiver.name }));
    return;
  }
  const { report, attachment } = reading;
  const hasDocument = attachment !== null;
  const reported = providerReport({
    report,
    account,
    vendor: receiver.name,
    checkedBy: verified.how,
    notification: copy,
    hasDocument,
  });
  const row = await recordUnlessRemoved(parts, reported);
  if (attachment && row) await takeAttachment(parts, notification, row, { attachment, reported });
}

/** Returns null for a fax that was removed with an archive: the provider would repeat what is refused. */
async function recordUnlessRemoved(
  parts: NotificationParts,
  reported: CheckedReport,
): Promise<FaxRow | null> {
  try {
    return await record(parts, reported);
  } catch (error) {
    if (error instanceof RefusalError && error.refusalCode === 'fax_removed') return null;
    throw error;
  }
}

/** Counts a refused notification and returns its refusal. */
function refusal(
  parts: HeadParts,
  backend: string,
  { problem, reason, challenge }: Pick<RefusedNotification, 'problem' | 'reason' | 'challenge'>,
) {
  parts.reportProblems.refused(backend, problem);
  return forged(reason, challenge);
}

/** Returns the account's report on the fax that a hint names; null when there is none, or with other numbers. */
async function lookUp(
  parts: Pick<InboundParts, 'watch' | 'logger'>,
  { backend, provider }: Receiver,
  account: ProviderAccount,
  hint: ReceivedReport,
): Promise<ReceivedReport | null> {
  const facts = { backend, provider_fax: hint.providerId };
  try {
    const report = await provider.lookUp(account, hint.providerId);
    parts.watch.recordResponse(backend);
    if (report && numbersAgree(hint.from, report.from) && numbersAgree(hint.to, report.to)) return report;
    parts.logger.info(
      { ...facts, found: report !== null },
      'ignored a notification that the account does not bear out',
    );
    return null;
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    parts.watch.recordFailure(backend, { isRefusal: error.accountProblem !== null });
    parts.logger.warn({ error, ...facts }, 'a fax that was reported could not be looked up');
    throw cannotLookUp(error);
  }
}

/** Returns true when the numbers match. A number present on only one side is no contradiction. */
function numbersAgree(hinted: string | null, found: string | null): boolean {
  return hinted === null || found === null || hinted === found;
}

/**
 * Takes the document of a genuine notification. An unreadable one is fetched instead. With a full disk the fax waits
 * and the provider is requested to notify again, because some keep no copy of what they sent along.
 */
async function takeAttachment(
  parts: NotificationParts,
  notification: Notification,
  row: FaxRow,
  { attachment, reported }: { attachment: Attachment; reported: CheckedReport },
): Promise<void> {
  const { path } = attachment;
  try {
    await notification.writeToDisk(path);
    const text = 'The document that came with the notification was checked and stored.';
    await keepDocument(parts, row.id, path, {
      text,
      actor: sourceNameOf(parts, row),
      checkedBy: reported.checkedBy,
    });
  } catch (error) {
    if (error instanceof UnreadableDocumentError) {
      parts.logger.warn({ error, fax_id: row.id }, 'an attached document is no readable PDF; it is fetched');
      await parts.db.transaction((tx) => fetchNow(parts, tx, row.id));
    } else if (FULL_DISK_CODES.includes(errorCode(error))) {
      parts.logger.error({ error, fax_id: row.id }, 'the disk is full; a received document was not stored');
      await recordProblem(parts, row.id, FULL_DISK);
      throw diskFull(error);
    } else throw error;
  } finally {
    await rm(path, { force: true });
  }
}

/** Records the reason why a fax still waits. When the store cannot record it either, the log does. */
async function recordProblem(parts: NotificationParts, faxId: string, sentence: string): Promise<void> {
  try {
    await parts.db.transaction(async (tx) => {
      const row = await findFax(tx, faxId);
      if (row?.status !== 'waiting' || row.problem === sentence) return;
      const recorded = { kind: 'attempt', actor: SYSTEM, text: sentence } as const;
      await change(parts, tx, row, { problem: sentence }, recorded);
    });
  } catch (error) {
    parts.logger.error({ error, fax_id: faxId }, 'the problem of a received fax could not be recorded');
  }
}
