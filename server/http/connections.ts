import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressGroup, plainAddress } from '../platform/address-range.ts';
import type { Clock } from '../platform/clock.ts';
import { descriptorLimit } from '../platform/descriptor-limit.ts';
import type { Logger } from '../platform/logger.ts';
import { type Connection, createConnection, type WaitReason } from './connection.ts';

/** Maximum numbers of open connections. */
interface ConnectionLimits {
  readonly all: number;
  /** From one IPv4 address, or one IPv6 network of 64 bits. */
  readonly perAddress: number;
}

const MAX_PER_ADDRESS = 64;
/** More would take too much memory. */
const MAX_CONNECTIONS = 1024;
const MIN_CONNECTIONS = 64;
/** Files of our own: the store, connections to a database and to providers, logs, documents, threads. */
const RESERVED_DESCRIPTORS = 256;
const LOG_EVERY_MS = 60_000;

/** The limits that leave the gateway its own files: a request may open a file beside its connection. */
export function connectionLimits(descriptors = descriptorLimit()): ConnectionLimits {
  const fit = descriptors === null ? MAX_CONNECTIONS : Math.floor((descriptors - RESERVED_DESCRIPTORS) / 2);
  return { all: Math.max(MIN_CONNECTIONS, Math.min(MAX_CONNECTIONS, fit)), perAddress: MAX_PER_ADDRESS };
}

interface ConnectionsParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: ConnectionLimits;
  /** Returns true for an address that many callers share: it has no limit of its own. */
  isShared(address: string): boolean;
}

/** Bounds the connections of all listeners of a gateway together. */
export function createConnections(parts: ConnectionsParts): Connections {
  return new Connections(parts);
}

export type { Connections };

/** A connection that is younger may just be about to send its request, or the rest of it. */
const MIN_EVICTION_AGE_MS = 1_000;

class Connections {
  readonly #parts: ConnectionsParts;
  /** By the address and port of the caller. */
  readonly #open = new Map<string, Connection>();
  #closed = 0;
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: ConnectionsParts) {
    this.#parts = parts;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Counts the connections of a server from now on. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#admit(socket));
    server.on('secureConnection', (socket: Socket) => {
      const connection = this.#open.get(nameOf(socket));
      if (!connection) return;
      connection.setSecureSocket(socket);
      this.#removeOnClose(socket, connection);
    });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const connection = this.#open.get(nameOf(request.socket));
      connection?.recordRequest(request, response, this.#now);
      response.once('close', () => connection?.recordAnswer(this.#now));
    });
  }

  /** Ends the connections whose bodies come too slowly. To be called every second. */
  check(): void {
    const now = this.#now;
    for (const connection of this.#open.values()) connection.check(now);
    if (this.#closed > 0 && Math.abs(now - this.#loggedAt) >= LOG_EVERY_MS) {
      this.#parts.logger.warn({ closed: this.#closed, open: this.count }, 'connections made room for others');
      this.#loggedAt = now;
      this.#closed = 0;
    }
  }

  #admit(socket: Socket): void {
    const address = plainAddress(socket.remoteAddress ?? '');
    // The connection was closed before this event.
    if (address === '') return void socket.destroy();
    const group = this.#groupOf(address);
    const { all, perAddress } = this.#parts.limits;
    const same = [...this.#open.values()].filter((each) => each.group === group);
    const hasRoom =
      (group === '' || same.filter((each) => !each.isStream).length < perAddress || this.#evictFor(same)) &&
      (this.#open.size < all || this.#evictFor(this.#largestGroup()));
    if (!hasRoom) {
      this.#closed += 1;
      return void socket.destroy();
    }
    const connection = createConnection(socket, group, this.#now);
    this.#open.set(nameOf(socket), connection);
    this.#removeOnClose(socket, connection);
  }

  /** Closes one that waits for its caller. False when all of them wait for us. */
  #evictFor(among: readonly Connection[]): boolean {
    const dispensable = findEvictable(among, this.#now);
    if (!dispensable) return false;
    dispensable.close();
    this.#closed += 1;
    for (const [name, each] of this.#open) if (each === dispensable) this.#open.delete(name);
    return true;
  }

  /** The connections of who has most of those that could be closed. */
  #largestGroup(): Connection[] {
    const now = this.#now;
    const closable = [...this.#open.values()].filter((each) => each.waitReason(now) !== 'us');
    const groups = Map.groupBy(closable, ({ group }) => group);
    return [...groups.values()].sort((a, b) => b.length - a.length)[0] ?? [];
  }

  #groupOf(address: string): string {
    if (this.#parts.isShared(address)) return '';
    return addressGroup(address);
  }

  #removeOnClose(socket: Socket, connection: Connection): void {
    const name = nameOf(socket);
    socket.once('close', () => {
      // Another one may have the same port by now.
      if (this.#open.get(name) === connection) this.#open.delete(name);
    });
  }

  get #now(): number {
    return this.#parts.clock.now();
  }
}

/**
 * Returns the connection to close first when there is no room: the one that has sent no request for longest, then the
 * slowest body, then one that takes nothing of an answer; those of the last second come last. A connection that waits
 * for us is never closed.
 */
function findEvictable(among: readonly Connection[], now: number): Connection | undefined {
  const waiting = (kind: WaitReason) => among.filter((each) => each.waitReason(now) === kind);
  const longest = (a: Connection, b: Connection) => b.waitingMs(now) - a.waitingMs(now);
  const requests = waiting('request').sort(longest);
  const bodies = waiting('body').sort((a, b) => a.rate(now) - b.rate(now));
  const isOld = (each: Connection) => each.waitingMs(now) >= MIN_EVICTION_AGE_MS;
  const old = requests.find(isOld) ?? bodies.find(isOld) ?? waiting('reader')[0];
  return old ?? [...requests, ...bodies].sort(longest)[0];
}

function nameOf({ remoteAddress, remotePort, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localPort}`;
}
