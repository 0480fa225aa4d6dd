import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { connect, type PeerCertificate } from 'node:tls';
import type { TestGateway } from './gateway.ts';

interface HttpsAnswer {
  readonly status: number;
  // Answers of several routes.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  readonly cookies: string[];
  readonly headers: IncomingHttpHeaders;
}

/** Asks over HTTPS, on a line of its own, and believes the given root alone. Rejects when the certificate does not fit. */
export function requestOverHttps(
  url: string,
  options: { root: string; method?: string; headers?: Record<string, string>; json?: unknown; host?: string },
): Promise<HttpsAnswer> {
  const { root, method = 'GET', json, host } = options;
  const body = json === undefined ? undefined : JSON.stringify(json);
  const headers = {
    ...options.headers,
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  return new Promise((resolve, reject) => {
    const clientRequest = request(
      url,
      { method, headers, ca: root, agent: false, ...(host ? { servername: host } : {}) },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.once('error', reject);
        response.once('end', () => {
          const text = Buffer.concat(parts).toString();
          const cookies = response.headers['set-cookie'] ?? [];
          const body = text === '' ? null : JSON.parse(text);
          resolve({ status: response.statusCode ?? 0, body, cookies, headers: response.headers });
        });
      },
    );
    clientRequest.once('error', reject);
    clientRequest.end(body);
  });
}

/** Returns the certificate presented at a port of this computer, from any issuer. */
export function certificateAt(
  port: number,
  tls: { maxVersion?: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3'; ciphers?: string } = {},
): Promise<PeerCertificate> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, rejectUnauthorized: false, minVersion: 'TLSv1' as const };
    // The lowest level of OpenSSL, so that it is the gateway that refuses an old version.
    const socket = connect({ ...options, ciphers: 'DEFAULT:@SECLEVEL=0', ...tls }, () => {
      const certificate = socket.getPeerCertificate();
      socket.destroy();
      resolve(certificate);
    });
    socket.once('error', reject);
  });
}

/** Returns the HTTPS status of the gateway, once everything due is done. */
// oxlint-disable-next-line typescript/no-explicit-any
export async function readHttpsStatus(gateway: TestGateway): Promise<any> {
  await gateway.processAll();
  return (await gateway.request('GET', '/console/https')).json();
}

export const parsePort = (address: string) => Number(new URL(address).port);

/** The root certificate as other computers get it, in PEM. */
export async function downloadRoot(gateway: TestGateway): Promise<string> {
  const response = await gateway.request('GET', '/https/root.crt', { key: null });
  if (!response.ok) throw new Error(`the root answered ${response.status}`);
  const base64 = Buffer.from(await response.arrayBuffer()).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;
}
