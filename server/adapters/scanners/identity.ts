import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { ScannerIdentity } from '../../features/scanning/scanner-port.ts';
import { createHttpClient } from '../../platform/http-client.ts';
import { urlHost } from '../../platform/url-host.ts';
import { readUuid } from './escl-documents.ts';

/** About as long as a search, which a scanner that is off must not delay. */
const ANSWER_MS = 1_500;
const MESSAGE_BYTES = 1024 * 1024;

const client = createHttpClient({ timeoutMs: ANSWER_MS });

/** Reads the identity of the scanner at a saved address: its UUID, and the addresses of its host name. Never rejects. */
export async function identifyScanner(url: string): Promise<ScannerIdentity> {
  const [uuid, urls] = await Promise.all([uuidOf(url).catch(() => ''), resolvedUrls(url).catch(() => [])]);
  return { uuid: plainUuid(uuid), urls: [url, ...urls] };
}

/** Returns the UUID without the prefix that some scanners write before it. */
export const plainUuid = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/^urn:uuid:/u, '');

async function uuidOf(url: string): Promise<string> {
  const { status, body } = await client.request({
    method: 'GET',
    url: `${url}/ScannerCapabilities`,
    maxAnswerBytes: MESSAGE_BYTES,
  });
  return status === 200 ? readUuid(body.toString('utf8')) : '';
}

async function resolvedUrls(url: string): Promise<string[]> {
  const { protocol, hostname, port, pathname } = new URL(url);
  if (isIP(hostname.replaceAll(/[[\]]/gu, '')) !== 0) return [];
  const found = await within(ANSWER_MS, lookup(hostname, { all: true }));
  return found.flatMap(({ address }) => {
    const resolved = URL.parse(`${protocol}//${urlHost(address)}${port && `:${port}`}`);
    return resolved === null ? [] : `${resolved.origin}${pathname}`;
  });
}

/** Rejects where a name server does not answer in time: a lookup of the system cannot be stopped. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(ms);
  const late = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  );
  return Promise.race([promise, late]);
}
