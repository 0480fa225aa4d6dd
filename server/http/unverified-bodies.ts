import { addressGroup } from '../platform/address-range.ts';
import type { Clock } from '../platform/clock.ts';
import { RefusalError } from '../platform/errors.ts';

const KB = 1024;
/** Limits of one body before its sender is authenticated: fields, and beside them files, in memory only. */
const FIELD_BYTES = 256 * KB;
const FILE_BYTES = 768 * KB;
const BODY_BYTES = FIELD_BYTES + FILE_BYTES;
const TOTAL_BYTES = 16 * KB * KB;
/** Bodies from one address that are read at once. */
const MAX_PER_ADDRESS = 32;
/** One that has been under way for so long makes room for the next from its address. */
const MIN_EVICTION_AGE_MS = 1_000;
/** Of a body that is not whole by then nobody waits for the rest. */
const MAX_AGE_MS = 120_000;

/** Body that is read before its sender is authenticated. */
export interface UnverifiedBody {
  /** Of all fields, or of JSON without the file in it. */
  readonly fieldBytes: number;
  /** Of all files; what is larger is hashed and not kept. */
  readonly fileBytes: number;
  /** Aborted with the refusal when the body may not be read any further. */
  readonly signal: AbortSignal;
  /** Counts bytes that have arrived. */
  add(bytes: number): void;
  /** It was verified or refused, and nothing of it counts any longer. */
  end(): void;
}

/** Of all requests of a gateway. */
export function createUnverifiedBodies(clock: Clock): UnverifiedBodies {
  return new UnverifiedBodies(clock);
}

export type { UnverifiedBodies };

/** Bounds what strangers can make the gateway keep. The body that is longest under way makes room for the others. */
class UnverifiedBodies {
  readonly #clock: Clock;
  /** The oldest first, with what each counts for. */
  readonly #open = new Map<OpenBody, number>();
  #bytes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Bytes that count now: at least as many as are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Without `keepsFiles` files are hashed only. Throws a 503 refusal when as many as may be read at once came from the address
   * just now.
   */
  begin({ keepsFiles, address }: { keepsFiles: boolean; address: string }): UnverifiedBody {
    const group = addressGroup(address);
    this.#evictFor(group);
    const body = new OpenBody(this.#clock.now(), {
      group,
      fileBytes: keepsFiles ? FILE_BYTES : 0,
      count: (bytes) => this.#count(body, bytes),
      ended: () => this.#forget(body),
    });
    this.#open.set(body, 0);
    return body;
  }

  /** Ends those that take too long. */
  check(): void {
    const now = this.#clock.now();
    for (const body of this.#open.keys())
      if (Math.abs(now - body.beganAt) > MAX_AGE_MS) this.#refuse(body, new RefusalError('request_timeout'));
  }

  #evictFor(group: string): void {
    const same = [...this.#open.keys()].filter((body) => body.group === group);
    const [oldest] = same;
    if (!oldest || same.length < MAX_PER_ADDRESS) return;
    if (Math.abs(this.#clock.now() - oldest.beganAt) < MIN_EVICTION_AGE_MS) throw tooBusy();
    this.#refuse(oldest, tooBusy());
  }

  #count(body: OpenBody, bytes: number): void {
    const before = this.#open.get(body);
    if (before === undefined) return;
    const after = Math.min(BODY_BYTES, before + bytes);
    this.#open.set(body, after);
    this.#bytes += after - before;
    for (const oldest of this.#open.keys()) {
      if (this.#bytes <= TOTAL_BYTES) return;
      this.#refuse(oldest, tooBusy());
    }
  }

  #refuse(body: OpenBody, refusal: RefusalError): void {
    this.#forget(body);
    body.abort(refusal);
  }

  #forget(body: OpenBody): void {
    this.#bytes -= this.#open.get(body) ?? 0;
    this.#open.delete(body);
  }
}

const tooBusy = () => new RefusalError('too_busy', { headers: { 'Retry-After': '60' } });

class OpenBody implements UnverifiedBody {
  readonly fieldBytes = FIELD_BYTES;
  readonly fileBytes: number;
  readonly beganAt: number;
  readonly group: string;
  readonly #aborting = new AbortController();
  readonly #count: (bytes: number) => void;
  readonly #ended: () => void;

  constructor(
    beganAt: number,
    parts: { group: string; fileBytes: number; count: (bytes: number) => void; ended: () => void },
  ) {
    this.beganAt = beganAt;
    this.group = parts.group;
    this.fileBytes = parts.fileBytes;
    this.#count = parts.count;
    this.#ended = parts.ended;
  }

  get signal(): AbortSignal {
    return this.#aborting.signal;
  }

  add(bytes: number): void {
    this.#count(bytes);
  }

  abort(refusal: RefusalError): void {
    this.#aborting.abort(refusal);
  }

  end(): void {
    this.#ended();
  }
}
