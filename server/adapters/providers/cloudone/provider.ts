import { formatMoney } from '../../../../shared/money.ts';
import {
  type FaxToSend,
  TransportError,
  type TransportReport,
} from '../../../features/outbound/transport-port.ts';
import { createHttpClient, type HttpClient } from '../../../platform/http-client.ts';
import { openMultipartBody } from '../../../platform/multipart-body.ts';
import { certainlyNotSent, documentUnreadable, failureOf, unusableAnswer } from '../failures.ts';
import type { Sender } from '../provider-port.ts';
import type { CloudoneAccount } from './account.ts';
import { successOf } from './answers.ts';
import { assertBaseUrl, call } from './call.ts';
import { reportOf } from './fax-report.ts';
import { acceptedSchema, accountSchema, faxSchema } from './wire.ts';

/** Maximum length of the header line at the provider. */
const MAX_HEADER_LENGTH = 50;

export interface CloudoneOptions {
  /** Replaces the client, e.g. for trusted roots of a test. */
  readonly httpClient?: HttpClient;
  /** Total time of one request in milliseconds, default 30 000. */
  readonly timeoutMs?: number;
}

/** Creates the provider `cloudone`. An error of `fetchReport` leaves the outcome of the fax open. */
export function createCloudone(options: CloudoneOptions = {}): Sender<CloudoneAccount> {
  const http = options.httpClient ?? createHttpClient({ timeoutMs: options.timeoutMs });
  return {
    reach: (account) => reach(http, account),
    submit: (account, request) => submit(http, account, request),
    fetchReport: (account, reference) => fetchReport(http, account, reference),
    checkAccount: (account) => checkAccount(http, account),
  };
}

async function reach(http: HttpClient, account: CloudoneAccount): Promise<void> {
  assertBaseUrl(account);
  try {
    await http.openConnection(account.baseUrl);
  } catch (error) {
    throw failureOf(account, error, certainlyNotSent);
  }
}

async function submit(http: HttpClient, account: CloudoneAccount, request: FaxToSend) {
  const body = await openBody(account, request);
  try {
    const answer = await call(http, account, { method: 'POST', path: '/faxes', body, ambiguous: 'unknown' });
    const accepted = acceptedSchema.safeParse(successOf(answer, account, 'unknown').data);
    if (!accepted.success) throw unusableAnswer(account, 'success without an id', 'unknown');
    return { reference: accepted.data.id };
  } finally {
    await body.close();
  }
}

async function openBody(account: CloudoneAccount, request: FaxToSend) {
  const fields: Array<readonly [string, string]> = [['to', request.to]];
  if (request.documentUrl !== null) fields.push(['content_url', request.documentUrl]);
  if (request.header !== null)
    fields.push(['header_text', Array.from(request.header.text).slice(0, MAX_HEADER_LENGTH).join('')]);
  if (request.callbackUrl !== null) fields.push(['callback_url', request.callbackUrl]);
  const { path, key, fileName } = request.document;
  const file = { name: 'file', path, key, fileName, contentType: 'application/pdf' };
  try {
    return await openMultipartBody(fields, request.documentUrl === null ? file : null);
  } catch (cause) {
    throw documentUnreadable(account, cause);
  }
}

async function fetchReport(
  http: HttpClient,
  account: CloudoneAccount,
  reference: string,
): Promise<TransportReport> {
  const path = `/faxes/${encodeURIComponent(reference)}`;
  const answer = await call(http, account, { method: 'GET', path, ambiguous: certainlyNotSent });
  const fax = faxSchema.safeParse(successOf(answer, account, certainlyNotSent).data);
  if (!fax.success) throw unusableAnswer(account, 'not a fax', certainlyNotSent);
  if (fax.data.id !== reference) throw unusableAnswer(account, 'another fax', certainlyNotSent);
  return reportOf(fax.data);
}

async function checkAccount(
  http: HttpClient,
  account: CloudoneAccount,
): Promise<{ ok: boolean; detail: string }> {
  try {
    const answer = await call(http, account, {
      method: 'GET',
      path: '/account/status',
      ambiguous: certainlyNotSent,
    });
    const status = accountSchema.safeParse(successOf(answer, account, certainlyNotSent).data);
    if (!status.success) throw unusableAnswer(account, 'not an account', certainlyNotSent);
    const balance = formatMoney({ amount: (status.data.balance / 100).toFixed(2), currency: 'USD' });
    return { ok: true, detail: `The fax provider accepts the key. The balance is ${balance}.` };
  } catch (error) {
    if (error instanceof TransportError) return { ok: false, detail: error.publicMessage };
    throw error;
  }
}
