import { z } from 'zod';
import { type Announcements, announceOften } from '../../platform/announcements.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Caller } from '../access/service.ts';
import type { EventSource } from '../room.ts';
import { createEventRing, type EventRing } from './event-ring.ts';
import { createEventStreams, type EventStreams } from './event-streams.ts';
import { createLostRights, type LostRights } from './lost-rights.ts';
import { createOtherGateways, type OtherGateways } from './other-gateways.ts';
import type { Changes } from './types.ts';

export interface EventParts {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Letters and digits, another one at every start. */
  readonly epoch: string;
  /** Reports when the callers of streams must be checked again. */
  readonly authenticator: { onChange(listener: () => void): () => void };
  /** Event sources of all rooms. */
  readonly sources: readonly EventSource[];
  /** No other gateway works on the store. */
  readonly isSoleProcess: boolean;
  /** To and from other gateways on the store. */
  readonly announcements: Announcements;
}

/** Topics for recorded changes, and for those that only the facts describe. */
const RECORDED = 'changes';
const UNRECORDED = 'events';
const UnrecordedFacts = z.object({ kind: z.string(), facts: z.unknown() });

/** Events in one answer; `next` leads to the others. */
const MAX_EVENTS_PER_ANSWER = 1_000;
/** Time in ms for which a listener that polls is expected back. */
const POLLED_MS = 10_000;
/** A change of another gateway is seen 250 ms later at most, so that a stream ends within a second. */
const CHECK_MS = 700;

/** Creates the events for consoles, as a stream or on request. */
export function createConsoleEvents(parts: EventParts): ConsoleEvents {
  return new ConsoleEvents(parts);
}

export type { ConsoleEvents };

class ConsoleEvents {
  readonly streams: EventStreams;
  readonly #ring: EventRing;
  readonly #lostRights: LostRights;
  readonly #others: OtherGateways[] = [];
  readonly #logger: Logger;
  readonly #ends: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isChecking = false;
  #isChanged = false;
  /** Time of the last answer to a listener that polls, by a clock that nobody sets. */
  #polledAt = Number.NEGATIVE_INFINITY;

  constructor(parts: EventParts) {
    const { clock, logger, epoch, authenticator, sources, announcements } = parts;
    this.#logger = logger;
    this.#ring = createEventRing(epoch);
    this.#lostRights = createLostRights(this.#ring);
    this.streams = createEventStreams({ ring: this.#ring, clock, lostRights: this.#lostRights });
    for (const source of sources) this.#follow(source, parts);
    this.#ends.push(authenticator.onChange(() => this.#callersChanged()));
    announcements.on(RECORDED, () => {
      if (this.hasListeners) void this.#readChanges();
    });
    announcements.on(UNRECORDED, (given) => {
      const { kind, facts } = UnrecordedFacts.parse(given);
      const change = sources.find((source) => source.kind === kind)?.fromFacts?.(facts);
      if (change) this.#ring.add(change.event);
    });
    announcements.onGap(() => this.#ring.forget());
  }

  start(): void {
    this.#timer = setInterval(() => void this.#check(), CHECK_MS);
    this.#timer.unref();
  }

  /** Ends every stream at once. */
  close(): void {
    clearInterval(this.#timer);
    this.streams.stop();
  }

  /** Follows no room any more. */
  stop(): void {
    this.close();
    for (const end of this.#ends.splice(0)) end();
  }

  /** Returns true while anybody listens. */
  get hasListeners(): boolean {
    return this.streams.count > 0 || performance.now() - this.#polledAt < POLLED_MS;
  }

  /** Notifies every listener that the facts about the installation changed without a change of the store. */
  installationChanged(): void {
    this.#ring.add({ kind: 'installation.changed', data: {}, mayReceive: () => true });
  }

  /** Reads the changes of other gateways, so that a position returned now misses nothing later. */
  async catchUp(): Promise<void> {
    await Promise.all(this.#others.map((other) => other.poll()));
  }

  /** Returns the events after a given one that the caller may receive. */
  changes(caller: Caller, after: string | undefined): Changes {
    this.#polledAt = performance.now();
    const ring = this.#ring;
    this.#lostRights.note(caller);
    const position = after === undefined ? ring.last : ring.positionOf(after);
    if (position === null || this.#lostRights.hasLostSince(caller, position))
      return { events: [], next: ring.idOf(ring.last), reset: true };
    const events = ring.after(position, MAX_EVENTS_PER_ANSWER);
    const allowed = events.filter((event) => event.mayReceive(caller));
    return {
      events: allowed.map(({ position: own, mayReceive: _who, ...event }) => ({
        id: ring.idOf(own),
        ...event,
      })),
      next: ring.idOf(events.at(-1)?.position ?? position),
      reset: false,
    };
  }

  async #readChanges(): Promise<void> {
    await this.catchUp().catch((error: unknown) =>
      this.#logger.error({ error }, 'the store could not be queried for changes'),
    );
  }

  #follow(
    { kind, listen, changedSince }: EventSource,
    { announcements, isSoleProcess }: Pick<EventParts, 'announcements' | 'isSoleProcess'>,
  ): void {
    const ring = this.#ring;
    const announceRecorded = announceOften(announcements, RECORDED);
    const other = isSoleProcess || !changedSince ? null : createOtherGateways({ ring, changedSince });
    if (other) this.#others.push(other);
    const end = listen((change) => {
      other?.recordPublished(change);
      ring.add(change.event);
      if (other) announceRecorded();
      else if (change.facts !== undefined) announcements.send(UNRECORDED, { kind, facts: change.facts });
    });
    this.#ends.push(end);
  }

  /** Holds every stream until its caller has been authenticated again. */
  #callersChanged(): void {
    if (this.streams.count === 0) return;
    this.streams.pause();
    this.#isChanged = true;
    void this.#check();
  }

  async #check(): Promise<void> {
    if (this.#isChecking || this.streams.count === 0) return;
    this.#isChecking = true;
    try {
      do {
        this.#isChanged = false;
        await this.streams.maintain();
        if (!this.#isChanged) this.streams.resume();
        await this.catchUp();
      } while (this.#isChanged);
    } catch (error) {
      this.#logger.error({ error }, 'the store could not be queried for changes');
    } finally {
      this.#isChecking = false;
    }
  }
}
