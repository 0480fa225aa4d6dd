import type { ReportProblem } from '../../../../shared/report-problems.ts';
import type {
  HeadVerification,
  NotificationReading,
  NotificationRequest,
  ReceivedReport,
  RefusedNotification,
  Verification,
} from '../../../features/inbound/receiving-port.ts';
import { plainText } from '../plain-text.ts';
import { e164Of, positive, utcTime } from '../wire-values.ts';
import type { CloudoneAccount } from './account.ts';
import { readFaxForm } from './fax-form.ts';
import { isSignature, signatureOf, verifySignature } from './signature.ts';
import type { WireFax } from './wire.ts';

/** Checks the head alone. A signature covers the body, so the head shows only whether a valid one is possible. */
export function verifyHead(
  account: CloudoneAccount,
  headers: NotificationRequest['headers'],
): HeadVerification {
  if (!account.verifyNotifications) return { kind: 'hint' };
  if (!account.callbackToken) return refusedFor('no_token', 'no callback token is set');
  const signature = signatureOf((name) => headers[name]);
  if (signature === undefined) return refusedFor('no_signature', 'it has no signature');
  return isSignature(signature)
    ? { kind: 'open' }
    : refusedFor('wrong_signature', 'its signature has the wrong format');
}

/** The same signature as that of callbacks, over the address the notification was sent to. */
export function verifyNotification(account: CloudoneAccount, request: NotificationRequest): Verification {
  const head = verifyHead(account, request.headers);
  if (head.kind === 'hint' || head.kind === 'refused') return head;
  const signature = signatureOf((name) => request.headers[name]) ?? '';
  const files = request.files.map((file) => [file.name, file.sha1Hex] as const);
  const form = { fields: request.fields, files };
  return verifySignature(account.callbackToken ?? '', request.url, form, signature)
    ? { kind: 'genuine', how: 'signature', mayUseAttachment: true }
    : refusedFor('wrong_signature', 'its signature is wrong');
}

function refusedFor(problem: ReportProblem, reason: string): RefusedNotification {
  return { kind: 'refused', problem, reason, challenge: null };
}

/** Reads a notification in any of the vendor's layouts. */
export function readNotification(request: NotificationRequest): NotificationReading {
  if (request.contentType === 'json') return { kind: 'malformed', reason: 'The notification is not a form.' };
  const reading = readFaxForm(request);
  if (reading.kind === 'unreadable') return { kind: 'malformed', reason: reading.reason };
  if (reading.kind === 'inflight') return { kind: 'other', event: reading.event };
  if (reading.fax.direction !== 'received') return { kind: 'other', event: 'fax_completed' };
  const report = receivedReportOf(reading.fax, reading.isTest);
  return { kind: 'received', report, attachment: attachmentOf(request) };
}

/** v1 names the part `filename`, the others `file`. Two documents: neither, it is fetched by the fax's id. */
function attachmentOf(request: NotificationRequest): { path: string } | null {
  const [document, second] = request.files.filter(({ name }) => name === 'file' || name === 'filename');
  if (!document || second || document.sizeBytes === 0 || document.path === null) return null;
  return { path: document.path };
}

export function receivedReportOf(fax: WireFax, isTest = fax.is_test === 'true'): ReceivedReport {
  const state = stateOf(fax.status);
  return {
    providerId: fax.id,
    from: e164Of(fax.from_number),
    to: e164Of(fax.to_number),
    pages: positive(fax.num_pages),
    rawStatus: plainText(fax.status, 40),
    state,
    isTest,
    completedAt: state === 'receiving' ? null : utcTime(fax.completed_at),
  };
}

function stateOf(status: string): ReceivedReport['state'] {
  if (status === 'success') return 'complete';
  return status === 'failure' || status === 'partialsuccess' ? 'failed' : 'receiving';
}
