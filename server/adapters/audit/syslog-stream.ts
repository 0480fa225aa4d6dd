import { createConnection, type NetConnectOpts, type Socket } from 'node:net';
import type { SyslogTransport, TransportOptions } from './syslog-transport.ts';

/** Framing of messages: by their length (RFC 6587 octet counting), or by a line end (local sockets). */
export type Framing = 'octets' | 'lines';

export interface StreamOptions extends TransportOptions {
  /** Told the first failure of a connection; answers true when it takes the held messages over. */
  onRefused?(error: NodeJS.ErrnoException, held: string[]): boolean;
}

interface StreamState {
  socket: Socket | null;
  retry: NodeJS.Timeout | null;
  /** The oldest first; the first `inFlight` of them are given to the socket, which has not confirmed them. */
  held: string[];
  inFlight: number;
  lost: number;
  troubled: boolean;
  handedOver: boolean;
  closing: (() => void) | null;
}

/** Messages over a connection that is made anew when it breaks; what was not flushed by then is sent again. */
export function createStreamTransport(
  where: NetConnectOpts & { name: string },
  framing: Framing,
  options: StreamOptions,
): SyslogTransport {
  const state: StreamState = {
    socket: null,
    retry: null,
    held: [],
    inFlight: 0,
    lost: 0,
    troubled: false,
    handedOver: false,
    closing: null,
  };
  const connect = (): void => {
    state.retry = null;
    if (state.socket === null && !state.handedOver)
      state.socket = openSocket(where, framing, options, state, connect);
  };
  return {
    send(message) {
      hold(state, options, message);
      if (state.socket?.readyState === 'open') pump(state, framing);
      else if (state.retry === null) connect();
    },
    close: () => drain(state, where.name, options),
  };
}

function hold(state: StreamState, options: StreamOptions, message: string): void {
  state.held.push(message);
  if (state.held.length <= options.maxHeld) return;
  // Messages handed to the socket are not dropped: their confirmation is still to come.
  state.held.splice(Math.min(state.inFlight, state.held.length - 1), 1);
  state.lost += 1;
}

function pump(state: StreamState, framing: Framing): void {
  const socket = state.socket;
  if (socket === null) return;
  for (const message of state.held.slice(state.inFlight)) {
    state.inFlight += 1;
    const frame = framing === 'lines' ? `${message}\n` : `${Buffer.byteLength(message)} ${message}`;
    socket.write(frame, (error) => {
      if (error || state.socket !== socket) return;
      state.held.shift();
      state.inFlight -= 1;
      if (state.held.length === 0) state.closing?.();
    });
  }
}

function openSocket(
  where: NetConnectOpts & { name: string },
  framing: Framing,
  options: StreamOptions,
  state: StreamState,
  connect: () => void,
): Socket {
  const socket = createConnection(where);
  socket.unref();
  socket.resume(); // a daemon says nothing, but its goodbye is only seen when read
  socket.on('connect', () => {
    if (state.lost > 0)
      options.onError(new Error(`${state.lost} audit events were lost while ${where.name} was away`));
    state.lost = 0;
    state.troubled = false;
    pump(state, framing);
  });
  socket.on('error', (error) => {
    if (options.onRefused?.(error, state.held) === true) state.handedOver = true;
    else if (!state.troubled)
      options.onError(new Error(`${where.name} is not reachable; trying again`, { cause: error }));
    state.troubled = true;
  });
  socket.on('close', () => {
    state.socket = null;
    state.inFlight = 0;
    if (state.handedOver) state.closing?.();
    else if (state.held.length > 0 || state.closing === null)
      state.retry = setTimeout(connect, options.retryMs).unref();
  });
  return socket;
}

async function drain(state: StreamState, name: string, options: StreamOptions): Promise<void> {
  if (state.held.length > 0 && !state.handedOver) {
    await new Promise<void>((resolve) => {
      const limit = setTimeout(resolve, options.closeMs);
      state.closing = () => {
        clearTimeout(limit);
        resolve();
      };
    });
  }
  if (state.retry !== null) clearTimeout(state.retry);
  const lost = state.handedOver ? 0 : state.held.length + state.lost;
  if (lost > 0) options.onError(new Error(`${lost} audit events were lost: ${name} was not reachable`));
  state.handedOver = true;
  await endSocket(state.socket);
}

async function endSocket(socket: Socket | null): Promise<void> {
  if (socket === null || socket.destroyed) return;
  socket.ref();
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
    if (socket.connecting) socket.destroy();
    else socket.end(() => socket.destroy());
  });
}
