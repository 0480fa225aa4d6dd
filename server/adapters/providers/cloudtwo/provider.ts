import {
  type FaxToSend,
  TransportError,
  type TransportReport,
} from '../../../features/outbound/transport-port.ts';
import type { HttpBody } from '../../../platform/http-client.ts';
import { openMultipartBody } from '../../../platform/multipart-body.ts';
import { certainlyNotSent, documentUnreadable, failureOf, unusableAnswer } from '../failures.ts';
import { plainText } from '../plain-text.ts';
import type { Sender } from '../provider-port.ts';
import type { CloudtwoAccount } from './account.ts';
import { successOf } from './answers.ts';
import { assertBaseUrl, type Caller, createCaller } from './call.ts';
import { reportOf } from './fax-report.ts';
import { findSent } from './find-sent.ts';
import { acceptedFaxOf, faxSchema, listSchema, servicesSchema } from './wire.ts';

/** The provider `cloudtwo`. A question that fails (fetchReport) says nothing about the fax itself. */
export function createCloudtwo(caller: Caller = createCaller()): Sender<CloudtwoAccount> {
  return {
    reach: (account) => reach(caller, account),
    submit: (account, request) => submit(caller, account, request),
    fetchReport: (account, reference) => fetchReport(caller, account, reference),
    checkAccount: (account) => checkAccount(caller, account),
    findSent: (account, search) => findSent(caller, account, search),
  };
}

/**
 * Fetches a token first, since nothing can be submitted without one; a refused key is reported by the submission
 * itself.
 */
async function reach({ http, tokens }: Caller, account: CloudtwoAccount): Promise<void> {
  assertBaseUrl(account);
  try {
    await http.openConnection(account.baseUrl);
  } catch (error) {
    throw failureOf(account, error, certainlyNotSent);
  }
  if (account.signIn !== 'oauth2') return;
  await tokens.authorization(account).catch((error: unknown) => {
    if (!(error instanceof TransportError) || error.category !== 'refused') throw error;
  });
}

async function submit(caller: Caller, account: CloudtwoAccount, request: FaxToSend) {
  const body = await openBody(account, request);
  try {
    const what = { method: 'POST', path: '/faxes', body, ambiguous: 'unknown' } as const;
    const fax = acceptedFaxOf(successOf(await caller.call(account, what), account, 'unknown'));
    if (fax === null) throw unusableAnswer(account, 'success without an id', 'unknown');
    return { reference: fax.id };
  } finally {
    await body.close();
  }
}

/** The gateway decides about repetition, so the provider makes one call only. */
function fieldsOf(request: FaxToSend): Array<readonly [string, string]> {
  const fields: Array<readonly [string, string]> = [
    ['to', request.to],
    ['maxRetries', '0'],
    // As the preview draws the pages.
    ['resolution', 'FINE'],
  ];
  if (request.header !== null) {
    const { text, timeZone } = request.header;
    fields.push(
      ['headerText', Array.from(text).slice(0, 50).join('')],
      ['headerPageNumbers', 'true'],
      ['headerTimeZone', timeZone],
    );
  }
  if (request.callbackUrl !== null)
    fields.push(['callbackUrl', request.callbackUrl], ['callbackUrlContentType', 'application/json']);
  if (request.documentUrl !== null) fields.push(['contentUrl', request.documentUrl]);
  return fields;
}

async function openBody(
  account: CloudtwoAccount,
  request: FaxToSend,
): Promise<HttpBody & { close(): Promise<void> }> {
  const { path, key, fileName } = request.document;
  const file = { name: 'file', path, key, fileName, contentType: 'application/pdf' };
  try {
    return await openMultipartBody(fieldsOf(request), request.documentUrl === null ? file : null);
  } catch (cause) {
    throw documentUnreadable(account, cause);
  }
}

async function fetchReport(
  caller: Caller,
  account: CloudtwoAccount,
  reference: string,
): Promise<TransportReport> {
  const path = `/faxes/${encodeURIComponent(reference)}`;
  const answer = await caller.call(account, { method: 'GET', path, ambiguous: certainlyNotSent });
  const fax = faxSchema.safeParse(successOf(answer, account, certainlyNotSent));
  if (!fax.success) throw unusableAnswer(account, 'not a fax', certainlyNotSent);
  if (fax.data.id !== reference) throw unusableAnswer(account, 'another fax', certainlyNotSent);
  return reportOf(fax.data);
}

async function checkAccount(
  caller: Caller,
  account: CloudtwoAccount,
): Promise<{ ok: boolean; detail: string }> {
  try {
    const path = '/faxes?pageSize=1';
    const answer = await caller.call(account, { method: 'GET', path, ambiguous: certainlyNotSent });
    if (!listSchema.safeParse(successOf(answer, account, certainlyNotSent)).success)
      throw unusableAnswer(account, 'not a list', certainlyNotSent);
    const detail = `The fax provider accepts the key for this project.${await storageNote(caller, account)}`;
    return { ok: true, detail };
  } catch (error) {
    if (error instanceof TransportError) return { ok: false, detail: error.publicMessage };
    throw error;
  }
}

/** A service that keeps no received documents hands them over once, with the notification. */
async function storageNote(caller: Caller, account: CloudtwoAccount): Promise<string> {
  const answer = await caller.call(account, {
    method: 'GET',
    path: '/services',
    ambiguous: certainlyNotSent,
  });
  if (answer.status !== 200) return '';
  const found = servicesSchema.safeParse(successOf(answer, account, certainlyNotSent)).data?.services ?? [];
  const names = found
    .filter((service) => service.saveInboundFaxDocuments === false)
    .map((service) => plainText(service.name ?? service.id ?? '', 60));
  if (names.length === 0) return '';
  return ` The service “${names.join('”, “')}” does not store received documents: they arrive only with the notification, which must be verified by user name and password.`;
}
