import type { ServerResponse } from 'node:http';
import type { Clock } from '../../platform/clock.ts';
import { RefusalError } from '../../platform/errors.ts';
import type { Caller } from '../access/service.ts';
import type { EventRing, NumberedEvent } from './event-ring.ts';
import { createLostRights, type LostRights } from './lost-rights.ts';

/** Options with which a listener opens a stream. */
interface StreamOptions {
  readonly caller: Caller;
  /** The same caller as they are now. Throws when the session or key has ended. */
  readonly again: () => Promise<Caller>;
  /** ID of the last event that was received; undefined begins with the next one. */
  readonly after: string | undefined;
}

interface Stream {
  readonly response: ServerResponse;
  readonly again: () => Promise<Caller>;
  caller: Caller;
  position: number;
  /** Time of the last sign of life, by `uptime`. */
  pingedAt: number;
  /** Time since which the reader accepts no data; null while it does. Epoch milliseconds. */
  blockedAt: number | null;
}

const MAX_PER_PRINCIPAL = 20;
/** A console that receives nothing for five seconds shows that it is not connected. */
const PING_MS = 2_000;
/** Time after which a reader that accepts no data is disconnected; it resumes where it was. */
const BLOCKED_TIMEOUT_MS = 30_000;
/** Events written before the backpressure of the connection is checked. */
const BATCH = 100;

interface StreamParts {
  readonly ring: EventRing;
  readonly clock: Clock;
  /** Shared with listeners that poll. */
  readonly lostRights?: LostRights;
  /** Returns a time in ms that no set clock changes: a sign of life is due when that time has really passed. */
  readonly uptime?: () => number;
}

/**
 * Creates the open streams. Each has only its position in the ring and writes from there as fast as its reader accepts
 * data, so a slow reader holds no memory of its own.
 */
export function createEventStreams(parts: StreamParts): EventStreams {
  return new EventStreams(parts);
}

export type { EventStreams };

class EventStreams {
  readonly #ring: EventRing;
  readonly #clock: Clock;
  readonly #lostRights: LostRights;
  readonly #uptime: () => number;
  readonly #streams = new Set<Stream>();
  #isPlanned = false;
  #isStopped = false;
  #isPaused = false;

  constructor({
    ring,
    clock,
    lostRights = createLostRights(ring),
    uptime = () => performance.now(),
  }: StreamParts) {
    this.#ring = ring;
    this.#clock = clock;
    this.#lostRights = lostRights;
    this.#uptime = uptime;
    this.#ring.onAdded(() => this.#plan());
  }

  get count(): number {
    return this.#streams.size;
  }

  /** Throws a 429 refusal when a caller listens often enough, and 503 when the gateway stops. */
  assertCapacity({ principal }: Caller): void {
    if (this.#isStopped) throw new RefusalError('stopping');
    const own = [...this.#streams].filter(({ caller }) => caller.principal.id === principal.id);
    if (own.length >= MAX_PER_PRINCIPAL)
      throw new RefusalError('rate_limited', { headers: { 'Retry-After': '15' } });
  }

  /** Takes a response whose head was sent. */
  open(response: ServerResponse, { caller, again, after }: StreamOptions): void {
    if (this.#isStopped) return void response.end();
    const resumed = after === undefined ? this.#ring.last : this.#ring.positionOf(after);
    const position = resumed ?? this.#ring.last;
    const stream = { response, again, caller, position, pingedAt: this.#uptime(), blockedAt: null };
    this.#lostRights.note(caller);
    this.#streams.add(stream);
    response.on('close', () => this.#streams.delete(stream));
    response.on('error', () => this.#streams.delete(stream));
    const id = this.#ring.idOf(position);
    this.#write(stream, `retry: 1000\n${resumed === null ? reset(id) : positionLine(id)}`);
    this.#pump(stream);
  }

  /** Writes no event until `resume`. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#plan();
  }

  /** Maintains every stream: ends those whose caller is not allowed any more, and sends a keep-alive to the others. */
  async maintain(): Promise<void> {
    await Promise.all([...this.#streams].map((stream) => this.#maintainStream(stream)));
  }

  /** Ends every stream at once and takes no new one. */
  stop(): void {
    this.#isStopped = true;
    for (const { response } of this.#streams) response.end();
    this.#streams.clear();
  }

  async #maintainStream(stream: Stream): Promise<void> {
    try {
      stream.caller = await stream.again();
    } catch {
      stream.response.end();
      this.#streams.delete(stream);
      return;
    }
    this.#lostRights.note(stream.caller);
    const uptime = this.#uptime();
    if (stream.blockedAt !== null) {
      if (Math.abs(this.#clock.now() - stream.blockedAt) >= BLOCKED_TIMEOUT_MS) stream.response.destroy();
    } else if (uptime - stream.pingedAt >= PING_MS) {
      stream.pingedAt = uptime;
      this.#write(stream, `: ping\n${positionLine(this.#ring.idOf(stream.position))}`);
    }
  }

  /** Events of one turn are written together. */
  #plan(): void {
    if (this.#isPlanned || this.#streams.size === 0) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      for (const stream of this.#streams) this.#pump(stream);
    });
  }

  #pump(stream: Stream): void {
    const ring = this.#ring;
    while (
      !this.#isPaused &&
      stream.blockedAt === null &&
      stream.position < ring.last &&
      this.#streams.has(stream)
    ) {
      const hasLost = this.#lostRights.hasLostSince(stream.caller, stream.position);
      if (hasLost || !ring.hasEventsAfter(stream.position)) {
        stream.position = ring.last;
        this.#write(stream, reset(ring.idOf(stream.position)));
        continue;
      }
      const events = ring.after(stream.position, BATCH);
      stream.position = events.at(-1)?.position ?? ring.last;
      const allowed = events.filter((event) => event.mayReceive(stream.caller));
      this.#write(stream, allowed.map((event) => block(ring.idOf(event.position), event)).join(''));
    }
  }

  #write(stream: Stream, text: string): void {
    if (text === '' || stream.response.write(text)) return;
    stream.blockedAt = this.#clock.now();
    stream.response.once('drain', () => {
      stream.blockedAt = null;
      this.#pump(stream);
    });
  }
}

/** Returns the line with the listener's position, so that it resumes there even without events for it. */
const positionLine = (id: string) => `id: ${id}\ndata: {}\n\n`;
const reset = (id: string) => `id: ${id}\nevent: reset\ndata: {}\n\n`;

function block(id: string, { kind, data }: NumberedEvent): string {
  return `id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;
}
