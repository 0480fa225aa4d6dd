import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { z } from 'zod';
import type { FaxJob } from '../../shared/api/outbound-shapes.ts';

type Fax = z.infer<typeof FaxJob>;

/** A request as it came, with its whole body. */
interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type AnswerHandler = (requests: RecordedRequest, response: ServerResponse, count: number) => void;

/** A server on 127.0.0.1 that answers as a test wants, where a real gateway cannot be made to. */
export async function startAnsweringServer(answering: AnswerHandler) {
  const requests: RecordedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString('latin1') };
      requests.push(one);
      answering(one, response, requests.length);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: requests, close };
}

export function answerJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'X-Request-Id': 'request-1', ...headers });
  response.end(JSON.stringify(value));
}

export function faxAnswer(facts: Partial<Fax> = {}): Fax {
  return {
    id: 'fax-1',
    to: '+12025550123',
    status: 'queued',
    error: null,
    pages: null,
    backend: 'cloudone',
    internal: false,
    direct: false,
    route: null,
    provider_sid: null,
    progress: null,
    created_at: '2025-03-04T12:00:00.000Z',
    updated_at: '2025-03-04T12:00:00.000Z',
    delivery_state: 'ready',
    dispatch_mode: 'normal',
    delivery_version: 1,
    reconciliation_reason: null,
    document: {
      sha256: 'a'.repeat(64),
      pages: 1,
      size_bytes: 9,
      media_type: 'text/plain',
      file_name: 'a.txt',
    },
    attempt: null,
    cost: null,
    free: false,
    ask_again_at: null,
    queue_only: false,
    send_now: false,
    urgent: false,
    send_by_call: false,
    resend_of: null,
    answers: null,
    tried_again_as: null,
    automatic_tries: 0,
    case_id: null,
    cover: null,
    broadcast_id: null,
    legal_holds: [],
    edits: null,
    mailbox: null,
    created_by: { id: 'p', name: 'P' },
    contact: null,
    delivered_by: null,
    decision: null,
    send_at: null,
    send_by: null,
    send_when: 'now',
    hours: null,
    waits_for: null,
    held_reason: null,
    arrival_warning: null,
    together: { leaves_at: null, with: [] },
    clean_greys: false,
    header_name: null,
    kind: 'fax',
    page_form: 'automatic',
    encoded: null,
    titles: [],
    subject: null,
    reference: null,
    document_type: null,
    test: false,
    ...facts,
  };
}
