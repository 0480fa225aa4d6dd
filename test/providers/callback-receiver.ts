import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import busboy from 'busboy';
import { signatureHeaders } from '../../server/adapters/providers/cloudone/signature.ts';
import type { CallbackForm } from '../../server/features/outbound/transport-port.ts';

const [, vendorHeader] = signatureHeaders;

/** A loopback web server that keeps what callbacks bring, as the gateway would read it. */
export interface CallbackReceiver {
  readonly url: string;
  last(): { form: CallbackForm; signature: string; headers: Record<string, unknown> };
  count(): number;
  answerWith(status: number): void;
  close(): Promise<void>;
}

/** Starts a receiver that answers 200 until a test changes it. */
export async function startCallbackReceiver(): Promise<CallbackReceiver> {
  const seen: Array<ReturnType<CallbackReceiver['last']>> = [];
  let status = 200;
  const server = createServer((request, response) => {
    const fields: Array<[string, string]> = [];
    const files: Array<[string, string]> = [];
    const parser = busboy({ headers: request.headers });
    parser.on('field', (name, value) => fields.push([name, value]));
    parser.on('file', (name, stream) => {
      const hash = createHash('sha1');
      stream.on('data', (chunk: Buffer) => hash.update(chunk));
      stream.on('end', () => files.push([name, hash.digest('hex')]));
    });
    parser.on('close', () => {
      const signature = String(request.headers[vendorHeader] ?? '');
      seen.push({ form: { fields, files }, signature, headers: request.headers });
      response.writeHead(status).end();
    });
    request.pipe(parser);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/cloudone-callback?job_id=j1&attempt_id=a1`,
    last: () => seen.at(-1) as ReturnType<CallbackReceiver['last']>,
    count: () => seen.length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    answerWith: (next) => {
      status = next;
    },
  };
}
