import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NotificationRequest } from '../../server/features/inbound/receiving-port.ts';
import { readRequest } from '../setup/emulators/request-reading.ts';

/** A loopback web server that keeps notifications as the gateway would hand them on. */
export interface NotificationReceiver {
  readonly url: string;
  /** The newest one. */
  last(): NotificationRequest;
  close(): Promise<void>;
}

/**
 * Starts a receiver that answers every notification with 200. `path` as configured at the provider, such as
 * `/cloudone-inbound`.
 */
export async function startNotificationReceiver(path: string): Promise<NotificationReceiver> {
  const folder = await mkdtemp(join(tmpdir(), 'notifications-'));
  const seen: NotificationRequest[] = [];
  const server = createServer((request, response) => {
    void keep(request).then(() => response.writeHead(200).end());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

  async function keep(request: IncomingMessage): Promise<void> {
    const received = await readRequest(request, 0, (seenPath) => seenPath);
    const isJson = received.headers['content-type'] === 'application/json';
    const sent = [...received.files, ...fileOf(received.json)];
    const files = sent.map(async ({ name, bytes }, index) => {
      const file = join(folder, `${seen.length}-${index}`);
      await writeFile(file, bytes);
      const sha1Hex = createHash('sha1').update(bytes).digest('hex');
      return { name, path: file, sha1Hex, sizeBytes: bytes.length };
    });
    const headers = Object.entries(received.headers).map(([name, value]) => [name, String(value)]);
    seen.push({
      url,
      headers: Object.fromEntries(headers) as Record<string, string>,
      contentType: isJson ? 'json' : 'multipart',
      fields: received.fields,
      json: isJson ? withoutFile(received.json) : null,
      files: await Promise.all(files),
    });
  }

  return {
    url,
    last: () => seen.at(-1) as NotificationRequest,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function withoutFile(json: unknown): unknown {
  return json instanceof Object && 'file' in json ? Object.assign({}, json, { file: '' }) : json;
}

/** The document of a JSON notification, decoded as the gateway does it. */
function fileOf(json: unknown): { name: string; bytes: Buffer }[] {
  const { file } = Object(json) as { file?: unknown };
  return typeof file === 'string' && file !== ''
    ? [{ name: 'file', bytes: Buffer.from(file, 'base64') }]
    : [];
}
