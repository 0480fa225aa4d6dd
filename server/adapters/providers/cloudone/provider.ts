import {
  createHttpClient,
  type HttpAnswer,
  type HttpClient,
  HttpFailure,
  type HttpRequest,
} from '../../../platform/http-client.ts';
import { openMultipartBody } from '../../../platform/multipart-body.ts';
import {
  type Certainty,
  type CloudProvider,
  type ProviderAccount,
  ProviderError,
  type ProviderReport,
  type SubmitRequest,
} from '../port.ts';
import { checkBaseUrl, endpoint } from './account.ts';
import { dataOf, failureOf, unusableAnswer } from './answers.ts';
import { readCallback } from './callback.ts';
import { reportOf } from './fax-report.ts';
import { signatureHeaders, verifySignature } from './signature.ts';
import { acceptedSchema, accountSchema, faxSchema } from './wire.ts';

/** An answer about one fax is a few kilobytes; more is not the provider speaking. */
const maxAnswerBytes = 256 * 1024;

/** Tried on questions: repeating them is harmless, so nothing about them is ambiguous. */
const harmless: Certainty = 'not_accepted';

export interface CloudoneOptions {
  /** Replaces the client, e.g. for trusted roots of a test. */
  readonly httpClient?: HttpClient;
  /** Total time of one request in milliseconds, default 30 000. */
  readonly timeoutMs?: number;
}

/** The provider `cloudone`. A question that fails (fetchReport) says nothing about the fax itself. */
export function createCloudone(options: CloudoneOptions = {}): CloudProvider {
  const http = options.httpClient ?? createHttpClient({ timeoutMs: options.timeoutMs });
  return {
    backend: 'cloudone',
    displayName: 'Phaxio',
    signatureHeaders,
    reach: (account) => reach(http, account),
    submit: (account, request) => submit(http, account, request),
    fetchReport: (account, providerId) => fetchReport(http, account, providerId),
    checkAccount: (account) => checkAccount(http, account),
    verifyCallback: verifySignature,
    readCallback,
  };
}

async function reach(http: HttpClient, account: ProviderAccount): Promise<void> {
  assertBaseUrl(account);
  try {
    await http.openConnection(account.baseUrl);
  } catch (error) {
    throw providerError(error, harmless);
  }
}

async function submit(http: HttpClient, account: ProviderAccount, request: SubmitRequest) {
  const body = await openBody(request);
  try {
    const answer = await call(http, account, { method: 'POST', path: '/faxes', body, ambiguous: 'unknown' });
    const accepted = acceptedSchema.safeParse(dataOf(answer, account, 'unknown'));
    if (!accepted.success) throw unusableAnswer('success without an id', 'unknown');
    return { providerId: accepted.data.id };
  } finally {
    await body.close();
  }
}

async function openBody(request: SubmitRequest) {
  const fields: Array<readonly [string, string]> = [['to', request.to]];
  if (request.documentUrl !== null) fields.push(['content_url', request.documentUrl]);
  fields.push(['header_text', Array.from(request.headerText).slice(0, 50).join('')]);
  if (request.callbackUrl !== null) fields.push(['callback_url', request.callbackUrl]);
  const { path, fileName } = request.document;
  const file = { name: 'file', path, fileName, contentType: 'application/pdf' };
  try {
    return await openMultipartBody(fields, request.documentUrl === null ? file : null);
  } catch (cause) {
    throw new ProviderError('cloudone: the document could not be opened', {
      certainty: 'not_accepted',
      category: 'provider_unavailable',
      publicMessage: 'The prepared document could not be read; nothing was sent.',
      cause,
    });
  }
}

async function fetchReport(
  http: HttpClient,
  account: ProviderAccount,
  providerId: string,
): Promise<ProviderReport> {
  const path = `/faxes/${encodeURIComponent(providerId)}`;
  const answer = await call(http, account, { method: 'GET', path, ambiguous: harmless });
  const fax = faxSchema.safeParse(dataOf(answer, account, harmless));
  if (!fax.success) throw unusableAnswer('not a fax', harmless);
  if (fax.data.id !== providerId) throw unusableAnswer('another fax', harmless);
  return reportOf(fax.data);
}

async function checkAccount(
  http: HttpClient,
  account: ProviderAccount,
): Promise<{ ok: boolean; detail: string }> {
  try {
    const answer = await call(http, account, { method: 'GET', path: '/account/status', ambiguous: harmless });
    const status = accountSchema.safeParse(dataOf(answer, account, harmless));
    if (!status.success) throw unusableAnswer('not an account', harmless);
    const balance = (status.data.balance / 100).toFixed(2);
    return { ok: true, detail: `The fax provider accepts the key. The balance is ${balance} USD.` };
  } catch (error) {
    if (error instanceof ProviderError) return { ok: false, detail: error.publicMessage };
    throw error;
  }
}

type Call = { method: HttpRequest['method']; path: string; body?: HttpRequest['body']; ambiguous: Certainty };

async function call(http: HttpClient, account: ProviderAccount, what: Call): Promise<HttpAnswer> {
  assertBaseUrl(account);
  const credentials = Buffer.from(`${account.apiKey}:${account.apiSecret}`).toString('base64');
  try {
    return await http.request({
      method: what.method,
      url: endpoint(account.baseUrl, what.path),
      headers: { accept: 'application/json', authorization: `Basic ${credentials}` },
      body: what.body,
      maxAnswerBytes,
    });
  } catch (error) {
    throw providerError(error, what.ambiguous);
  }
}

function providerError(error: unknown, ambiguous: Certainty): unknown {
  return error instanceof HttpFailure ? failureOf(error, ambiguous) : error;
}

/** Nothing, and above all no key, leaves for an address that does not qualify. */
function assertBaseUrl(account: ProviderAccount): void {
  const problem = checkBaseUrl(account.baseUrl);
  if (problem === null) return;
  throw new ProviderError('cloudone: base address refused', {
    certainty: 'not_accepted',
    category: 'provider_unavailable',
    publicMessage: problem,
  });
}
