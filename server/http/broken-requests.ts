import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { FIXED_MESSAGES } from '../../shared/api/errors.ts';

const REFUSALS: Readonly<Record<string, { line: string; detail: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { line: '408 Request Timeout', detail: 'The request took too long to arrive.' },
  HPE_HEADER_OVERFLOW: { line: '431 Request Header Fields Too Large', detail: 'The headers are too long.' },
};
const UNREADABLE = { line: '400 Bad Request', detail: FIXED_MESSAGES.unreadableBody };

/** What never became a request is refused in the same shape as everything else. */
export function refuseBrokenRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Errors of the line itself, of TLS as well, leave nobody to answer.
    if (!socket.writable || !/^(?:HPE|ERR_HTTP)_/u.test(error.code ?? '')) {
      socket.destroy();
      return;
    }
    const { line, detail } = REFUSALS[error.code ?? ''] ?? UNREADABLE;
    const body = JSON.stringify({ detail });
    const headers = [
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      'Connection: close',
    ];
    socket.end(`HTTP/1.1 ${line}\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
  });
}
