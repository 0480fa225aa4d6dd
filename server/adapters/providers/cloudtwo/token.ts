import { z } from 'zod';
import type { Clock } from '../../../platform/clock.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import type { HttpAnswer, HttpBody, HttpClient } from '../../../platform/http-client.ts';
import {
  brokenAnswer,
  certainlyNotSent,
  failureOf,
  rateLimited,
  refused,
  unusableAnswer,
} from '../failures.ts';
import { parsedJson } from '../wire-values.ts';
import { type CloudtwoAccount, tokenEndpoint } from './account.ts';

/** A token is not used in the last minute of its life: a request may take half of it. */
const marginMs = 60_000;
/** Without a word about its life a token is taken to live this long. */
const defaultLifeMs = 5 * 60_000;
/** The endpoint lets bursts of 30 through and refills 10 a second, so a short random wait is enough. */
const retryDelaysMs = [1000, 4000, 16_000] as const;
/** One for each account in use: the present one, and those of faxes still under way. */
const maxCached = 20;
const maxTokenAnswerBytes = 64 * 1024;

const tokenSchema = z.object({
  access_token: z.string().regex(/^[\w.~+/-]+=*$/u),
  expires_in: z.coerce.number().positive().optional().catch(undefined),
});

/** Tokens by account, in memory; requests that need the same one at the same time share its request. */
export interface Tokens {
  /** The value of `authorization`. Throws TransportError: nothing of the actual request was sent. */
  authorization(account: CloudtwoAccount): Promise<string>;
  /** Forgets a token that was refused, unless another has taken its place. */
  drop(account: CloudtwoAccount, authorization: string): void;
}

interface CachedToken {
  readonly authorization: string;
  readonly usableUntil: number;
}

export function createTokens(parts: {
  http: HttpClient;
  clock: Clock;
  /** Waits for so many milliseconds. */
  pause: (ms: number) => Promise<void>;
}): Tokens {
  const { clock } = parts;
  const cached = new Map<string, CachedToken>();
  const underWay = new Map<string, Promise<CachedToken>>();

  async function renewed(account: CloudtwoAccount, key: string): Promise<CachedToken> {
    const asked = clock.now();
    const token = await requestToken(parts, account);
    const life = token.expires_in === undefined ? defaultLifeMs : token.expires_in * 1000;
    const fresh = { authorization: `Bearer ${token.access_token}`, usableUntil: asked + life - marginMs };
    if (cached.size >= maxCached) cached.clear();
    cached.set(key, fresh);
    return fresh;
  }

  return {
    async authorization(account) {
      const key = keyOf(account);
      const known = cached.get(key);
      if (known && clock.now() < known.usableUntil) return known.authorization;
      const pending = underWay.get(key) ?? renewed(account, key).finally(() => underWay.delete(key));
      underWay.set(key, pending);
      return (await pending).authorization;
    },
    drop(account, authorization) {
      const key = keyOf(account);
      if (cached.get(key)?.authorization === authorization) cached.delete(key);
    },
  };
}

function keyOf(account: CloudtwoAccount): string {
  return sha256Hex(JSON.stringify([account.baseUrl, account.apiKey, account.apiSecret]));
}

async function requestToken(
  { http, pause }: { http: HttpClient; pause: (ms: number) => Promise<void> },
  account: CloudtwoAccount,
): Promise<z.infer<typeof tokenSchema>> {
  for (const wait of [...retryDelaysMs, null]) {
    const answer = await postTokenRequest(http, account);
    if (answer.status !== 429) return tokenOf(answer, account);
    if (wait === null) throw rateLimited(account, answer);
    await pause(Math.random() * wait);
  }
  throw new Error('the last try has no wait after it');
}

async function postTokenRequest(http: HttpClient, account: CloudtwoAccount): Promise<HttpAnswer> {
  try {
    return await http.request({
      method: 'POST',
      url: tokenEndpoint(account),
      headers: { accept: 'application/json', authorization: basicAuthorization(account) },
      body: formBody('grant_type=client_credentials'),
      maxAnswerBytes: maxTokenAnswerBytes,
    });
  } catch (error) {
    throw failureOf(account, error, certainlyNotSent);
  }
}

function tokenOf(answer: HttpAnswer, account: CloudtwoAccount): z.infer<typeof tokenSchema> {
  const { status } = answer;
  const token = tokenSchema.safeParse(parsedJson(answer.body.toString('utf8')));
  if (status === 200 && token.success) return token.data;
  if (status === 400 || status === 401 || status === 403)
    throw refused(account, status, 'The fax provider refused the API key or secret.', '');
  if (status >= 500) throw brokenAnswer(account, status, certainlyNotSent);
  throw unusableAnswer(account, `status ${status} for a token`, certainlyNotSent);
}

export function basicAuthorization(account: CloudtwoAccount): string {
  return `Basic ${Buffer.from(`${account.apiKey}:${account.apiSecret}`).toString('base64')}`;
}

function formBody(text: string): HttpBody {
  const bytes = Buffer.from(text);
  return {
    contentType: 'application/x-www-form-urlencoded',
    contentLength: bytes.length,
    async *chunks() {
      yield bytes;
    },
  };
}
