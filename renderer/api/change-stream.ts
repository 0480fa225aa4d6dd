import type { ConsoleEventKind } from '../../shared/api/console-events.ts';
import { client } from './client.ts';
import { openedAddress } from './page-token.ts';
import { isStatus } from './sentence.ts';

/** Way in which changes reach this page: as they happen, by polling every few seconds, or not at the moment. */
export type Connection = 'connecting' | 'live' | 'polling' | 'lost';

export interface Change {
  readonly kind: ConsoleEventKind | 'reset';
  /** Of the thing that changed, where it has one. */
  readonly id: string | null;
}

/** Callbacks of a change stream. */
export interface Heard {
  change(change: Change): void;
  connection(connection: Connection): void;
  /**
   * Position in the stream. Called once every change up to it was passed on, because the window may close in between.
   */
  position(after: string): void;
}

/** Every kind, or this does not compile: the browser passes on only what is listened to by name. */
const HEARD: Readonly<Record<ConsoleEventKind, true>> = {
  'fax.changed': true,
  'inbound.changed': true,
  'work.changed': true,
  'contact.changed': true,
  'call.changed': true,
  'intake.changed': true,
  'settings.changed': true,
  'installation.changed': true,
};
const KINDS = Object.keys(HEARD) as readonly ConsoleEventKind[];
const POLL_MS = 5_000;
const OPENING_MS = 10_000;
/**
 * A stream that fails this often while the gateway responds is blocked on the way: poll instead, and retry the stream
 * rarely.
 */
const TRIES_BEFORE_POLLING = 3;
const POLLS_PER_TRY = 12;

/**
 * Creates a stream of changes. It uses the event stream, or polling when that does not come through, one at a time.
 * Each continues at the position of the other; the first begins after the event `after`, or with the next event when it
 * is null.
 */
export function createChangeStream(heard: Heard, after: string | null): ChangeStream {
  return new ChangeStream(heard, after);
}

export type { ChangeStream };

class ChangeStream {
  readonly #heard: Heard;
  #after: string | null;
  #streamFailures = 0;
  #polls = 0;
  #lostTries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #source: EventSource | null = null;
  #isClosed = false;

  constructor(heard: Heard, after: string | null) {
    this.#heard = heard;
    this.#after = after;
  }

  stream(): void {
    const from = this.#after === null ? '' : `?after=${encodeURIComponent(this.#after)}`;
    const source = new EventSource(openedAddress(`/console/events${from}`));
    this.#source = source;
    // Something on the way may hold the stream back without a word.
    this.#later(() => this.#streamFailed(), OPENING_MS);
    source.addEventListener('open', () => this.#streamOpened());
    source.addEventListener('error', () => this.#streamFailed());
    source.addEventListener('message', (event) => this.#remember(event));
    source.addEventListener('reset', (event) => {
      this.#heard.change({ kind: 'reset', id: null });
      this.#remember(event);
    });
    for (const kind of KINDS)
      source.addEventListener(kind, (event) => {
        this.#heard.change({ kind, id: (JSON.parse(event.data as string) as { id?: string }).id ?? null });
        this.#remember(event);
      });
  }

  close(): void {
    this.#isClosed = true;
    this.#source?.close();
    clearTimeout(this.#timer);
  }

  #streamOpened(): void {
    clearTimeout(this.#timer);
    this.#streamFailures = 0;
    this.#heard.connection('live');
  }

  /** Polls, which shows whether the gateway is away or only the stream is blocked. */
  #streamFailed(): void {
    this.#source?.close();
    this.#streamFailures += 1;
    this.#later(() => void this.#poll(), 0);
  }

  async #poll(): Promise<void> {
    try {
      const query = this.#after === null ? {} : { after: this.#after };
      const answer = await client.console.changes({ query });
      if (answer.reset) this.#heard.change({ kind: 'reset', id: null });
      for (const { kind, data } of answer.events)
        this.#heard.change({ kind, id: 'id' in data ? data.id : null });
      this.#stand(answer.next);
      this.#answered();
    } catch (error) {
      this.#lost(error);
    }
  }

  #answered(): void {
    this.#heard.connection('polling');
    this.#lostTries = 0;
    this.#polls += 1;
    const isWorthATry = this.#streamFailures < TRIES_BEFORE_POLLING || this.#polls % POLLS_PER_TRY === 0;
    if (isWorthATry) this.#later(() => this.stream(), 1_000);
    else this.#later(() => void this.#poll(), POLL_MS);
  }

  #lost(error: unknown): void {
    this.#heard.connection('lost');
    if (isStatus(error, 401)) return this.#heard.change({ kind: 'reset', id: null });
    this.#lostTries += 1;
    // Failures while the gateway was away do not count against the stream.
    this.#streamFailures = 0;
    this.#later(() => void this.#poll(), Math.min(this.#lostTries, 5) * 1_000);
  }

  #remember(event: MessageEvent): void {
    if (event.lastEventId !== '') this.#stand(event.lastEventId);
  }

  #stand(after: string): void {
    // Data read before the first event may have changed in between.
    if (this.#after === null) this.#heard.change({ kind: 'reset', id: null });
    this.#after = after;
    this.#heard.position(after);
  }

  #later(step: () => void, ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#isClosed) this.#timer = setTimeout(step, ms);
  }
}
