import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Caller } from '../access/service.ts';
import type { ReceivedFaxAccess } from '../inbound/service.ts';
import type { SentFaxAccess } from '../outbound/service.ts';
import { EventRing, mayHear, type RingEvent } from './event-ring.ts';
import { EventStreams } from './event-streams.ts';
import { OtherGateways, type OtherGatewaysParts, type Versioned } from './other-gateways.ts';
import type { Changes } from './types.ts';

export type ReceivedVersion = Versioned & ReceivedFaxAccess;
export type SentVersion = Versioned & SentFaxAccess;

type ChangedSince<T extends Versioned> = OtherGatewaysParts<T>['changedSince'];

export interface EventParts {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Letters and digits, another one at every start. */
  readonly epoch: string;
  /** Null when no other gateway works on the store. */
  readonly changedSince: {
    readonly faxes: ChangedSince<SentVersion>;
    readonly inbound: ChangedSince<ReceivedVersion>;
  } | null;
}

/** Events in one answer; `next` leads to the others. */
const MOST_IN_ANSWER = 1_000;
const TEND_MS = 1_000;

/** What consoles are told, as a stream or on demand. */
export class ConsoleEvents {
  readonly streams: EventStreams;
  readonly #ring: EventRing;
  readonly #otherFaxes: OtherGateways<SentVersion> | null = null;
  readonly #otherInbound: OtherGateways<ReceivedVersion> | null = null;
  readonly #logger: Logger;
  #timer: NodeJS.Timeout | undefined;
  #isTending = false;

  constructor(parts: EventParts) {
    const { clock, logger, epoch, changedSince } = parts;
    this.#logger = logger;
    this.#ring = new EventRing(epoch);
    this.streams = new EventStreams({ ring: this.#ring, clock });
    if (changedSince === null) return;
    const ring = this.#ring;
    const { faxes, inbound } = changedSince;
    this.#otherFaxes = new OtherGateways({ ring, changedSince: faxes, eventOf: faxEvent });
    this.#otherInbound = new OtherGateways({ ring, changedSince: inbound, eventOf: inboundEvent });
  }

  start(): void {
    this.#timer = setInterval(() => void this.#tend(), TEND_MS);
    this.#timer.unref();
  }

  /** Ends every stream at once. */
  stop(): void {
    clearInterval(this.#timer);
    this.streams.stop();
  }

  faxChanged(fax: SentVersion): void {
    this.#otherFaxes?.note(fax);
    this.#ring.add(faxEvent(fax));
  }

  inboundChanged(fax: ReceivedVersion): void {
    this.#otherInbound?.note(fax);
    this.#ring.add(inboundEvent(fax));
  }

  settingsChanged(generation: number): void {
    this.#ring.add({ kind: 'settings.changed', data: { generation } });
  }

  /** Learns what other gateways did, so that a position given out now misses nothing later. */
  async catchUp(): Promise<void> {
    await Promise.all([this.#otherFaxes?.look(), this.#otherInbound?.look()]);
  }

  /** What came after an event, as far as the caller may know of it. */
  changes(caller: Caller, after: string | undefined): Changes {
    const ring = this.#ring;
    const place = after === undefined ? ring.last : ring.placeOf(after);
    if (place === null) return { events: [], next: ring.idOf(ring.last), reset: true };
    const events = ring.after(place, MOST_IN_ANSWER);
    const allowed = events.filter((event) => mayHear(caller, event));
    return {
      events: allowed.map(({ place: own, fax: _fax, ...event }) => ({
        id: ring.idOf(own),
        ...event,
      })),
      next: ring.idOf(events.at(-1)?.place ?? place),
      reset: false,
    };
  }

  async #tend(): Promise<void> {
    if (this.#isTending || this.streams.count === 0) return;
    this.#isTending = true;
    try {
      await this.streams.tend();
      await this.catchUp();
    } catch (error) {
      this.#logger.error({ error }, 'the store could not be asked what changed');
    } finally {
      this.#isTending = false;
    }
  }
}

function faxEvent({ id, version, created_by, mailbox_id }: SentVersion): RingEvent {
  return { kind: 'fax.changed', data: { id, delivery_version: version }, fax: { created_by, mailbox_id } };
}

function inboundEvent({ id, version, mailbox_id }: ReceivedVersion): RingEvent {
  return { kind: 'inbound.changed', data: { id, version }, fax: { id, mailbox_id } };
}
