import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { serveCalls } from './child.ts';

export interface FloodOptions {
  readonly url: string;
  readonly connections: number;
  readonly attack: Attack;
}

export interface Attack {
  readonly name: string;
  /** Bytes that each connection sends at once. */
  readonly start: string;
  /** Bytes that each connection sends every second. */
  readonly drip: string;
}

/** Delay before a closed connection is opened again. */
const REOPEN_DELAY_MS = 5000;

// In a process of its own, so that what it spends is not taken for what a good caller waits.
const sockets = new Set<Socket>();
serveCalls(true, { flood: (options: FloodOptions) => void flood(options), stop: () => undefined });

async function flood(options: FloodOptions): Promise<void> {
  setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write(options.attack.drip);
  }, 1000);
  for (let i = 0; i < options.connections; i += 1) {
    open(options);
    if (i % 50 === 0) await pause(100);
  }
}

function open(options: FloodOptions): void {
  const { hostname, port } = new URL(options.url);
  const socket = connect(Number(port), hostname);
  sockets.add(socket);
  socket.on('error', () => undefined);
  socket.on('connect', () => socket.write(options.attack.start));
  socket.on('data', () => undefined);
  socket.on('close', () => {
    sockets.delete(socket);
    setTimeout(() => open(options), REOPEN_DELAY_MS);
  });
}
