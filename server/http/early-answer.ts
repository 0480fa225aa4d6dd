import type { Request, Response } from 'express';

/** So that a refused request has given back its connection within a second of its last bytes. */
const GRACE_MS = 500;
/** For an upload that goes on; then the line is closed even if the answer is lost. */
const MAX_GRACE_MS = 10_000;

/**
 * Sends a JSON answer while the caller may still be sending. What comes of an upload is dropped, and the line is closed only a
 * moment after the last of it: closing it with unread bytes resets it, and some systems then lose the answer.
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
  closeWhenQuiet(request, response);
  request.resume();
}

function closeWhenQuiet(request: Request, response: Response): void {
  let isQuiet = true;
  let grace: NodeJS.Timeout | undefined;
  const end = () => {
    clearTimeout(grace);
    clearTimeout(limit);
    response.end();
  };
  const wait = () => {
    isQuiet = true;
    // Bytes that arrived while the process was busy are read between a timer and an immediate.
    grace = setTimeout(
      () => setImmediate(() => (isQuiet || response.writableEnded ? end() : wait())),
      GRACE_MS,
    ).unref();
  };
  const limit = setTimeout(end, MAX_GRACE_MS).unref();
  wait();
  request.on('data', () => {
    isQuiet = false;
  });
  request.once('end', end);
  request.once('close', end);
}
