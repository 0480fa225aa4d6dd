import { randomBytes } from 'node:crypto';

/** One connection of an assistant that lives longer than a request. */
export interface AssistantSession {
  /** Credential that opened it; no other one may use it. */
  readonly owner: string;
  close(): Promise<void>;
}

interface Entry<S> {
  readonly session: S;
  usedAt: number;
  /** Requests and streams that are under way. */
  running: number;
}

const MAX_PER_OWNER = 20;
const MAX_SESSIONS = 500;
const IDLE_MS = 30 * 60_000;

/** Returns an id that nobody can guess. */
export const newSessionId = () => randomBytes(24).toString('base64url');

/** Creates the open sessions by id. `now` is in ms and never set back. */
export function createSessions<S extends AssistantSession>(now: () => number): Sessions<S> {
  return new Sessions<S>(now);
}

class Sessions<S extends AssistantSession> {
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry<S>>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns false when its owner, or the gateway, has too many; the longest unused one of an owner makes room. */
  mayOpen(owner: string): boolean {
    this.#endIdle();
    const own = [...this.#entries].filter(([, { session }]) => session.owner === owner);
    if (own.length < MAX_PER_OWNER) return this.#entries.size < MAX_SESSIONS;
    const unused = own.filter(([, { running }]) => running === 0).sort(([, a], [, b]) => a.usedAt - b.usedAt);
    const [oldest] = unused;
    if (oldest === undefined) return false;
    this.end(oldest[0]);
    return true;
  }

  add(id: string, session: S): void {
    this.#entries.set(id, { session, usedAt: this.#now(), running: 0 });
  }

  /** Returns the session of the owner; null when there is none. It counts as used until `done` is called. */
  use(id: string, owner: string): { readonly session: S; readonly done: () => void } | null {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.session.owner !== owner) return null;
    entry.running += 1;
    let isDone = false;
    const done = () => {
      if (isDone) return;
      isDone = true;
      entry.running -= 1;
      entry.usedAt = this.#now();
    };
    return { session: entry.session, done };
  }

  end(id: string): void {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    entry?.session.close().catch(() => undefined);
  }

  endAll(): void {
    for (const id of this.#entries.keys()) this.end(id);
  }

  #endIdle(): void {
    const before = this.#now() - IDLE_MS;
    for (const [id, { usedAt, running }] of this.#entries) if (running === 0 && usedAt < before) this.end(id);
  }
}
