import { randomBytes } from 'node:crypto';
import { type Answer, json } from '../answer.ts';
import { type ReceivedRequest, valueOf } from '../request-reading.ts';
import { refusal, unauthorized } from './answer.ts';

interface TokenIssuerOptions {
  /** `key:secret`. */
  readonly credentials: string;
  readonly lifeSeconds: number;
  now(): number;
}

/** Exchanges the key for tokens and keeps those that are valid. */
export class TokenIssuer {
  readonly #options: TokenIssuerOptions;
  readonly #expiries = new Map<string, number>();

  constructor(options: TokenIssuerOptions) {
    this.#options = options;
  }

  /** POST /oauth2/token. */
  answer(request: ReceivedRequest): Answer {
    if (request.method !== 'POST') return refusal(404, 'There is no such resource.');
    if (!this.isKey(request)) return unauthorized('Basic');
    if (valueOf(request, 'grant_type') !== 'client_credentials')
      return json(400, { error: 'unsupported_grant_type' });
    const { lifeSeconds } = this.#options;
    const expiresAt = this.#options.now() + lifeSeconds * 1000;
    const token = webToken({ exp: Math.floor(expiresAt / 1000) });
    this.#expiries.set(token, expiresAt);
    return json(200, { access_token: token, expires_in: lifeSeconds - 1, scope: '', token_type: 'bearer' });
  }

  isKey(request: ReceivedRequest): boolean {
    const basic = /^Basic (.+)$/u.exec(request.headers.authorization ?? '')?.[1] ?? '';
    return Buffer.from(basic, 'base64').toString() === this.#options.credentials;
  }

  /** Null: no token of ours. */
  stateOf(request: ReceivedRequest): 'alive' | 'expired' | null {
    const token = /^Bearer (.+)$/u.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const expiresAt = this.#expiries.get(token);
    if (expiresAt === undefined) return null;
    return expiresAt > this.#options.now() ? 'alive' : 'expired';
  }

  /** Ends every token at once, before its time. */
  expireAll(): void {
    for (const token of this.#expiries.keys()) this.#expiries.set(token, 0);
  }

  /** Forgets every token, as when a key is withdrawn. */
  forgetAll(): void {
    this.#expiries.clear();
  }
}

/** Three parts, of which the middle one names the end of its life. */
function webToken(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part(claims)}.${randomBytes(16).toString('base64url')}`;
}
