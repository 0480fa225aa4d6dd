import type { RequestListener } from 'node:http';
import type { z } from 'zod';
import type { CONSOLE_EVENTS, ConsoleEventKind } from '../../shared/api/console-events.ts';
import type { Caller } from '../http/caller.ts';
import type { ServedRoute } from '../http/handler.ts';
import type { JobDefinition } from '../jobs/define-job.ts';
import type { Figure } from '../platform/figure.ts';
import type { TracedFax } from '../platform/traced-fax.ts';

/**
 * One feature of the gateway as `gateway.ts` sees it. Each room makes one in its `room.ts`, and `rooms.ts` puts them
 * into one list, low to high; starting and stopping a room needs nothing else of it.
 */
export interface Room {
  /** Name of the room in every folder. */
  readonly name: string;
  /** Routes that it serves. */
  readonly served: readonly ServedRoute[];
  /** The background work that it defines. */
  readonly jobs: readonly JobDefinition<never>[];
  /** Sources of the events for open consoles. */
  readonly events: readonly EventSource[];
  readonly settings: RoomSettings;
  /** Before requests are answered and jobs run; lower rooms have started. */
  start(): Promise<void>;
  /** Requests are answered from now on, jobs not yet: a room that listens somewhere itself begins to. */
  open(requests: RequestListener): Promise<void>;
  /** The gateway stops: ends at once what would keep requests from ending, and takes no new ones. Milliseconds. */
  close(graceMs: number): Promise<void>;
  /** After the last request and the last job; lower rooms still work. It may not have been started. */
  stop(): Promise<void>;
  /** Runs the work of its timers for the present time, and waits for it. */
  catchUp(): Promise<void>;
  /** Warnings although faxes are taken: whole sentences, without names or numbers of people. */
  warnings(): Promise<readonly string[]>;
  /** Values for `/metrics`, read on each scrape: nothing about a person or a document. */
  figures(): Promise<readonly Figure[]>;
  /** Returns the way of a fax that has come to its end; null for any other fax. Null for a room without faxes. */
  readonly traceOf: ((id: string) => Promise<TracedFax | null>) | null;
}

/** The settings that a room reads. */
interface RoomSettings {
  /** By name; those of a provider are among them. */
  readonly names: readonly string[];
  /** Called with those of its settings whose value in force has changed. */
  changed(names: ReadonlySet<string>): Promise<void>;
}

type EventData = {
  [K in ConsoleEventKind]: { readonly kind: K; readonly data: z.infer<(typeof CONSOLE_EVENTS)[K]> };
}[ConsoleEventKind];

/** Event for consoles, with the check which callers may receive it. */
export type RoomEvent = EventData & { mayReceive(caller: Caller): boolean };

/** Event with its subject: each version of a thing is delivered once. */
export interface Change {
  readonly id: string;
  readonly version: number;
  readonly event: RoomEvent;
  /** Facts from which another gateway makes the same change, as JSON; left out where it finds the change in the store. */
  readonly facts?: unknown;
}

/** Source of the events of one kind. */
export interface EventSource {
  readonly kind: ConsoleEventKind;
  /** Calls the listener after every change that this gateway commits; the answer ends that. */
  listen(listener: (change: Change) => void): () => void;
  /**
   * Lists the changes that any gateway on the store recorded after an entry, oldest first; left out where nothing is
   * recorded.
   */
  readonly changedSince?: (entryId: string, limit: number) => Promise<Change[]>;
  /** Makes a change of the facts that another gateway announced. */
  readonly fromFacts?: (facts: unknown) => Change;
}

/** Returns the source of changes that nothing records: each gateway announces its own to the others. */
export function announcedEvents<F>(
  kind: ConsoleEventKind,
  listen: (listener: (facts: F) => void) => () => void,
  changeOf: (facts: F) => Change,
): EventSource {
  return {
    kind,
    listen: (listener) => listen((facts) => listener({ ...changeOf(facts), facts })),
    // Gateways whose releases differ in them do not work side by side.
    fromFacts: (facts) => changeOf(facts as F),
  };
}

const EMPTY_ROOM: Omit<Room, 'name'> = {
  served: [],
  jobs: [],
  events: [],
  settings: { names: [], changed: async () => undefined },
  start: async () => undefined,
  open: async () => undefined,
  close: async () => undefined,
  stop: async () => undefined,
  catchUp: async () => undefined,
  warnings: async () => [],
  figures: async () => [],
  traceOf: null,
};

/** A room with what it has; the rest is nothing. */
export function defineRoom(room: Pick<Room, 'name'> & Partial<Room>): Room {
  return { ...EMPTY_ROOM, ...room };
}
