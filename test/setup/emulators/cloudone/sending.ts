import type { Answer } from '../answer.ts';
import { type ReceivedRequest, valueOf, valuesOf } from '../request-reading.ts';
import type { AccountState } from './account-state.ts';
import { refusal, success } from './answer.ts';
import { type EmulatedFax, queuedRecipient } from './fax-record.ts';

/** Answers POST /faxes: sends a fax, or receives a test fax. */
export function postFax(state: AccountState, request: ReceivedRequest, isTest: boolean): Answer {
  if (valueOf(request, 'direction') === 'received') return testReceive(state, request, isTest);
  const problem = sendingProblem(request, isTest);
  if (problem !== null) return refusal(422, problem);
  const files = filesOf(request);
  const fax = storeFax(state, {
    direction: 'sent',
    isTest,
    tags: tagsOf(request),
    callerId: valueOf(request, 'caller_id'),
    recipients: valuesOf(request, 'to').map(queuedRecipient),
    document: files[0]?.bytes ?? null,
    contentUrls: valuesOf(request, 'content_url'),
    headerText: valueOf(request, 'header_text') ?? '-',
    callbackUrl: valueOf(request, 'callback_url'),
    testFail: valueOf(request, 'test_fail'),
    status: valueOf(request, 'batch_delay') === null ? 'queued' : 'pendingbatch',
  });
  return success('Fax queued for sending', { data: { id: fax.id } });
}

function sendingProblem(request: ReceivedRequest, isTest: boolean): string | null {
  const receivers = valuesOf(request, 'to');
  const delay = valueOf(request, 'batch_delay');
  if (receivers.length === 0) return 'You must specify at least one phone number to fax to.';
  if (!receivers.every((to) => /^\+[1-9]\d{6,14}$/u.test(to))) return 'A phone number is not valid.';
  const documents = filesOf(request).length + valuesOf(request, 'content_url').length;
  if (documents === 0) return 'You must supply a file or a content_url.';
  if ((valueOf(request, 'header_text') ?? '').length > 50) return 'header_text is too long.';
  if (delay !== null && !(Number(delay) <= 3600)) return 'batch_delay is not valid.';
  if (Object.keys(tagsOf(request)).length > 10) return 'Too many tags.';
  if (valueOf(request, 'test_fail') !== null && !isTest) return 'test_fail needs test credentials.';
  return null;
}

function testReceive(state: AccountState, request: ReceivedRequest, isTest: boolean): Answer {
  const file = filesOf(request)[0];
  if (!isTest) return refusal(403, 'Receiving a test fax needs test credentials.');
  if (file === undefined) return refusal(422, 'You must supply a file.');
  const from = valueOf(request, 'from_number') ?? '+18773346654';
  const to = valueOf(request, 'to_number') ?? '+18773346654';
  receiveFax(state, { from, to, document: file.bytes, isTest: true });
  return success(`Test fax received from ${from} to ${to}.  Calling back now...`);
}

export interface ReceivedFax {
  readonly from: string | null;
  readonly to: string | null;
  /** Null until the document is added to the fax later. */
  readonly document: Buffer | null;
  readonly pages?: number;
  readonly isTest?: boolean;
  /** `success` when left out; the fax is complete with `success` and `failure` only. */
  readonly status?: string;
}

/** Stores a fax as received; finished and successful by default. */
export function receiveFax(state: AccountState, received: ReceivedFax): EmulatedFax {
  const { pages = 1, status = 'success' } = received;
  return storeFax(state, {
    direction: 'received',
    isTest: received.isTest ?? false,
    fromNumber: received.from,
    toNumber: received.to,
    document: received.document,
    status,
    completedAt: status === 'success' || status === 'failure' ? state.now() : null,
    pages,
    cost: 7 * pages,
  });
}

/** Stores a fax under the next id. Fields that are left out have the values of a queued fax. */
export function storeFax(state: AccountState, given: Partial<EmulatedFax>): EmulatedFax {
  const fax: EmulatedFax = {
    direction: 'sent',
    status: 'queued',
    isTest: false,
    completedAt: null,
    pages: 0,
    cost: 0,
    tags: {},
    callerId: null,
    fromNumber: null,
    toNumber: null,
    recipients: [],
    errorId: null,
    errorType: null,
    errorMessage: null,
    document: null,
    contentUrls: [],
    headerText: '-',
    callbackUrl: null,
    testFail: null,
    resendOf: null,
    ...given,
    id: state.nextFaxId,
    createdAt: state.now(),
  };
  state.nextFaxId += 2;
  state.faxes.set(String(fax.id), fax);
  return fax;
}

/** Lists the uploaded files; the vendor also treats parts without a file name as fields. */
function filesOf(request: ReceivedRequest) {
  return request.files.filter((file) => /^file(?:\[\])?$/u.test(file.name) && file.fileName !== '');
}

function tagsOf(request: ReceivedRequest): Record<string, string> {
  const tags = request.fields.flatMap(([name, value]) => {
    const tag = /^tag\[(.+)\]$/u.exec(name)?.[1];
    return tag === undefined ? [] : [[tag, value] as const];
  });
  return Object.fromEntries(tags);
}
