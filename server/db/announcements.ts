import pg from 'pg';
import { z } from 'zod';
import type { Announcements } from '../platform/announcements.ts';
import type { Logger } from '../platform/logger.ts';
import { type CurrentServer, currentServer } from '../platform/server-list.ts';
import { createTurns } from '../platform/turns.ts';

const CHANNEL = 'faxdesk';
const RECONNECT_MS = 1_000;
/** A connection whose server answers nothing for so long is replaced. */
const CHECK_MS = 5_000;
/** Announcements that wait for a server that does not answer; more of them are missed. */
const MAX_WAITING = 1_000;
/** PostgreSQL takes 8,000 bytes. */
const MAX_BYTES = 7_500;

const Message = z.object({ from: z.string(), topic: z.string(), facts: z.unknown() });

/** Announcements by LISTEN and NOTIFY, over a connection of their own that is replaced when it breaks. */
export function openAnnouncements(parts: {
  readonly url: string;
  /** This start of the gateway, whose own announcements do not come back to it. */
  readonly run: string;
  readonly logger: Logger;
}): DatabaseAnnouncements {
  return new DatabaseAnnouncements(parts);
}

export type { DatabaseAnnouncements };

class DatabaseAnnouncements implements Announcements {
  readonly #server: CurrentServer;
  readonly #run: string;
  readonly #logger: Logger;
  readonly #listeners = new Map<string, ((facts: unknown) => void)[]>();
  readonly #gapListeners: (() => void)[] = [];
  #client: pg.Client | null = null;
  /** Last query of the connection: it takes one at a time. */
  readonly #turns = createTurns();
  /** Queries that wait for their turn, and the one under way. */
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #wasConnected = false;

  constructor({ url, run, logger }: { url: string; run: string; logger: Logger }) {
    this.#server = currentServer(url);
    this.#run = run;
    this.#logger = logger;
    void this.#connect();
  }

  send(topic: string, facts: unknown): void {
    const text = JSON.stringify({ from: this.#run, topic, facts });
    if (Buffer.byteLength(text) > MAX_BYTES)
      return this.#logger.warn({ topic }, 'an announcement is too long');
    // Announcements of a time without a connection are missed, which the others find out by its end.
    if (this.#client === null || this.#waiting >= MAX_WAITING) return;
    this.#inTurn(this.#client, 'select pg_notify($1, $2)', [CHANNEL, text]).catch((error: unknown) =>
      this.#logger.debug({ error }, 'an announcement was not sent'),
    );
  }

  on(topic: string, listener: (facts: unknown) => void): void {
    this.#listeners.set(topic, [...(this.#listeners.get(topic) ?? []), listener]);
  }

  onGap(listener: () => void): void {
    this.#gapListeners.push(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const { address } = this.#server;
    const client = new pg.Client({
      connectionString: address,
      keepAlive: true,
      connectionTimeoutMillis: CHECK_MS,
      query_timeout: CHECK_MS,
    });
    client.on('notification', ({ payload }) => this.#receive(payload ?? ''));
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
    } catch (error) {
      this.#logger.debug({ error }, 'announcements of other gateways cannot be received');
      // A server that only reads has none.
      this.#server.leave(address);
      return this.#lost(client);
    }
    if (this.#isClosed) return void client.end().catch(() => undefined);
    this.#client = client;
    if (this.#wasConnected) for (const listener of this.#gapListeners) listener();
    this.#wasConnected = true;
    this.#later(CHECK_MS, () => this.#check(client));
  }

  async #check(client: pg.Client): Promise<void> {
    try {
      await this.#inTurn(client, 'select 1');
      if (this.#client === client) this.#later(CHECK_MS, () => this.#check(client));
    } catch {
      this.#lost(client);
    }
  }

  async #inTurn(client: pg.Client, text: string, values: readonly string[] = []): Promise<void> {
    this.#waiting += 1;
    try {
      await this.#turns(() => client.query(text, [...values]));
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Replaces a connection, once. */
  #lost(client: pg.Client): void {
    if (this.#client !== null && this.#client !== client) return;
    this.#client = null;
    client.removeAllListeners('notification');
    void client.end().catch(() => undefined);
    this.#later(RECONNECT_MS, () => this.#connect());
  }

  #later(ms: number, work: () => Promise<void>): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void work(), ms);
    this.#timer.unref();
  }

  #receive(text: string): void {
    const message = Message.safeParse(parseJson(text));
    if (!message.success || message.data.from === this.#run) return;
    const { topic, facts } = message.data;
    for (const listener of this.#listeners.get(topic) ?? []) {
      try {
        listener(facts);
      } catch (error) {
        this.#logger.error({ error }, 'a listener of announcements failed');
      }
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
