import { createConnection, isIP, type NetConnectOpts, type Socket } from 'node:net';
import { connect as connectEncrypted } from 'node:tls';
import type { SyslogTransport, TransportOptions } from './syslog-transport.ts';

/** Framing of messages: by their length (RFC 6587 octet counting), or by a line end (local sockets). */
type Framing = 'octets' | 'lines';

/** Time for the server to end its side of a connection. */
const END_MS = 1_000;

interface StreamOptions extends TransportOptions {
  /** Told the first failure of a connection; answers true when it takes the held messages over. */
  onRefused?(error: NodeJS.ErrnoException, buffered: string[]): boolean;
}

type Target = NetConnectOpts & {
  readonly name: string;
  /** By TLS (RFC 5425), with a certificate that the computer or Node trusts. */
  readonly isEncrypted?: boolean;
};

interface StreamState {
  socket: Socket | null;
  /** True while messages may be given to the socket. */
  isReady: boolean;
  retry: NodeJS.Timeout | null;
  /** The oldest first; the first `inFlight` of them are given to the socket, which has not confirmed them. */
  buffered: string[];
  inFlight: number;
  lost: number;
  hasFailed: boolean;
  isDelegated: boolean;
  closing: (() => void) | null;
}

/** Messages over a connection that is made anew when it breaks; what was not flushed by then is sent again. */
export function createStreamTransport(
  target: Target,
  framing: Framing,
  options: StreamOptions,
): SyslogTransport {
  const state: StreamState = {
    socket: null,
    isReady: false,
    retry: null,
    buffered: [],
    inFlight: 0,
    lost: 0,
    hasFailed: false,
    isDelegated: false,
    closing: null,
  };
  const connect = (): void => {
    state.retry = null;
    if (state.socket === null && !state.isDelegated)
      state.socket = openSocket(target, framing, options, state, connect);
  };
  return {
    send(message) {
      bufferMessage(state, options, message);
      if (state.isReady) pump(state, framing);
      else if (state.retry === null) connect();
    },
    close: () => drain(state, target.name, options),
  };
}

function bufferMessage(state: StreamState, options: StreamOptions, message: string): void {
  state.buffered.push(message);
  if (state.buffered.length <= options.maxBuffered) return;
  // Messages handed to the socket are not dropped: their confirmation is still to come.
  state.buffered.splice(Math.min(state.inFlight, state.buffered.length - 1), 1);
  state.lost += 1;
}

function pump(state: StreamState, framing: Framing): void {
  const socket = state.socket;
  if (socket === null) return;
  for (const message of state.buffered.slice(state.inFlight)) {
    state.inFlight += 1;
    const frame = framing === 'lines' ? `${message}\n` : `${Buffer.byteLength(message)} ${message}`;
    socket.write(frame, (error) => {
      if (error || state.socket !== socket) return;
      state.buffered.shift();
      state.inFlight -= 1;
      if (state.buffered.length === 0) state.closing?.();
    });
  }
}

function openSocket(
  target: Target,
  framing: Framing,
  options: StreamOptions,
  state: StreamState,
  connect: () => void,
): Socket {
  const socket = connectTo(target);
  socket.unref();
  socket.resume(); // a daemon says nothing, but its goodbye is only seen when read
  socket.on(target.isEncrypted ? 'secureConnect' : 'connect', () => {
    state.isReady = true;
    if (state.lost > 0)
      options.onError(new Error(`${state.lost} audit events were lost while ${target.name} was away`));
    state.lost = 0;
    state.hasFailed = false;
    pump(state, framing);
  });
  socket.on('error', (error) => {
    if (options.onRefused?.(error, state.buffered) === true) state.isDelegated = true;
    else if (!state.hasFailed)
      options.onError(new Error(`${target.name} is not reachable; trying again`, { cause: error }));
    state.hasFailed = true;
  });
  socket.on('close', () => {
    state.socket = null;
    state.isReady = false;
    state.inFlight = 0;
    if (state.isDelegated) state.closing?.();
    else if (state.buffered.length > 0 || state.closing === null)
      state.retry = setTimeout(connect, options.retryMs).unref();
  });
  return socket;
}

function connectTo(target: Target): Socket {
  if (!target.isEncrypted || !('host' in target)) return createConnection(target);
  const host = target.host ?? '';
  return connectEncrypted({ ...target, ...(isIP(host) === 0 ? { servername: host } : {}) });
}

async function drain(state: StreamState, name: string, options: StreamOptions): Promise<void> {
  if (state.buffered.length > 0 && !state.isDelegated) {
    await new Promise<void>((resolve) => {
      const limit = setTimeout(resolve, options.closeMs);
      state.closing = () => {
        clearTimeout(limit);
        resolve();
      };
    });
  }
  if (state.retry !== null) clearTimeout(state.retry);
  const lost = state.isDelegated ? 0 : state.buffered.length + state.lost;
  if (lost > 0) options.onError(new Error(`${lost} audit events were lost: ${name} was not reachable`));
  state.isDelegated = true;
  await endSocket(state.socket);
}

async function endSocket(socket: Socket | null): Promise<void> {
  if (socket === null || socket.destroyed) return;
  socket.ref();
  await new Promise<void>((resolve) => {
    // A server that still has messages to read would lose them if the connection was cut.
    const limit = setTimeout(() => socket.destroy(), END_MS);
    socket.once('close', () => {
      clearTimeout(limit);
      resolve();
    });
    if (socket.connecting) socket.destroy();
    else socket.end();
  });
}
