import type { Certainty } from '../../../features/outbound/transport-port.ts';
import { type Clock, systemClock } from '../../../platform/clock.ts';
import {
  createHttpClient,
  type HttpAnswer,
  type HttpClient,
  type HttpDownload,
  type HttpDownloadAnswer,
  type HttpRequest,
} from '../../../platform/http-client.ts';
import { addressRefused, failureOf, maxAnswerBytes } from '../failures.ts';
import { type CloudtwoAccount, checkCloudtwoUrl, endpoint } from './account.ts';
import { basicAuthorization, createTokens, type Tokens } from './token.ts';

interface CallerOptions {
  /** Replaces the client, e.g. for trusted roots of a test. */
  readonly httpClient?: HttpClient;
  /** Total time of one request in milliseconds, default 30 000. */
  readonly timeoutMs?: number;
  /** Measures the life of a token; default the clock of the computer. */
  readonly clock?: Clock;
  /** Waits for so many milliseconds when the token endpoint asks for a pause. */
  readonly pause?: (ms: number) => Promise<void>;
}

interface Call {
  readonly method: HttpRequest['method'];
  /** Below the project, with its query. */
  readonly path: string;
  readonly body?: HttpRequest['body'];
  /** Certainty of an answer that does not show whether the request was carried out. */
  readonly ambiguous: Certainty;
  /** Default 256 KiB. */
  readonly maxAnswerBytes?: number;
}

/** Requests with the account's credentials, to its own host only. Sending and receiving share one, for its tokens. */
export interface Caller {
  readonly http: HttpClient;
  readonly tokens: Tokens;
  /** Any status is an answer. Throws TransportError. */
  call(account: CloudtwoAccount, what: Call): Promise<HttpAnswer>;
  /** Throws HttpFailure, and TransportError when no token could be had. */
  download(account: CloudtwoAccount, download: HttpDownload): Promise<HttpDownloadAnswer>;
}

export function createCaller(options: CallerOptions = {}): Caller {
  const http = options.httpClient ?? createHttpClient({ timeoutMs: options.timeoutMs });
  const tokens = createTokens({
    http,
    clock: options.clock ?? systemClock,
    pause: options.pause ?? sleep,
  });
  return {
    http,
    tokens,
    call: (account, what) => call(http, tokens, account, what),
    download: (account, download) =>
      authorized(tokens, account, (authorization) =>
        http.download({ ...download, headers: { ...download.headers, authorization } }),
      ),
  };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

async function call(
  http: HttpClient,
  tokens: Tokens,
  account: CloudtwoAccount,
  what: Call,
): Promise<HttpAnswer> {
  assertBaseUrl(account);
  return authorized(tokens, account, async (authorization) => {
    try {
      return await http.request({
        method: what.method,
        url: endpoint(account, what.path),
        headers: { accept: 'application/json', authorization },
        body: what.body,
        maxAnswerBytes: what.maxAnswerBytes ?? maxAnswerBytes,
      });
    } catch (error) {
      throw failureOf(account, error, what.ambiguous);
    }
  });
}

/**
 * Performs a request, and repeats it once when its token expired on the way: in that case the host confirmed that it
 * did nothing. Any other refused token is dropped for the next request, and nothing is repeated.
 */
async function authorized<T extends Pick<HttpAnswer, 'status' | 'headers'>>(
  tokens: Tokens,
  account: CloudtwoAccount,
  perform: (authorization: string) => Promise<T>,
): Promise<T> {
  if (account.signIn !== 'oauth2') return perform(basicAuthorization(account));
  const authorization = await tokens.authorization(account);
  const answer = await perform(authorization);
  if (answer.status !== 401) return answer;
  tokens.drop(account, authorization);
  if (!(answer.headers['www-authenticate'] ?? '').includes('expired')) return answer;
  return perform(await tokens.authorization(account));
}

/** Throws TransportError for an address that does not qualify. */
export function assertBaseUrl(account: CloudtwoAccount): void {
  const problem = checkCloudtwoUrl(account.baseUrl);
  if (problem !== null) throw addressRefused(account, problem);
}
