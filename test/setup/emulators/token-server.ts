import { text } from 'node:stream/consumers';
import type { TokenAddresses } from '../../../server/adapters/mail/port.ts';
import { json, sendAnswer } from './answer.ts';
import { Listener } from './listener.ts';

/** Gives access tokens for refresh tokens as Microsoft and Google do (RFC 6749, section 6). */
export class TokenServer {
  readonly #listener = new Listener(async (request, response) => {
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    this.asked.push({ path: request.url ?? '', ...form });
    await this.meanwhile?.();
    sendAnswer(response, this.#answer(form));
  });
  /** Requests, oldest first. */
  readonly asked: Record<string, string>[] = [];
  /** Access tokens that hold, by the user whom they are for. */
  readonly given = new Set<string>();
  /** The refresh token that counts. */
  refreshToken = 'refresh-1';
  secret = 'client-secret';
  /** With each access token comes a new refresh token, and the one before counts no more. */
  rotates = false;
  /** Work that is done between a request and its answer; null for none. */
  meanwhile: (() => Promise<void>) | null = null;
  /** Answer in place of a token; null for none. */
  fault: { readonly status: number; readonly body: unknown } | null = null;

  async open(): Promise<void> {
    await this.#listener.open();
  }

  async close(): Promise<void> {
    await this.#listener.close();
  }

  get addresses(): TokenAddresses {
    const base = `http://127.0.0.1:${this.#listener.port}`;
    return { google: `${base}/token`, microsoft: `${base}/{tenant}/oauth2/v2.0/token` };
  }

  #answer(form: Record<string, string>) {
    if (this.fault !== null) return json(this.fault.status, this.fault.body);
    if (form['client_secret'] !== undefined && form['client_secret'] !== this.secret)
      return json(401, { error: 'invalid_client', error_description: 'The secret expired.' });
    if (form['grant_type'] !== 'refresh_token' || form['refresh_token'] !== this.refreshToken)
      return json(400, {
        error: 'invalid_grant',
        error_description: 'AADSTS700082: The refresh token has expired.\r\nTrace ID: 1',
      });
    const access_token = `access-${this.asked.length}`;
    this.given.add(access_token);
    if (this.rotates) this.refreshToken = `refresh-${this.asked.length + 1}`;
    const rotated = this.rotates ? { refresh_token: this.refreshToken } : {};
    return json(200, { token_type: 'Bearer', access_token, expires_in: 3599, ...rotated });
  }
}
