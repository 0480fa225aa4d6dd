import type { ConsoleEventKind } from '../../shared/api/console-events.ts';
import { client } from './client.ts';
import type { Connection } from './connection.ts';
import { openedAddress } from './page-token.ts';
import { isStatus } from './sentence.ts';

export interface Change {
  readonly kind: ConsoleEventKind | 'reset';
  /** Of the thing that changed, where it has one. */
  readonly id: string | null;
  /** Of that thing after the change, where the event has it. */
  readonly version?: number;
  /** True for a test fax. */
  readonly isTest?: boolean;
}

/** Callbacks of a change stream. */
interface ChangeStreamListener {
  change(change: Change): void;
  /** Called with every sign of life, and when there is no answer. */
  connection(connection: Connection): void;
  /**
   * Position in the stream. Called once every change up to it was passed on, because the window may close in between.
   */
  position(after: string): void;
}

/** Every kind, or this does not compile: the browser passes on only what is listened to by name. */
const EVENT_KINDS: Readonly<Record<ConsoleEventKind, true>> = {
  'fax.changed': true,
  'inbound.changed': true,
  'broadcast.changed': true,
  'senders.changed': true,
  'work.changed': true,
  'presence.changed': true,
  'printed.changed': true,
  'contact.changed': true,
  'partner.changed': true,
  'call.changed': true,
  'intake.changed': true,
  'printout.changed': true,
  'settings.changed': true,
  'installation.changed': true,
};
const KINDS = Object.keys(EVENT_KINDS) as readonly ConsoleEventKind[];
const POLL_MS = 2_000;
/** An answer that takes longer is none: the next question may find a way. */
const POLL_TIMEOUT_MS = 4_000;
/**
 * Time without anything from a stream, in ms, after which it is dead or held back. The gateway sends a sign of life about
 * every two seconds, and polling has to bring one before the connection counts as lost.
 */
const STREAM_SILENCE_MS = 3_500;
const OPEN_TIMEOUT_MS = 2_500;
const REOPEN_MS = 500;
/**
 * A stream that fails this often while the gateway responds is blocked on the way: poll instead, and retry the stream
 * rarely.
 */
const TRIES_BEFORE_POLLING = 3;
const POLLS_PER_TRY = 30;

/**
 * Creates a stream of changes. It uses the event stream, or polling when that does not come through, one at a time.
 * Each continues at the position of the other; the first begins after the event `after`, or with the next event when it
 * is null.
 */
export function createChangeStream(listener: ChangeStreamListener, after: string | null): ChangeStream {
  return new ChangeStream(listener, after);
}

export type { ChangeStream };

class ChangeStream {
  readonly #listener: ChangeStreamListener;
  #after: string | null;
  #streamFailures = 0;
  #polls = 0;
  #lostTries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #source: EventSource | null = null;
  #isClosed = false;

  constructor(listener: ChangeStreamListener, after: string | null) {
    this.#listener = listener;
    this.#after = after;
  }

  stream(): void {
    const from = this.#after === null ? '' : `?after=${encodeURIComponent(this.#after)}`;
    const source = new EventSource(openedAddress(`/console/events${from}`));
    this.#source = source;
    // Something on the way may hold the stream back without a word.
    this.#schedule(() => this.#streamFailed(), OPEN_TIMEOUT_MS);
    source.addEventListener('error', () => this.#streamFailed());
    source.addEventListener('message', (event) => {
      this.#streamReceived();
      this.#rememberPosition(event);
    });
    source.addEventListener('reset', (event) => {
      this.#streamReceived();
      this.#listener.change({ kind: 'reset', id: null });
      this.#rememberPosition(event);
    });
    for (const kind of KINDS)
      source.addEventListener(kind, (event) => {
        this.#streamReceived();
        this.#listener.change(changeOf(kind, JSON.parse(event.data as string) as EventData));
        this.#rememberPosition(event);
      });
  }

  close(): void {
    this.#isClosed = true;
    this.#source?.close();
    clearTimeout(this.#timer);
  }

  #streamReceived(): void {
    this.#schedule(() => this.#streamFailed(), STREAM_SILENCE_MS);
    this.#streamFailures = 0;
    this.#listener.connection('live');
  }

  /** Polls, which shows whether the gateway is away or only the stream is blocked. */
  #streamFailed(): void {
    this.#source?.close();
    this.#streamFailures += 1;
    this.#schedule(() => void this.#poll(), 0);
  }

  async #poll(): Promise<void> {
    try {
      const query = this.#after === null ? {} : { after: this.#after };
      const signal = AbortSignal.timeout(POLL_TIMEOUT_MS);
      const answer = await client.console.changes({ query, signal });
      if (answer.reset) this.#listener.change({ kind: 'reset', id: null });
      for (const { kind, data } of answer.events) this.#listener.change(changeOf(kind, data as EventData));
      this.#setPosition(answer.next);
      this.#handleAnswer();
    } catch (error) {
      this.#handleFailure(error);
    }
  }

  #handleAnswer(): void {
    this.#listener.connection('polling');
    this.#lostTries = 0;
    this.#polls += 1;
    const isWorthATry = this.#streamFailures < TRIES_BEFORE_POLLING || this.#polls % POLLS_PER_TRY === 0;
    if (isWorthATry) this.#schedule(() => this.stream(), REOPEN_MS);
    else this.#schedule(() => void this.#poll(), POLL_MS);
  }

  #handleFailure(error: unknown): void {
    this.#listener.connection('lost');
    if (isStatus(error, 401)) return this.#listener.change({ kind: 'reset', id: null });
    this.#lostTries += 1;
    // Failures while the gateway was away do not count against the stream.
    this.#streamFailures = 0;
    this.#schedule(() => void this.#poll(), Math.min(this.#lostTries, 2) * 1_000);
  }

  #rememberPosition(event: MessageEvent): void {
    if (event.lastEventId !== '') this.#setPosition(event.lastEventId);
  }

  #setPosition(after: string): void {
    // Data read before the first event may have changed in between.
    if (this.#after === null) this.#listener.change({ kind: 'reset', id: null });
    this.#after = after;
    this.#listener.position(after);
  }

  #schedule(step: () => void, ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#isClosed) this.#timer = setTimeout(step, ms);
  }
}

interface EventData {
  readonly id?: string | null;
  readonly version?: number;
  readonly test?: boolean;
}

function changeOf(kind: ConsoleEventKind, { id, version, test = false }: EventData): Change {
  return { kind, id: id ?? null, isTest: test, ...(version === undefined ? {} : { version }) };
}
