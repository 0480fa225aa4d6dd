import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERROR_CODE_HEADER, ERRORS, type FixedErrorCode } from '../../shared/errors/all.ts';
import { newId } from '../platform/ids.ts';

const CODES: Readonly<Record<string, FixedErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_long',
};

/** Refuses connections whose bytes never became a request, in the same shape as any other refusal. */
export function refuseBrokenRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Errors of the line itself, of TLS as well, leave nobody to answer.
    if (!socket.writable || !/^(?:HPE|ERR_HTTP)_/u.test(error.code ?? '')) {
      socket.destroy();
      return;
    }
    refuse(socket, CODES[error.code ?? ''] ?? 'unreadable_request');
  });
}

/** Writes a refusal on a connection on which nothing else was answered, and ends it. */
export function refuse(socket: Duplex, code: FixedErrorCode): void {
  const { status, sentence } = ERRORS[code];
  const body = JSON.stringify({ detail: sentence });
  const headers = [
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `${ERROR_CODE_HEADER}: ${code}`,
    `X-Request-Id: ${newId()}`,
    'Connection: close',
  ];
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
}
