import { type Answer, pdf } from '../answer.ts';
import { type ReceivedRequest, valueOf } from '../request-reading.ts';
import type { AccountState } from './account-state.ts';
import { pagedList, refusal, success } from './answer.ts';
import { applyOutcome, type EmulatedFax, faxObject, queuedRecipient } from './fax-record.ts';
import { postFax, storeFax } from './sending.ts';

/** Routes below /faxes, or null when there is none. */
export function answerFaxes(state: AccountState, request: ReceivedRequest, isTest: boolean): Answer | null {
  if (request.path === '/faxes') {
    if (request.method === 'POST') return postFax(state, request, isTest);
    return request.method === 'GET' ? listFaxes(state, request.query) : null;
  }
  const [, id = '', action = ''] = /^\/faxes\/(\d+)(?:\/(file|cancel|resend))?$/u.exec(request.path) ?? [];
  if (id === '') return null;
  const fax = state.faxes.get(id);
  if (fax === undefined) return refusal(404, 'Fax not found.');
  switch (`${request.method} ${action}`) {
    case 'GET ':
      return success('Metadata for fax', { data: faxObject(fax) });
    case 'GET file':
      return fileAnswer(fax, request.query.get('thumbnail'));
    case 'POST cancel':
      return cancelFax(state, fax);
    case 'POST resend':
      return resendFax(state, fax, valueOf(request, 'callback_url'));
    case 'DELETE ':
      return deleteFax(state, fax);
    case 'DELETE file':
      fax.document = null;
      return success('Deleted files successfully!');
    default:
      return null;
  }
}

function listFaxes(state: AccountState, query: URLSearchParams): Answer {
  const before = timeOf(query.get('created_before')) ?? state.now();
  const after = timeOf(query.get('created_after')) ?? state.now() - 7 * 86_400_000;
  const tags = [...query].filter(([name]) => name.startsWith('tag['));
  const wanted = (fax: EmulatedFax) =>
    fax.createdAt <= before &&
    fax.createdAt >= after &&
    matches(query.get('direction'), [fax.direction]) &&
    matches(query.get('status'), [fax.status]) &&
    matches(query.get('phone_number'), numbersOf(fax)) &&
    tags.every(([name, value]) => fax.tags[name.slice(4, -1)] === value);
  const newestFirst = [...state.faxes.values()]
    .filter(wanted)
    .sort((a, b) => b.createdAt - a.createdAt || b.id - a.id);
  return pagedList('Retrieved faxes successfully', newestFirst.map(faxObject), query);
}

function timeOf(text: string | null): number | null {
  if (text === null || text === '') return null;
  const zoned = /(?:z|[+-]\d\d:?\d\d)$/iu.test(text) ? text : `${text}Z`;
  return Date.parse(zoned);
}

function matches(wanted: string | null, values: ReadonlyArray<string | null>): boolean {
  return wanted === null || wanted === '' || values.includes(wanted);
}

function numbersOf(fax: EmulatedFax): Array<string | null> {
  return [fax.fromNumber, fax.toNumber, ...fax.recipients.map((recipient) => recipient.phone_number)];
}

function fileAnswer(fax: EmulatedFax, thumbnail: string | null): Answer {
  if (fax.document === null) return refusal(404, 'There is no file for this fax.');
  if (thumbnail === 's' || thumbnail === 'l') {
    return { status: 200, body: thumbnailJpeg, headers: { 'content-type': 'image/jpeg' } };
  }
  return pdf(fax.document, `fax-${fax.id}.pdf`);
}

function cancelFax(state: AccountState, fax: EmulatedFax): Answer {
  if (fax.completedAt !== null) return refusal(422, 'The fax is already complete.');
  const error = { errorId: 75, errorType: 'faxError', errorMessage: 'Fax cancelled by user' };
  applyOutcome(fax, { status: 'failure', ...error }, state.now());
  return success('Fax cancellation scheduled successfully.', { data: { id: fax.id } });
}

function resendFax(state: AccountState, fax: EmulatedFax, callbackUrl: string | null): Answer {
  if (fax.direction !== 'sent') return refusal(422, 'Only sent faxes can be sent again.');
  const again = storeFax(state, {
    ...fax,
    status: 'queued',
    completedAt: null,
    pages: 0,
    cost: 0,
    errorId: null,
    errorType: null,
    errorMessage: null,
    recipients: fax.recipients.map((recipient) => queuedRecipient(recipient.phone_number)),
    callbackUrl: callbackUrl ?? fax.callbackUrl,
    resendOf: fax.id,
  });
  return success('Fax queued for resending', { data: { id: again.id } });
}

function deleteFax(state: AccountState, fax: EmulatedFax): Answer {
  if (!fax.isTest) return refusal(403, 'Only test faxes can be deleted.');
  state.faxes.delete(String(fax.id));
  return success('Deleted fax successfully!');
}

/** A white JPEG of one pixel. */
const thumbnailJpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQ' +
    'Ew8QEBD/yQALCAABAAEBAREA/8wABgAQEAX/2gAIAQEAAD8A0s8g/9k=',
  'base64',
);
