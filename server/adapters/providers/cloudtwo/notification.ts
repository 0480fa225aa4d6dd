import type { ReportProblem } from '../../../../shared/report-problems.ts';
import type {
  HeadVerification,
  NotificationReading,
  NotificationRequest,
  ReceivedReport,
  RefusedNotification,
  Verification,
} from '../../../features/inbound/receiving-port.ts';
import { equalInConstantTime } from '../../../platform/hash.ts';
import { plainText } from '../plain-text.ts';
import { e164Of, isRecord, parsedJson, positive } from '../wire-values.ts';
import type { CloudtwoAccount } from './account.ts';
import { directionOf } from './fax-report.ts';
import { faxSchema, timeOf, type WireFax } from './wire.ts';

/**
 * The vendor signs nothing. With user and password in the address of the webhook a notification must present them; without
 * them nothing proves where it comes from.
 */
export function verifyHead(
  { notificationBasic: basic }: CloudtwoAccount,
  headers: NotificationRequest['headers'],
): HeadVerification {
  if (basic === null) return { kind: 'hint' };
  const presented = headers['authorization'];
  if (presented === undefined) return refusedFor('no_credentials', 'it has no user and password');
  const [, encoded = ''] = /^basic ([\w+/=-]+)$/iu.exec(presented.trim()) ?? [];
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  return equalInConstantTime(pair, `${basic.user}:${basic.password}`)
    ? { kind: 'genuine' }
    : refusedFor('wrong_credentials', 'its user or password is wrong');
}

/** Refuses with a challenge: some senders of webhooks present user and password only after one. */
function refusedFor(problem: ReportProblem, reason: string): RefusedNotification {
  return { kind: 'refused', problem, reason, challenge: 'Basic realm="Faxdesk", charset="UTF-8"' };
}

/**
 * With the right user and password a notification is genuine; one about another project is looked up all the same, so that
 * its fax is not taken for ours.
 */
export function verifyNotification(account: CloudtwoAccount, request: NotificationRequest): Verification {
  const head = verifyHead(account, request.headers);
  if (head.kind === 'hint' || head.kind === 'refused') return head;
  const project = faxOf(request)?.projectId;
  if (project && project !== account.projectId) return { kind: 'hint' };
  return { kind: 'genuine', how: 'basic', mayUseAttachment: true };
}

/** Reads a notification as JSON or as a form, in which `fax` is JSON text. */
export function readNotification(request: NotificationRequest): NotificationReading {
  const event = valueOf(request, 'event');
  if (typeof event !== 'string' || event === '') return malformed('The notification has no event.');
  if (event !== 'INCOMING_FAX') return { kind: 'other', event: plainText(event, 60) };
  const fax = faxOf(request);
  if (fax === null) return malformed('The notification contains no readable fax.');
  if (directionOf(fax) === 'sent') return malformed('The notification is about a sent fax.');
  return { kind: 'received', report: receivedReportOf(fax), attachment: attachmentOf(request) };
}

function malformed(reason: string): NotificationReading {
  return { kind: 'malformed', reason };
}

function faxOf(request: NotificationRequest): WireFax | null {
  const value = valueOf(request, 'fax');
  const fax = faxSchema.safeParse(typeof value === 'string' ? parsedJson(value) : value);
  return fax.success ? fax.data : null;
}

/** A field of a form that is repeated could be read in two ways, so it is not read at all. */
function valueOf(request: NotificationRequest, name: string): unknown {
  if (request.contentType === 'json') return isRecord(request.json) ? request.json[name] : undefined;
  const [value, second] = request.fields.filter(([field]) => field === name).map(([, text]) => text);
  return second === undefined ? value : undefined;
}

/** Only a PDF is of use; anything else, or two of them, is left and the document fetched by the fax's id. */
function attachmentOf(request: NotificationRequest): { path: string } | null {
  const type = valueOf(request, 'fileType');
  if (typeof type === 'string' && type !== '' && type.toUpperCase() !== 'PDF') return null;
  const [document, second] = request.files.filter(({ name }) => name === 'file');
  if (!document || second || document.sizeBytes === 0 || document.path === null) return null;
  return { path: document.path };
}

export function receivedReportOf(fax: WireFax): ReceivedReport {
  const state = stateOf(fax.status);
  return {
    providerId: fax.id,
    from: e164Of(fax.from),
    to: e164Of(fax.to),
    pages: positive(fax.numberOfPages),
    rawStatus: plainText(fax.status ?? '', 40),
    state,
    isTest: false,
    completedAt: state === 'receiving' ? null : timeOf(fax.completedTime),
  };
}

function stateOf(status: WireFax['status']): ReceivedReport['state'] {
  if (status === 'COMPLETED') return 'complete';
  return status === 'FAILURE' ? 'failed' : 'receiving';
}
