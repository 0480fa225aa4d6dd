import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { refuse } from './broken-requests.ts';

/** A body must bring as much in each window of time: 1 KB a second. */
const WINDOW_MS = 15_000;
const WINDOW_BYTES = 15 * 1024;
/** A caller that takes nothing of its answer for so long may have to make room. */
const STALLED_MS = 10_000;

/**
 * Reason why a connection waits: for its caller's next request, for the rest of a body, for its caller to take the
 * answer, or for us.
 */
export type WaitReason = 'request' | 'body' | 'reader' | 'us';

/** One connection of a caller; `group` is by whom it is counted. */
export function createConnection(socket: Socket, group: string, now: number): Connection {
  return new Connection(socket, group, now);
}

export type { Connection };

class Connection {
  readonly group: string;
  #socket: Socket;
  #request: IncomingMessage | null = null;
  #response: ServerResponse | null = null;
  #answers = 0;
  /** Since when it waits for a request, or the last one is under way, and what had come by then. */
  #since: { at: number; bytes: number };
  #received: { at: number; bytes: number };
  #sent: { at: number; bytes: number };
  #isRefused = false;

  constructor(socket: Socket, group: string, now: number) {
    this.group = group;
    this.#socket = socket;
    this.#since = { at: now, bytes: 0 };
    this.#received = { at: now, bytes: 0 };
    this.#sent = { at: now, bytes: 0 };
  }

  /** Requests over TLS come on a socket of their own, over that of the network. */
  setSecureSocket(socket: Socket): void {
    this.#socket = socket;
  }

  recordRequest(request: IncomingMessage, response: ServerResponse, now: number): void {
    this.#request = request;
    this.#response = response;
    this.#answers += 1;
    this.#since = { at: now, bytes: this.#socket.bytesRead };
    this.#received = this.#since;
  }

  recordAnswer(now: number): void {
    this.#answers -= 1;
    this.#since = { at: now, bytes: this.#socket.bytesRead };
  }

  /** True for a stream that stays open: only callers with a credential have those, and few each. */
  get isStream(): boolean {
    const { locals } = (this.#response ?? {}) as { locals?: Record<string, unknown> };
    return this.#answers > 0 && locals?.['open'] === true;
  }

  waitReason(now: number): WaitReason {
    if (this.#answers === 0) return 'request';
    if (this.#request?.complete === false) return 'body';
    const isStalled = this.#socket.writableLength > 0 && Math.abs(now - this.#sent.at) >= STALLED_MS;
    return isStalled ? 'reader' : 'us';
  }

  /** Returns how long it has waited for a request, or the last one has been in progress, in ms. */
  waitingMs(now: number): number {
    return Math.abs(now - this.#since.at);
  }

  /** Returns the rate at which its body arrives, in bytes per second. */
  rate(now: number): number {
    return ((this.#socket.bytesRead - this.#since.bytes) * 1000) / Math.max(1, this.waitingMs(now));
  }

  /** Looks how much came and went since it was looked last. Ends it when its body comes too slowly. */
  check(now: number): void {
    const { bytesWritten, writableLength } = this.#socket;
    const sent = bytesWritten - writableLength;
    if (sent !== this.#sent.bytes || writableLength === 0) this.#sent = { at: now, bytes: sent };
    if (this.#isTooSlow(now)) this.#refuse();
  }

  close(): void {
    this.#socket.destroy();
  }

  #isTooSlow(now: number): boolean {
    const request = this.#request;
    const { at, bytes } = this.#received;
    const passed = Math.abs(now - at);
    // A full buffer waits for us, and a gateway that slept has read nothing.
    const isOurs = !request || request.complete || request.readableLength >= request.readableHighWaterMark;
    if (!isOurs && passed < WINDOW_MS) return false;
    const { bytesRead } = this.#socket;
    this.#received = { at: now, bytes: bytesRead };
    return !isOurs && passed < 2 * WINDOW_MS && bytesRead - bytes < WINDOW_BYTES;
  }

  #refuse(): void {
    // It did not even take the refusal.
    if (this.#isRefused) return this.close();
    if (this.#answers === 1 && this.#response?.headersSent === false) refuse(this.#socket, 'request_timeout');
    this.#socket.destroySoon();
    this.#isRefused = true;
  }
}
