import type { Certainty } from '../../../features/outbound/transport-port.ts';
import type { HttpAnswer, HttpClient, HttpRequest } from '../../../platform/http-client.ts';
import { addressRefused, failureOf, maxAnswerBytes } from '../failures.ts';
import { type CloudoneAccount, checkBaseUrl, endpoint } from './account.ts';

interface Call {
  readonly method: HttpRequest['method'];
  /** Below the account's address, with its query. */
  readonly path: string;
  readonly body?: HttpRequest['body'];
  /** Certainty of an answer that does not show whether the request was carried out. */
  readonly ambiguous: Certainty;
  /** Default 256 KiB. */
  readonly maxAnswerBytes?: number;
}

/** One request, never repeated. Any status is an answer; throws TransportError when none came. */
export async function call(http: HttpClient, account: CloudoneAccount, what: Call): Promise<HttpAnswer> {
  try {
    return await http.request({
      ...requestOf(account, what.path, 'application/json'),
      method: what.method,
      body: what.body,
      maxAnswerBytes: what.maxAnswerBytes ?? maxAnswerBytes,
    });
  } catch (error) {
    throw failureOf(account, error, what.ambiguous);
  }
}

/** Address and headers with the account's credentials. Throws TransportError for an address that does not qualify. */
export function requestOf(account: CloudoneAccount, path: string, accept: string) {
  assertBaseUrl(account);
  const credentials = Buffer.from(`${account.apiKey}:${account.apiSecret}`).toString('base64');
  return {
    url: endpoint(account.baseUrl, path),
    headers: { accept, authorization: `Basic ${credentials}` },
  };
}

/** Throws TransportError for an address that does not qualify. */
export function assertBaseUrl(account: CloudoneAccount): void {
  const problem = checkBaseUrl(account.baseUrl);
  if (problem !== null) throw addressRefused(account, problem);
}
