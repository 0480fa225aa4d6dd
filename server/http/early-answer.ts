import type { Request, Response } from 'express';

/** So that a refused request has given back its connection within a second. */
const GRACE_MS = 500;

/**
 * Sends a JSON answer while the caller may still be sending. The rest of an upload is not waited for, but the line is
 * closed only a moment after the answer: closing it with unread bytes resets it, and some systems then lose the answer.
 */
export function sendJson(request: Request, response: Response, status: number, body: unknown): void {
  if (request.complete) response.status(status).json(body);
  // A request that arrived whole counts as complete only after this turn.
  else setImmediate(() => sendNow(request, response, status, body));
}

function sendNow(request: Request, response: Response, status: number, body: unknown): void {
  if (request.complete || request.destroyed) {
    response.status(status).json(body);
    return;
  }
  const bytes = Buffer.from(JSON.stringify(body));
  response.status(status).setHeader('Connection', 'close');
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', bytes.length);
  response.write(bytes);
  const end = () => {
    clearTimeout(grace);
    response.end();
  };
  const grace = setTimeout(end, GRACE_MS);
  grace.unref();
  request.once('end', end);
  request.once('close', end);
  request.resume();
}
